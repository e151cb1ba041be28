// Writes a year of two accounts as the service would have stored it: four week-long events open at once per
// account, the simulator's row sizes, already thinned by the retention rules.

import { createHash } from 'node:crypto';
import type { MarketBucket, MarketEvent } from '../../../src/domain/market-event.ts';
import type { CapturedPost } from '../../../src/domain/post.ts';
import type { Quote } from '../../../src/domain/quote.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/units.ts';
import { listHorizons } from '../../../src/jobs/horizons.ts';
import { DEFAULT_RETENTION } from '../../../src/jobs/prune.ts';
import { createRandom } from '../../../src/runtime/random.ts';
import type { ForecastRecord, SignalGrounds, Store } from '../../../src/store/ports.ts';

export interface YearPlan {
  nowTs: number;
  days: number;
  /** Retention of quotes. */
  quotesDays: number;
  say(text: string): void;
}

const ACCOUNTS = ['a', 'b'];
const WEEK_MS = 7 * DAY_MS;
const OPEN_AT_ONCE = 4;
const BUCKETS = 12;
const POSTS_A_DAY = 50;
/** Length of a stored distribution. */
const DISTRIBUTION_LENGTH = 600;
/** Price changes per bucket and hour, as in the simulator: about 6,500 across all tokens. */
const QUOTES_AN_HOUR = 68;
const BATCH = 1_000;

export async function makeYear(store: Store, plan: YearPlan): Promise<MarketEvent[]> {
  const events = ACCOUNTS.flatMap((accountId, i) => listEvents(accountId, i, plan));
  await store.events.upsert(events);
  await settle(store, events, plan.nowTs);
  for (const accountId of ACCOUNTS)
    await inBatches(listPosts(accountId, plan), (rows) => store.posts.recordCaptures(rows));
  plan.say('forecasts and counts');
  for (const event of events) {
    await store.counts.record(listCounts(event, plan.nowTs));
    await inBatches(listForecasts(event, plan.nowTs), (rows) => store.forecasts.record(rows));
    for (const grounds of listGrounds(event, plan.nowTs)) await store.signals.record([], grounds);
  }
  plan.say('quotes');
  await inBatches(listQuotes(events, plan), (rows) => store.quotes.record(rows));
  for (const name of ['forecasts dropDistributions', 'forecasts thin', 'quotes thin'] as const)
    await store.cursors.put(
      name,
      String(Math.floor((plan.nowTs - KEPT_DAYS[name] * DAY_MS) / HOUR_MS) * HOUR_MS),
    );
  return events;
}

const KEPT_DAYS = {
  'forecasts dropDistributions': DEFAULT_RETENTION.distributionsDays,
  'forecasts thin': DEFAULT_RETENTION.forecastsDays,
  'quotes thin': DEFAULT_RETENTION.quotesWholeDays,
};

async function inBatches<T>(rows: Iterable<T>, write: (batch: T[]) => Promise<unknown>): Promise<void> {
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    await write(batch);
    batch = [];
  }
  if (batch.length > 0) await write(batch);
}

function listEvents(accountId: string, account: number, { nowTs, days }: YearPlan): MarketEvent[] {
  const stepMs = WEEK_MS / OPEN_AT_ONCE;
  const count = Math.floor((days * DAY_MS) / stepMs);
  return Array.from({ length: count }, (_, i) => {
    const eventId = (account + 1) * 100_000 + i;
    const startTs = Math.floor((nowTs - days * DAY_MS + i * stepMs) / HOUR_MS) * HOUR_MS;
    const window = { startTs, endTs: startTs + WEEK_MS };
    const buckets = Array.from({ length: BUCKETS }, (_unused, b) => createBucket(eventId, b));
    const isClosed = window.endTs < nowTs;
    return {
      ...{ eventId, accountId, title: `Posts of week ${i}?`, slug: `week-${eventId}`, image: '' },
      window,
      buckets,
      isClosed,
    };
  });
}

function createBucket(eventId: number, place: number): MarketBucket {
  const lo = place * 20;
  const isTop = place === BUCKETS - 1;
  return {
    ...{
      lo,
      hi: isTop ? null : lo + 19,
      label: isTop ? `${lo}+` : `${lo}-${lo + 19}`,
      marketId: `${eventId}${place}`,
    },
    ...{ conditionId: `0x${digest(`${eventId}/${place}`)}`, isOpen: true, tickSize: 0.01, minOrderShares: 5 },
    ...{ yesTokenId: tokenOf(eventId, place, 'yes'), noTokenId: tokenOf(eventId, place, 'no') },
    ...{ fee: { rate: 0, exponent: 1 }, listedPrice: 0.1 },
  };
}

/** Returns an id as long as the exchange's token ids. */
function tokenOf(eventId: number, place: number, side: string): string {
  return BigInt(`0x${digest(`${eventId}/${place}/${side}`)}`)
    .toString()
    .padStart(77, '1');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function settle(store: Store, events: readonly MarketEvent[], nowTs: number): Promise<void> {
  for (const { eventId, accountId, window, buckets } of events) {
    if (window.endTs >= nowTs) continue;
    await store.settlements.record({
      ...{ eventId, accountId, finalCount: 110, winningLabel: buckets[5]!.label, source: 'oracle' },
      ...{ settledTs: window.endTs + HOUR_MS },
    } as Parameters<Store['settlements']['record']>[0]);
  }
}

function* listPosts(accountId: string, { nowTs, days }: YearPlan): Generator<CapturedPost> {
  const stepMs = DAY_MS / POSTS_A_DAY;
  for (let i = 0; i < days * POSTS_A_DAY; i++) yield createPost(accountId, nowTs - (i + 1) * stepMs);
}

export function createPost(accountId: string, createdTs: number): CapturedPost {
  const postId = `${accountId}${Math.round(createdTs * 1_000)}`;
  return {
    ...{
      accountId,
      postId,
      rootPostId: postId,
      createdTs: Math.round(createdTs),
      firstSeenTs: Math.round(createdTs) + 600,
    },
    ...{
      deletedTs: null,
      isReply: false,
      isQuote: false,
      isRetweet: false,
      isSelfReply: false,
      isCommunity: false,
    },
    ...{
      isCounted: true,
      text: 'A post like any other, long enough to be one and not much longer than that.',
    },
  };
}

function listCounts({ eventId, window }: MarketEvent, nowTs: number) {
  const until = Math.min(window.endTs, nowTs);
  return (['oracle', 'ui'] as const).flatMap((feed) =>
    Array.from({ length: 120 }, (_, i) => ({
      eventId,
      feed,
      count: i,
      observedTs: window.startTs + i * 80 * MINUTE_MS,
    })).filter(({ observedTs }) => observedTs < until),
  );
}

/** One forecast every five minutes with its distribution, then thinned by the retention rules. */
export function* listForecasts(event: MarketEvent, nowTs: number): Generator<ForecastRecord> {
  const { startTs, endTs } = event.window;
  const { forecastsDays, distributionsDays } = DEFAULT_RETENTION;
  let asofTs = startTs;
  while (asofTs < Math.min(endTs, nowTs)) {
    const ageMs = nowTs - asofTs;
    const nextTs = asofTs + (ageMs > forecastsDays * DAY_MS ? HOUR_MS : 5 * MINUTE_MS);
    const isScored = listHorizons(event.window).some(({ ts }) => asofTs <= ts && ts < nextTs);
    yield createForecast(event, asofTs, isScored || ageMs < distributionsDays * DAY_MS);
    asofTs = nextTs;
  }
}

export function createForecast(
  { eventId, accountId, buckets, window }: MarketEvent,
  asofTs: number,
  hasDistribution: boolean,
): ForecastRecord {
  const share = (asofTs - window.startTs) / WEEK_MS;
  const bucketProbabilities = buckets.map((_, i) => Math.exp(-(((i - 4 - share) / 2) ** 2)) / 3.5449);
  const marketPrices = buckets.map(
    (_, i) => Math.round((0.02 + ((i * 37 + Math.round(share * 100)) % 50) / 100) * 1_000) / 1_000,
  );
  return {
    ...{
      eventId,
      accountId,
      asofTs,
      countSoFar: Math.round(share * 110),
      p5: 90,
      p50: 110,
      p95: 140,
      distributionFrom: 0,
    },
    ...{
      distribution: hasDistribution ? DISTRIBUTION : [],
      bucketProbabilities,
      marketPrices,
      baselines: null,
    },
    ...{ modelVersion: '3.1.0', buildCommit: '0123456789abcdef' },
  };
}

/** Number of simulated paths shared by the open events. */
const PATHS = 512;

/** Inputs of an event's signals at its horizons, within their retention period. */
function* listGrounds(event: MarketEvent, nowTs: number): Generator<SignalGrounds> {
  const keptFromTs = nowTs - DEFAULT_RETENTION.forecastsDays * DAY_MS;
  for (const { ts } of listHorizons(event.window)) {
    if (ts < keptFromTs || ts >= nowTs) continue;
    const random = createRandom(event.eventId + ts);
    const open = Array.from({ length: OPEN_AT_ONCE }, () => ({
      buckets: event.buckets.flatMap(({ label }, i) =>
        ['yes', 'no'].map((side) => ({ label, side, ...createQuote('', ts, i), p: random.uniform() })),
      ),
      finals: Array.from({ length: PATHS }, () => 90 + Math.floor(60 * random.uniform())),
    }));
    const content = JSON.stringify(open);
    yield { accountId: event.accountId, asofTs: ts, content };
  }
}

const DISTRIBUTION = Array.from(
  { length: DISTRIBUTION_LENGTH },
  (_, i) => Math.exp(-(((i - 110) / 40) ** 2)) / 71,
);

/** All quotes of the last days, one per hour before that; none for events that ended before retention. */
function* listQuotes(events: readonly MarketEvent[], { nowTs, quotesDays }: YearPlan): Generator<Quote> {
  const keptFromTs = nowTs - quotesDays * DAY_MS;
  const wholeFromTs = nowTs - DEFAULT_RETENTION.quotesWholeDays * DAY_MS;
  for (const { window, buckets } of events) {
    if (window.endTs < keptFromTs) continue;
    for (const { yesTokenId } of buckets) {
      let observedTs = Math.max(window.startTs, keptFromTs);
      for (let i = 0; observedTs < Math.min(window.endTs, nowTs); i++) {
        yield createQuote(yesTokenId, observedTs, i);
        observedTs += observedTs < wholeFromTs ? HOUR_MS : Math.round(HOUR_MS / QUOTES_AN_HOUR);
      }
    }
  }
}

export function createQuote(tokenId: string, observedTs: number, i: number): Quote {
  const bid = 0.1 + (i % 7) / 100;
  return {
    tokenId,
    observedTs,
    bid,
    ask: bid + 0.01,
    bidShares: 1_000 + i,
    askShares: 900 + i,
    lastTradePrice: bid,
  };
}
