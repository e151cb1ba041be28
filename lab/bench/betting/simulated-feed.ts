// Feed data for one simulated account up to now: posts, events, oracle counts, books, results.

import type { ListedEvent } from '../../../simulator/market/listed-event.ts';
import { roundTo } from '../../../simulator/market/quotes.ts';
import type { SimulatorPost } from '../../../simulator/posts/simulator-post.ts';
import type { SimulatorState } from '../../../simulator/simulator-state.ts';
import type { MarketBucket, MarketEvent } from '../../../src/domain/market-event.ts';
import type { CapturedPost } from '../../../src/domain/post.ts';
import type { Quote } from '../../../src/domain/quote.ts';
import { DAY_MS } from '../../../src/domain/units.ts';
import type { Resolution } from '../../../src/jobs/settling/settle-events.ts';
import type { CountReading } from '../../../src/state/snapshot.ts';

const LONGEST_DAYS = 10;
/** The oracle is polled for this long after an event ends; results arrive within this time. */
const AFTER_END_DAYS = 3;
const MIN_ORDER_SHARES = 5;

/** Events that start before `fromTs` are skipped: their first books would be missing. */
export function createSimulatedFeed(state: SimulatorState, accountId: string, fromTs: number) {
  const { ledger, oracle } = state.findAccount((one) => one.accountId === accountId)!;
  const book = state.countEvents;
  const resolved = new Set<number>();
  let postsUntilTs = state.options.anchorTs;

  function listCurrent(): ListedEvent[] {
    const nowTs = state.now();
    return book
      .list(nowTs)
      .filter(
        ({ kind, accountId: owner, startTs, endTs }) =>
          kind === 'count' &&
          owner === accountId &&
          startTs >= fromTs &&
          startTs <= nowTs &&
          endTs - startTs < LONGEST_DAYS * DAY_MS &&
          endTs > nowTs - AFTER_END_DAYS * DAY_MS,
      );
  }

  function toEvent(event: ListedEvent): MarketEvent {
    const { eventId, title, slug, image, startTs, endTs, fee, tick } = event;
    const ranges = book.ranges(book.slot(eventId)!);
    const prices = book.prices(event, state.now());
    const buckets = book.markets(event).map(
      ({ marketId, conditionId, tokenIds }, i): MarketBucket => ({
        ...ranges[i]!,
        marketId: String(marketId),
        conditionId,
        yesTokenId: tokenIds[0],
        noTokenId: tokenIds[1],
        isOpen: prices[i]!.closedTs === null,
        tickSize: tick,
        minOrderShares: MIN_ORDER_SHARES,
        fee: { rate: fee.rate, exponent: 1 },
        listedPrice: prices[i]!.last,
      }),
    );
    return { eventId, accountId, title, slug, image, window: { startTs, endTs }, buckets, isClosed: false };
  }

  return {
    takePosts(): CapturedPost[] {
      const nowTs = state.now();
      const posts = ledger.range(postsUntilTs, nowTs);
      postsUntilTs = nowTs;
      return posts.map((post) => toCaptured(post, accountId));
    },
    listEvents: () => listCurrent().map(toEvent),
    readOracle: (): CountReading[] =>
      listCurrent().map(({ eventId, startTs, endTs }) => ({
        eventId,
        count: oracle.countIn(startTs, endTs, state.now()),
      })),
    listQuotes: (): Quote[] =>
      listCurrent()
        .filter(({ endTs }) => endTs > state.now())
        .flatMap((event) => quoteEvent(state, event)),
    takeResolutions(): Resolution[] {
      const nowTs = state.now();
      const fresh = listCurrent().filter(
        (event) => !resolved.has(event.eventId) && book.settledTs(event, nowTs) !== null,
      );
      for (const { eventId } of fresh) resolved.add(eventId);
      return fresh.map((event) => ({
        event: toEvent(event),
        winningLabel: book.paidLabel(book.slot(event.eventId)!, nowTs),
        closedTs: book.settledTs(event, nowTs),
      }));
    },
  };
}

function quoteEvent(state: SimulatorState, event: ListedEvent): Quote[] {
  const observedTs = state.now();
  const prices = state.countEvents.prices(event, observedTs);
  return state.countEvents.markets(event).flatMap(({ tokenIds: [yes, no] }, i): Quote[] => {
    const { mid, bid, ask, last, closedTs } = prices[i]!;
    if (closedTs !== null) return [];
    const shares = Math.round(event.depthUsd / Math.max(0.02, mid));
    const mirror = (price: number | null) => (price === null ? null : roundTo(1 - price));
    const sizes = { bidShares: shares, askShares: shares, observedTs };
    return [
      { ...sizes, tokenId: yes, bid, ask, lastTradePrice: last },
      { ...sizes, tokenId: no, bid: mirror(ask), ask: mirror(bid), lastTradePrice: mirror(last) },
    ];
  });
}

function toCaptured({ id, createdTs, kind, isCounted }: SimulatorPost, accountId: string): CapturedPost {
  return {
    accountId,
    postId: id,
    createdTs,
    text: null,
    isReply: kind === 'reply' || kind === 'self-reply',
    isQuote: kind === 'quote',
    isRetweet: kind === 'repost',
    isSelfReply: kind === 'self-reply',
    isCommunity: false,
    rootPostId: id,
    firstSeenTs: createdTs,
    deletedTs: null,
    isCounted,
  };
}
