// Archived order books at full resolution: every change, and how long the book was confirmed unchanged.

import { type BookChange, type BookHour, SLOT_MS } from '../../domain/book.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { type Dataset, listScopeEvents, tableOf } from './dataset.ts';

const TABLE = tableOf<BookChange & Pick<MarketEvent, 'accountId' | 'eventId'> & { confirmedTs: number }>({
  account_id: ['text', ({ accountId }) => accountId],
  event_id: ['integer', ({ eventId }) => eventId],
  bucket: ['text', ({ bucket }) => bucket],
  side: ['text', ({ side }) => side],
  observed_ts: ['time', ({ observedTs }) => observedTs],
  bid: ['number', ({ bid }) => bid],
  ask: ['number', ({ ask }) => ask],
  bid_shares: ['number', ({ bidShares }) => bidShares],
  ask_shares: ['number', ({ askShares }) => askShares],
  bid_depth: ['number', ({ bidDepth }) => bidDepth],
  ask_depth: ['number', ({ askDepth }) => askDepth],
  last_trade_price: ['number', ({ lastTradePrice }) => lastTradePrice],
  confirmed_ts: ['time', ({ confirmedTs }) => confirmedTs],
});

export const booksDataset: Dataset = {
  columns: TABLE.columns,
  async *listRows(scope) {
    const { store, fromTs, untilTs } = scope;
    for await (const event of listScopeEvents(scope)) {
      for (const hourTs of await store.books.listHours(event.eventId, fromTs, untilTs)) {
        const hour = await store.books.readHour(event.eventId, hourTs);
        const inRange = ({ observedTs }: BookChange) => observedTs >= fromTs && observedTs < untilTs;
        const confirm = createConfirmation(hour);
        const { accountId, eventId } = event;
        yield hour.changes
          .filter(inRange)
          .map((change) => TABLE.toRow({ ...change, accountId, eventId, confirmedTs: confirm(change) }));
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
