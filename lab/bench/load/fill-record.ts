// A store with a long record: sealed hours, scored events, paper trades, and one event with as much of everything
// as an event can have.

import type { MarketEvent } from '../../../src/domain/market-event.ts';
import type { CapturedPost } from '../../../src/domain/post.ts';
import { RECOMPUTED_MARK } from '../../../src/domain/scored-horizons.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/units.ts';
import { createRandom, type Random } from '../../../src/runtime/random.ts';
import type { ForecastScore, SignalRecord, Store } from '../../../src/store/ports.ts';

/** More hours than the service keeps prepared. */
export const SEALED_HOURS = 20;
export const ENTRIES_PER_HOUR = 1_250;
export const FIRST_HOUR_TS = Date.UTC(2026, 0, 1);
export const BUSY_EVENT_ID = 900_000;
const SCORED_EVENTS = 400;
const BUCKETS = 24;
const SEALED_EVENTS = 12;
/** 90 a day. */
const POSTS = 16_200;
export const BUSY_EVENTS = 9;

const FORECAST_EVERY_MS = 5 * MINUTE_MS;

export async function fillRecord(store: Store, nowTs: number): Promise<void> {
  const random = createRandom(1);
  await sealHours(store, random);
  for (let event = 0; event < SCORED_EVENTS; event++) {
    const scores = [24, 48, 72].map((horizonH) => drawScore(event, horizonH, nowTs, random));
    await store.scores.upsert(scores);
    await store.signals.record([drawSignal(scores[0]!, random)]);
  }
  await fillPosts(store, nowTs);
  for (let i = 0; i < BUSY_EVENTS; i++) await fillBusyEvent(store, i, nowTs, random);
}

async function sealHours(store: Store, random: Random): Promise<void> {
  for (let hour = 0; hour < SEALED_HOURS; hour++) {
    const recordedTs = FIRST_HOUR_TS + hour * HOUR_MS;
    const drafts = Array.from({ length: ENTRIES_PER_HOUR }, (_, index) => ({
      ...{
        kind: 'forecast' as const,
        account: 'a',
        event: BUSY_EVENT_ID + (index % SEALED_EVENTS),
        asofTs: recordedTs,
      },
      ...{ recordedTs, isRecomputed: false },
      content: { probabilities: drawProbabilities(random) },
    }));
    await store.seals.append(drafts);
    await store.seals.sealNext(recordedTs + HOUR_MS);
  }
}

function drawProbabilities(random: Random): number[] {
  return Array.from({ length: BUCKETS }, () => Math.round(random.uniform() * 1e6) / 1e6);
}

/** Ends are spread over the last year, as far as the history of errors looks back. */
function drawScore(event: number, horizonH: number, nowTs: number, { uniform }: Random): ForecastScore {
  const finalCount = Math.round(100 + 100 * uniform());
  const baseline = () => ({ crps: 10 * uniform(), bucketLogScore: 2 * uniform(), p50: finalCount });
  const endTs = nowTs - Math.round(((event + 1) / (SCORED_EVENTS + 1)) * 360 * DAY_MS);
  return {
    ...{ eventId: 800_000 + event, accountId: event % 2 ? 'a' : 'b', horizonH, endTs, finalCount },
    ...{ p50: finalCount + 10 * uniform(), errorPercent: 10 * uniform(), crps: 5 * uniform() },
    ...{ logScore: 3 * uniform(), bucketLogScore: 2 * uniform(), pitLow: uniform() / 2, pitHigh: 1 },
    ...{ isInside50: uniform() < 0.5, isInside90: uniform() < 0.9, scoredTs: endTs },
    modelVersion: event % 4 === 0 ? 'bench' : `bench${RECOMPUTED_MARK}`,
    buckets: Array.from({ length: BUCKETS }, (_, index) => ({
      ...{ probability: 1 / BUCKETS, won: index === event % BUCKETS, marketPrice: 0.03 + 0.02 * uniform() },
    })),
    baselines: Object.fromEntries(['market', 'pace', 'negbin', 'pool'].map((name) => [name, baseline()])),
  };
}

function drawSignal({ eventId, accountId, endTs }: ForecastScore, { uniform }: Random): SignalRecord {
  const won = uniform() < 0.4;
  return {
    ...{ eventId, accountId, horizonH: 24, bucketLabel: '100-119', tokenId: 'yes', confidence: 'HIGH' },
    ...{ strategy: null, modelProbability: 0.45, edgeKind: 'model', winProbability: 0.3 + 0.2 * uniform() },
    ...{ marketPrice: 0.4, costPerShare: 0.41, feePerShare: 0.01, shares: 100, stakeUsd: 41 },
    ...{ asofTs: endTs - DAY_MS, won, pnlUsd: won ? 59 : -41, closingLineValue: 0.01, settledTs: endTs },
  };
}

/** Half a year of posts, which profiles and hourly counts are computed from. */
async function fillPosts(store: Store, nowTs: number): Promise<void> {
  const stepMs = (180 * DAY_MS) / POSTS;
  for (let from = 0; from < POSTS; from += 1_800)
    await store.posts.recordCaptures(
      Array.from({ length: 1_800 }, (_, i) =>
        writePost(1_000_000 + from + i, nowTs - (from + i + 1) * stepMs),
      ),
    );
}

function writePost(id: number, createdTs: number): CapturedPost {
  const postId = String(id);
  return {
    ...{ accountId: 'a', postId, rootPostId: postId, createdTs, text: `Post ${id}, long enough to be one.` },
    ...{ isReply: id % 3 === 0, isQuote: false, isRetweet: false, isSelfReply: false, isCommunity: false },
    ...{ firstSeenTs: createdTs + 500, deletedTs: null, isCounted: id % 3 !== 0, firstSource: 'x' },
  };
}

async function fillBusyEvent(store: Store, index: number, nowTs: number, random: Random): Promise<void> {
  const endTs = Math.floor(nowTs / DAY_MS) * DAY_MS - (4 + 7 * index) * DAY_MS;
  const event = createBusyEvent(BUSY_EVENT_ID + index, endTs - 7 * DAY_MS, endTs);
  const { eventId, accountId, window } = event;
  await store.events.upsert([event]);
  const page = { fromTs: window.startTs, untilTs: window.endTs, limit: POSTS, after: null };
  const posts = await store.posts.listPage(accountId, page);
  for (const feed of ['oracle', 'ui'] as const)
    await store.counts.record(
      posts.map(({ createdTs }, i) => ({ eventId, feed, count: i, observedTs: createdTs + MINUTE_MS })),
    );
  const forecasts = Array.from({ length: (7 * DAY_MS) / FORECAST_EVERY_MS }, (_, i) => ({
    ...{ eventId, accountId, asofTs: window.startTs + i * FORECAST_EVERY_MS, countSoFar: i },
    ...{ p5: 900, p50: 1_300, p95: 1_600, distributionFrom: 0, distribution: [1] },
    ...{ bucketProbabilities: drawProbabilities(random), marketPrices: drawProbabilities(random) },
    ...{ baselines: null, modelVersion: 'bench', buildCommit: 'bench' },
  }));
  for (let from = 0; from < forecasts.length; from += 500)
    await store.forecasts.record(forecasts.slice(from, from + 500));
  // Texts of sealed entries are public once their event is settled.
  for (let id = eventId; id < eventId + SEALED_EVENTS; id += BUSY_EVENTS)
    await store.settlements.record({
      ...{ eventId: id, accountId, winningLabel: '60-119', source: 'oracle' },
      ...{ settledTs: endTs, finalCount: 100 },
    });
}

function createBusyEvent(eventId: number, startTs: number, endTs: number): MarketEvent {
  return {
    ...{ eventId, accountId: 'a', title: 'A busy week', slug: 'busy-week', image: '' },
    ...{ window: { startTs, endTs }, isClosed: true },
    buckets: Array.from({ length: BUCKETS }, (_, i) => ({
      ...{ label: `${i * 60}-${i * 60 + 59}`, lo: i * 60, hi: i === BUCKETS - 1 ? null : i * 60 + 59 },
      ...{ marketId: `m${i}`, conditionId: `c${i}`, yesTokenId: `yes${i}`, noTokenId: `no${i}` },
      ...{
        isOpen: false,
        tickSize: 0.001,
        minOrderShares: 5,
        fee: { rate: 0, exponent: 1 },
        listedPrice: null,
      },
    })),
  };
}
