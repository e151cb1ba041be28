// Archived order books at full resolution: every change, and how long the book was confirmed unchanged.

import { type BookChange, type BookHour, SLOT_MS } from '../../domain/book.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { toRanges } from '../../store/queries/packed-books.ts';
import { type Dataset, type ExportScope, listScopeEvents, type Row, tableOf } from './dataset.ts';

export const BOOK_TABLE = tableOf<
  BookChange & Pick<MarketEvent, 'accountId' | 'eventId'> & { confirmedTs: number }
>({
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
  columns: BOOK_TABLE.columns,
  async *listRows(scope) {
    const { store, fromTs, untilTs } = scope;
    for await (const event of listScopeEvents(scope)) {
      for (const hourTs of await store.books.listHours(event.eventId, fromTs, untilTs))
        yield rowsOfHour(event, await store.books.readHour(event.eventId, hourTs), scope);
    }
  },
};

export function rowsOfHour(
  { accountId, eventId }: MarketEvent,
  hour: BookHour,
  { fromTs, untilTs }: Pick<ExportScope, 'fromTs' | 'untilTs'>,
): Row[] {
  const confirm = createConfirmation(hour);
  return hour.changes
    .filter(({ observedTs }) => observedTs >= fromTs && observedTs < untilTs)
    .map((change) => BOOK_TABLE.toRow({ ...change, accountId, eventId, confirmedTs: confirm(change) }));
}

interface SlotRun extends Pick<MarketEvent, 'accountId' | 'eventId'> {
  first: number;
  last: number;
}

/** When prices were read: one row per unbroken run of slots, which the confirmed time of each book leaves out. */
export const SLOT_TABLE = tableOf<SlotRun>({
  account_id: ['text', ({ accountId }) => accountId],
  event_id: ['integer', ({ eventId }) => eventId],
  from_ts: ['time', ({ first }) => first * SLOT_MS],
  until_ts: ['time', ({ last }) => (last + 1) * SLOT_MS],
});

export function slotRowsOf({ accountId, eventId }: MarketEvent, { slots }: BookHour): Row[] {
  return toRanges(slots).map(([first, last]) => SLOT_TABLE.toRow({ accountId, eventId, first, last }));
}

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
