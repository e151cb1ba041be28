// Archived order books at full resolution: every change, and how long the book was confirmed unchanged.

import { type BookChange, type BookHour, SLOT_MS } from '../../domain/book.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { type Dataset, listScopeEvents, type Row } from './dataset.ts';

export const booksDataset: Dataset = {
  columns: {
    account_id: 'text',
    event_id: 'integer',
    bucket: 'text',
    side: 'text',
    observed_ts: 'time',
    bid: 'number',
    ask: 'number',
    bid_shares: 'number',
    ask_shares: 'number',
    bid_depth: 'number',
    ask_depth: 'number',
    last_trade_price: 'number',
    confirmed_ts: 'time',
  },
  async *listRows(scope) {
    const { store, fromTs, untilTs } = scope;
    for await (const event of listScopeEvents(scope)) {
      for (const hourTs of await store.books.listHours(event.eventId, fromTs, untilTs)) {
        const hour = await store.books.readHour(event.eventId, hourTs);
        const inRange = ({ observedTs }: BookChange) => observedTs >= fromTs && observedTs < untilTs;
        const confirmedTs = createConfirmation(hour);
        yield hour.changes.filter(inRange).map((change) => toRow(event, change, confirmedTs(change)));
      }
    }
  },
};

/**
 * Start of the hour's last slot that confirmed the book before its next change; if there is none, the time of
 * the book itself.
 */
function createConfirmation({ changes, slots }: BookHour): (change: BookChange) => number {
  const nextTs = new Map<BookChange, number>();
  const seen = new Map<string, BookChange>();
  for (const change of changes) {
    const before = seen.get(`${change.side} ${change.bucket}`);
    if (before) nextTs.set(before, change.observedTs);
    seen.set(`${change.side} ${change.bucket}`, change);
  }
  const times = slots.map((slot) => slot * SLOT_MS);
  return (change) => {
    const until = nextTs.get(change) ?? Number.POSITIVE_INFINITY;
    const last = times.findLast((ts) => ts < until);
    return Math.max(change.observedTs, last ?? 0);
  };
}

function toRow({ accountId, eventId }: MarketEvent, change: BookChange, confirmedTs: number): Row {
  const { bucket, side, observedTs, bid, ask, bidShares, askShares, bidDepth, askDepth, lastTradePrice } =
    change;
  return [
    ...[accountId, eventId, bucket, side, observedTs, bid, ask, bidShares, askShares, bidDepth, askDepth],
    lastTradePrice,
    confirmedTs,
  ];
}
