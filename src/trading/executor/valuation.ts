// Current value compared with the starting capital.

import { MICRO, usdMicroFor } from '../../domain/micro-units.ts';
import { type BookEntry, type Books, heldMicro, startMicro } from '../books/books.ts';
import type { Journal } from '../journal/journal.ts';
import type { VenueBook } from '../types.ts';

const DAY_MS = 86_400_000;

/** Positions at the best bid, or at cost without a bid. */
export function computeProfitUsd(
  books: Books,
  entries: readonly BookEntry[],
  quotes: ReadonlyMap<string, VenueBook>,
): number {
  let valueMicro = books.cashMicro;
  for (const { tokenId, costMicro } of books.positions.values()) {
    const bid = quotes.get(tokenId)?.bids[0]?.pricePips;
    valueMicro += bid === undefined ? costMicro : usdMicroFor(heldMicro(books, tokenId), bid);
  }
  return (valueMicro - startMicro(entries)) / MICRO;
}

/** Losses from before today do not count against the daily limit. */
export function readDayProfitUsd(journal: Journal, totalUsd: number, nowTs: number): number {
  const key = `profit at ${Math.floor(nowTs / DAY_MS)}`;
  const noted = journal.note(key);
  if (noted !== null) return totalUsd - Number(noted);
  journal.setNote(key, String(totalUsd));
  return 0;
}
