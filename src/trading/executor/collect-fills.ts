// Brings fills from the exchange into the journal, with the fee that each cost, and settles what a market has decided.

import { type BookEntry, type Books, bookFill, computeBooks } from '../books/books.ts';
import type { Journal } from '../journal/journal.ts';
import type { MarketTerms, Venue } from '../types.ts';

export interface Bookkeeper {
  /** Reads what is new; afterwards the books include everything that the exchange reported. */
  collect(nowTs: number): Promise<void>;
  books(): Books;
  addEntry(entry: BookEntry): void;
  terms(tokenId: string): Promise<MarketTerms>;
}

const CURSOR = 'fills-since';
/** A trade settles within seconds; later changes of status are looked for this far back. */
const LOOK_BACK_MS = 10 * 60_000;
/** Fees and results of a market are read again after this. */
const TERMS_AGE_MS = 60_000;

export function createBookkeeper(venue: Venue, journal: Journal): Bookkeeper {
  const known = new Map<string, { terms: MarketTerms; ts: number }>();
  let cached: Books | null = null;
  let nowTs = 0;

  async function terms(tokenId: string): Promise<MarketTerms> {
    const entry = known.get(tokenId);
    if (entry && nowTs - entry.ts < TERMS_AGE_MS) return entry.terms;
    const fresh = await venue.terms(tokenId);
    known.set(tokenId, { terms: fresh, ts: nowTs });
    return fresh;
  }

  function books(): Books {
    cached ??= computeBooks(journal.entries(), journal.fills());
    return cached;
  }

  function addEntry(entry: BookEntry): void {
    journal.addEntry(entry);
    cached = null;
  }

  async function collectFills(): Promise<void> {
    const since = Number(journal.note(CURSOR) ?? 0);
    const fills = await venue.fillsSince(since);
    for (const fill of fills) {
      const { fee, feePaidIn } = await terms(fill.tokenId);
      if (journal.saveFill(bookFill(fill, fee, feePaidIn))) cached = null;
    }
    const open = fills.filter(({ status }) => status === 'provisional').map(({ ts }) => ts);
    const next = Math.min(nowTs - LOOK_BACK_MS, ...open);
    if (next > since) journal.setNote(CURSOR, String(next));
  }

  /** Paid out where the exchange shows nothing left of a decided token. */
  async function settle(): Promise<void> {
    for (const { tokenId, confirmedMicro, provisionalMicro } of [...books().positions.values()]) {
      if (confirmedMicro <= 0 || provisionalMicro !== 0) continue;
      const { winningTokenId } = await terms(tokenId);
      if (winningTokenId === null || (await venue.sharesMicro(tokenId)) !== 0) continue;
      const paidMicro = winningTokenId === tokenId ? confirmedMicro : 0;
      addEntry({ kind: 'settlement', ts: nowTs, tokenId, sharesMicro: confirmedMicro, paidMicro });
    }
  }

  return {
    async collect(ts) {
      nowTs = ts;
      await collectFills();
      await settle();
    },
    books,
    addEntry,
    terms,
  };
}
