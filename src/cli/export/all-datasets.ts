// Post ids and times, which source saw each post first, and deletions. Texts are left out because platforms
// forbid redistribution.

import { countsFor } from '../../domain/contract.ts';
import type { AdviceHappening } from '../../domain/happening.ts';
import { isInside, type MarketBucket, type MarketEvent } from '../../domain/market-event.ts';
import type { CapturedPost } from '../../domain/post.ts';
import { computeMarketPrice, type Quote } from '../../domain/quote.ts';
import { DAY_MS } from '../../domain/units.ts';
import type { ForecastPoint } from '../../store/ports.ts';
import { type Dataset, type ExportScope, listScopeEvents, readPages, tableOf } from './dataset.ts';

const PAGE_ROWS = 5_000;
/** The oracle's time for a post may differ from the platform's. */
const ORACLE_SLACK_MS = DAY_MS;

type ExportedPost = CapturedPost & { importedTs: number | null };

/** The first six are the columns of a history file (`tallycast import`). */
const POST_TABLE = tableOf<ExportedPost>({
  tweet_id: ['text', ({ postId }) => postId],
  created_ts: ['time', ({ createdTs }) => createdTs],
  is_reply: ['flag', ({ isReply }) => isReply],
  is_quote: ['flag', ({ isQuote }) => isQuote],
  is_retweet: ['flag', ({ isRetweet }) => isRetweet],
  is_counted: ['flag', ({ isCounted }) => isCounted],
  account_id: ['text', ({ accountId }) => accountId],
  is_self_reply: ['flag', ({ isSelfReply }) => isSelfReply],
  is_community: ['flag', ({ isCommunity }) => isCommunity],
  is_doubtful: ['flag', ({ isDoubtful }) => isDoubtful ?? false],
  root_post_id: ['text', ({ rootPostId }) => rootPostId],
  first_seen_ts: ['time', ({ firstSeenTs }) => firstSeenTs],
  first_source: ['text', ({ firstSource }) => firstSource ?? null],
  deleted_ts: ['time', ({ deletedTs }) => deletedTs],
  oracle_imported_ts: ['time', ({ importedTs }) => importedTs],
});

export const postsDataset: Dataset = {
  columns: POST_TABLE.columns,
  async *listRows(scope) {
    for (const accountId of listAccountIds(scope))
      for await (const page of readPosts(scope, accountId)) {
        const imports = await findImports(scope, page);
        yield page.map((post) => POST_TABLE.toRow({ ...post, importedTs: findImport(imports, post) }));
      }
  },
};

function listAccountIds({ event, accounts }: ExportScope): string[] {
  return event ? [event.accountId] : accounts.map(({ accountId }) => accountId);
}

export function readPosts(
  { store, event, fromTs, untilTs }: Omit<ExportScope, 'accounts'>,
  accountId: string,
): AsyncIterable<readonly CapturedPost[]> {
  const range = {
    fromTs: Math.max(fromTs, event?.window.startTs ?? fromTs),
    untilTs: Math.min(untilTs, event?.window.endTs ?? untilTs),
    limit: PAGE_ROWS,
  };
  return readPages<CapturedPost>(PAGE_ROWS, (after) =>
    store.posts.listPage(accountId, { ...range, after: after ?? null }),
  );
}

async function findImports(
  { store }: ExportScope,
  page: readonly CapturedPost[],
): Promise<Map<string, number | null>> {
  const [first, last] = [page[0]!, page.at(-1)!];
  const [fromTs, untilTs] = [first.createdTs - ORACLE_SLACK_MS, last.createdTs + ORACLE_SLACK_MS];
  const listings = await store.oraclePosts.list(first.accountId, fromTs, untilTs);
  return new Map(listings.map(({ postId, importedTs }) => [postId, importedTs]));
}

/** The oracle lists an edited post by its first id. */
function findImport(imports: ReadonlyMap<string, number | null>, post: CapturedPost): number | null {
  return imports.get(post.postId) ?? imports.get(post.rootPostId) ?? null;
}

// Each event's three counts at every change: ours (by first-seen time), the oracle's and the market page's.

const FEEDS = ['oracle', 'ui'] as const;

interface CountChange {
  ts: number;
  count: number;
}

export const countsDataset: Dataset = {
  columns: {
    account_id: 'text',
    event_id: 'integer',
    source: 'text',
    observed_ts: 'time',
    count: 'integer',
  },
  async *listRows(scope) {
    for await (const event of listScopeEvents(scope)) {
      const row = (source: string, { ts, count }: CountChange) =>
        [event.accountId, event.eventId, source, ts, count] as const;
      const own = listOwnCounts(event, await collectPosts({ ...scope, event }));
      yield own.filter(isInRange(scope)).map((change) => row('own', change));
      for (const feed of FEEDS) {
        const observations = await scope.store.counts.history(event.eventId, feed);
        const changes = observations.map(({ observedTs, count }) => ({ ts: observedTs, count }));
        yield changes.filter(isInRange(scope)).map((change) => row(feed, change));
      }
    }
  },
};

function isInRange({ fromTs, untilTs }: ExportScope): (change: CountChange) => boolean {
  return ({ ts }) => ts >= fromTs && ts < untilTs;
}

/** Reads all posts in the window: --from and --to select count changes, not the posts that are counted. */
async function collectPosts(scope: ExportScope): Promise<CapturedPost[]> {
  const posts: CapturedPost[] = [];
  const whole = { ...scope, fromTs: 0, untilTs: Number.MAX_SAFE_INTEGER };
  for await (const page of readPosts(whole, scope.event!.accountId)) posts.push(...page);
  return posts;
}

// History of our own count for an event. A post counts from when we first saw it; if the contract's rule
// excludes deleted posts, only until we saw its deletion.

export interface OwnCount {
  ts: number;
  count: number;
}

/** In chronological order; simultaneous changes are merged into one entry. */
function listOwnCounts(event: MarketEvent, posts: readonly CapturedPost[]): OwnCount[] {
  const steps = posts
    .filter((post) => isInside(event.window, post.createdTs))
    .flatMap((post) => stepsOf(event, post))
    .sort((left, right) => left.ts - right.ts);
  const course = new Map<number, number>();
  let count = 0;
  for (const { ts, change } of steps) course.set(ts, (count += change));
  return [...course].map(([ts, standing]) => ({ ts, count: standing }));
}

function stepsOf(event: MarketEvent, post: CapturedPost): { ts: number; change: number }[] {
  if (!countsFor(event, { ...post, deletedTs: null })) return [];
  const seen = { ts: post.firstSeenTs, change: 1 };
  const isLost = post.deletedTs !== null && !countsFor(event, post);
  return isLost ? [seen, { ts: Math.max(post.deletedTs!, post.firstSeenTs), change: -1 }] : [seen];
}

// Quotes for order-book tokens as stored: every change in recent days, one quote per hour before that.

const PRICE_TABLE = tableOf<{ event: MarketEvent; bucket: MarketBucket; side: string; quote: Quote }>({
  account_id: ['text', ({ event }) => event.accountId],
  event_id: ['integer', ({ event }) => event.eventId],
  bucket: ['text', ({ bucket }) => bucket.label],
  side: ['text', ({ side }) => side],
  observed_ts: ['time', ({ quote }) => quote.observedTs],
  bid: ['number', ({ quote }) => quote.bid],
  ask: ['number', ({ quote }) => quote.ask],
  bid_shares: ['number', ({ quote }) => quote.bidShares],
  ask_shares: ['number', ({ quote }) => quote.askShares],
  last_trade_price: ['number', ({ quote }) => quote.lastTradePrice],
  market_price: ['number', ({ quote }) => computeMarketPrice(quote, null)],
  token_id: ['text', ({ quote }) => quote.tokenId],
});

export const pricesDataset: Dataset = {
  columns: PRICE_TABLE.columns,
  async *listRows(scope) {
    const { store, fromTs, untilTs } = scope;
    for await (const event of listScopeEvents(scope)) {
      for (const { bucket, side, tokenId } of listTokens(event)) {
        const pages = readPages<Quote>(PAGE_ROWS, (last) =>
          store.quotes.listRange(tokenId, {
            fromTs: last ? last.observedTs + 1 : fromTs,
            untilTs,
            limit: PAGE_ROWS,
          }),
        );
        for await (const page of pages)
          yield page.map((quote) => PRICE_TABLE.toRow({ event, bucket, side, quote }));
      }
    }
  },
};

function listTokens({ buckets }: MarketEvent) {
  return buckets.flatMap((bucket) => [
    { bucket, side: 'yes', tokenId: bucket.yesTokenId },
    { bucket, side: 'no', tokenId: bucket.noTokenId },
  ]);
}

// Published forecasts, one row per bucket.

const PAGE_POINTS = 500;

const FORECAST_TABLE = tableOf<{ event: MarketEvent; point: ForecastPoint; i: number }>({
  account_id: ['text', ({ event }) => event.accountId],
  event_id: ['integer', ({ event }) => event.eventId],
  asof_ts: ['time', ({ point }) => point.asofTs],
  count_so_far: ['integer', ({ point }) => point.countSoFar],
  p5: ['number', ({ point }) => point.p5],
  p50: ['number', ({ point }) => point.p50],
  p95: ['number', ({ point }) => point.p95],
  bucket: ['text', ({ event, i }) => event.buckets[i]?.label ?? null],
  model_probability: ['number', ({ point, i }) => point.bucketProbabilities[i]!],
  market_price: ['number', ({ point, i }) => point.marketPrices[i] ?? null],
  model_version: ['text', ({ point }) => point.modelVersion],
});

export const forecastsDataset: Dataset = {
  columns: FORECAST_TABLE.columns,
  async *listRows(scope) {
    const { store, fromTs, untilTs } = scope;
    for await (const event of listScopeEvents(scope)) {
      const pages = readPages<ForecastPoint>(PAGE_POINTS, (last) =>
        store.forecasts.listPoints(event.eventId, {
          fromTs: last ? last.asofTs + 1 : fromTs,
          untilTs,
          limit: PAGE_POINTS,
          isHourly: false,
        }),
      );
      for await (const page of pages)
        yield page.flatMap((point) =>
          point.bucketProbabilities.map((_, i) => FORECAST_TABLE.toRow({ event, point, i })),
        );
    }
  },
};

// Published advice, for the service's default bankroll; one row per span in which it did not change.

const MAX_ADVICE = 100_000;

const ADVICE_TABLE = tableOf<AdviceHappening>({
  account_id: ['text', ({ accountId }) => accountId],
  event_id: ['integer', ({ eventId }) => eventId],
  bucket: ['text', ({ bucketLabel }) => bucketLabel],
  from_ts: ['time', ({ fromTs }) => fromTs],
  ended_ts: ['time', ({ endedTs }) => endedTs],
  verdict: ['text', ({ content }) => content.verdict],
  edge_kind: ['text', ({ content }) => content.edgeKind],
  limit_price: ['number', ({ content }) => content.limitPrice],
  win_probability: ['number', ({ content }) => content.winProbability],
  sentence: ['text', ({ content }) => content.sentence],
  ended_because: ['text', ({ content }) => content.endedBecause],
  end_price: ['number', ({ content }) => content.endPrice],
});

export const adviceDataset: Dataset = {
  columns: ADVICE_TABLE.columns,
  async *listRows(scope) {
    const { store, fromTs, untilTs } = scope;
    for await (const { accountId, eventId } of listScopeEvents(scope)) {
      const found = await store.happenings.listAdvice({ accountId, eventId, limit: MAX_ADVICE });
      const advice = found.filter((each) => each.fromTs >= fromTs && each.fromTs < untilTs);
      yield advice.map((each) => ADVICE_TABLE.toRow(each as AdviceHappening)).reverse();
    }
  },
};
