// Full order books of an open event, fetched from the market on request.

import { named, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { isActiveAt, type MarketEvent } from '../../domain/market-event.ts';
import { SECOND_MS } from '../../domain/units.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { WholeBook } from '../../sources/source.ts';
import type { RouteContext } from '../context.ts';
import { findEvent } from '../find-event.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { recordOf, round6 } from '../records/record.ts';

/** Requests for the same event within this time share one market request. */
const REUSE_MS = 5 * SECOND_MS;
const ANSWER_WITHIN_MS = 4 * SECOND_MS;
const LEVELS = 15;

interface ReadBooks {
  books: readonly WholeBook[];
  readTs: number;
}

const Levels = Type.Array(
  named(
    'BookLevel',
    Type.Object({
      price: Type.Number(),
      shares: Type.Number({ description: 'Shares at this price' }),
      total_shares: Type.Number({ description: 'Shares at this price or better' }),
    }),
  ),
  { description: 'Best price first, at most 15' },
);

const EventBooks = recordOf<ReadBooks & { event: MarketEvent }>('EventBooks')({
  event_id: [Type.Integer(), ({ event }) => event.eventId],
  read_ts: [
    {
      ...Ts,
      description: 'When the books were fetched from the market; they are cached for a few seconds',
    },
    ({ readTs }) => readTs,
  ],
  buckets: [
    Type.Array(Type.Object({ bucket: Type.String(), bids: Levels, asks: Levels }), {
      description: 'Yes side of each bucket that has an order book',
    }),
    ({ event, books }) =>
      event.buckets.flatMap(({ label, yesTokenId }) => {
        const book = books.find(({ tokenId }) => tokenId === yesTokenId);
        return book ? [{ bucket: label, bids: addTotals(book.bids), asks: addTotals(book.asks) }] : [];
      }),
  ],
});

function addTotals(levels: WholeBook['bids']) {
  let total = 0;
  return levels.slice(0, LEVELS).map(({ price, shares }) => {
    total += shares;
    return { price, shares, total_shares: round6(total) };
  });
}

export function booksRoutes(context: RouteContext): Route[] {
  const recent = createRecentResults<number, Promise<ReadBooks>>(100, REUSE_MS);

  async function read({ buckets }: MarketEvent, readTs: number): Promise<ReadBooks> {
    const tokenIds = buckets.filter(({ isOpen }) => isOpen).map(({ yesTokenId }) => yesTokenId);
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    return { books: (await context.fetchBooks?.(tokenIds, signal)) ?? [], readTs };
  }

  function readRecent(event: MarketEvent, nowTs: number): Promise<ReadBooks> {
    const reading = recent.get(event.eventId, null, context.wallClock.now(), () => read(event, nowTs));
    reading.catch(() => recent.drop(event.eventId));
    return reading;
  }

  return context.accounts.map((account) => booksRoute(context, account, readRecent));
}

function booksRoute(
  context: RouteContext,
  account: Account,
  read: (event: MarketEvent, nowTs: number) => Promise<ReadBooks>,
): Route {
  return defineRoute({
    path: `${API_PREFIX}/books/${account.segment}/{event_id}`,
    document: {
      operationId: `getBooks_${account.segment}`,
      tag: 'History',
      summary: `Order books for an open event of ${account.segment}, up to 15 levels per side`,
      description: 'Empty for ended events and for venues without public books.',
      ok: objectEnvelope('BooksAnswer', EventBooks.schema),
      also: [404],
    },
    async handle({ params, nowTs }) {
      const event = await findEvent(context, account, params.event_id!);
      const isOpen = isActiveAt(event.window, nowTs) && !event.terms;
      const reading = isOpen ? await read(event, nowTs) : { books: [], readTs: nowTs };
      return ok({ timestamp: nowTs, data: EventBooks.present({ event, ...reading }) });
    },
  });
}
