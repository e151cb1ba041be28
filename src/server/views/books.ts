// Presents order books as levels with running totals.

import type { MarketEvent } from '../../domain/market-event.ts';
import type { WholeBook } from '../../sources/source.ts';
import { round6 } from '../records/record.ts';

const LEVELS = 15;

export function presentBooks(event: MarketEvent, books: readonly WholeBook[], readTs: number) {
  const byToken = new Map(books.map((book) => [book.tokenId, book]));
  return {
    event_id: event.eventId,
    read_ts: readTs,
    buckets: event.buckets.flatMap(({ label, yesTokenId }) => {
      const book = byToken.get(yesTokenId);
      return book ? [{ bucket: label, bids: addTotals(book.bids), asks: addTotals(book.asks) }] : [];
    }),
  };
}

function addTotals(levels: WholeBook['bids']) {
  let total = 0;
  return levels.slice(0, LEVELS).map(({ price, shares }) => {
    total += shares;
    return { price, shares, total_shares: round6(total) };
  });
}
