// Profit: current value minus starting capital.

import { MICRO, usdMicroFor } from '../../domain/micro-units.ts';
import { type BookEntry, type Books, heldMicro, startMicro } from '../books/books.ts';
import type { Journal } from '../journal/journal.ts';
import type { VenueBook } from '../types.ts';

const DAY_MS = 86_400_000;

/** Values positions at the best bid, at zero if lost or without a bid, and at cost if the book is unknown. */
export function computeProfitUsd(
  books: Books,
  entries: readonly BookEntry[],
  quotes: ReadonlyMap<string, VenueBook>,
  isLost: (tokenId: string) => boolean,
): number {
  let valueMicro = books.cashMicro;
  for (const { tokenId, costMicro } of books.positions.values()) {
    const book = quotes.get(tokenId);
    const bidPips = isLost(tokenId) ? 0 : book && (book.bids[0]?.pricePips ?? 0);
    valueMicro += bidPips === undefined ? costMicro : usdMicroFor(heldMicro(books, tokenId), bidPips);
  }
  return (valueMicro - startMicro(entries)) / MICRO;
}

/**
 * Losses from before today do not count against the daily limit. A day starts with the first cycle in which
 * prices are known.
 */
export function readDayProfitUsd(
  journal: Journal,
  totalUsd: number,
  nowTs: number,
  isPriced: boolean,
): number {
  const key = `profit at ${Math.floor(nowTs / DAY_MS)}`;
  const noted = journal.note(key);
  if (noted !== null) return totalUsd - Number(noted);
  if (isPriced) journal.setNote(key, String(totalUsd));
  return 0;
}
