// Full order books of an open event, fetched from the market on request.

import { BooksAnswer } from '../../contract/books.ts';
import type { Account } from '../../domain/account.ts';
import { isActiveAt, type MarketEvent } from '../../domain/market-event.ts';
import { SECOND_MS } from '../../domain/units.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { WholeBook } from '../../sources/source.ts';
import type { RouteContext } from '../context.ts';
import { findEvent } from '../find-event.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentBooks } from '../views/books.ts';

/** Requests for the same event within this time share one market request. */
const REUSE_MS = 5 * SECOND_MS;
const ANSWER_WITHIN_MS = 4 * SECOND_MS;

interface ReadBooks {
  books: readonly WholeBook[];
  readTs: number;
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
  return defineLooseRoute({
    path: `${API_PREFIX}/books/${account.segment}/{event_id}`,
    document: {
      operationId: `getBooks_${account.segment}`,
      tag: 'History',
      summary: `Order books for an open event of ${account.segment}, up to 15 levels per side`,
      description: 'Empty for ended events and for venues without public books.',
      ok: BooksAnswer,
      also: [404],
    },
    async handle({ params, nowTs }) {
      const event = await findEvent(context, account, params.event_id!);
      const isOpen = isActiveAt(event.window, nowTs) && !event.terms;
      const { books, readTs } = isOpen ? await read(event, nowTs) : { books: [], readTs: nowTs };
      return ok({ timestamp: nowTs, data: presentBooks(event, books, readTs) });
    },
  });
}
