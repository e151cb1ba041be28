// A small frozen state from which responses for accounts A and B are recorded. It uses no shared fixture, so that
// it never changes by accident.

import type { FeedName, FeedStatus } from '../../../src/domain/feed.ts';
import type { MarketBucket, MarketEvent } from '../../../src/domain/market-event.ts';
import type { WalletPosition } from '../../../src/domain/position.ts';
import type { CapturedPost } from '../../../src/domain/post.ts';
import type { Quote } from '../../../src/domain/quote.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/domain/units.ts';
import type { AccountSnapshot, EventState } from '../../../src/state/snapshot.ts';
import type { ForecastScore, SignalRecord, Store } from '../../../src/store/ports.ts';
import { evidenceOf } from '../../support/priced-event.ts';
import { NOW_TS as START_TS } from '../fixture.ts';

/** A minute after startup, when the service has loaded the results of its past signals. */
export const NOW_TS = START_TS + MINUTE_MS + 4 * SECOND_MS;
export const SCENE_WALLET = `0x${'5c'.repeat(20)}`;

interface Plan {
  eventId: number;
  title: string;
  startTs: number;
  endTs: number;
  /** Lower bounds of all buckets except the first, which starts at 0. */
  bounds: readonly number[];
  probabilities: readonly number[] | null;
  /** Yes bid per bucket; the ask is `spread` higher. null without a book. */
  bids: readonly (number | null)[];
  spread: number;
  feeRate: number;
  percentiles: readonly [number, number, number];
  counters: readonly [real: number, oracle: number | null, ui: number | null];
}

/** A: cheap favourites, an expensive long shot, a bucket without a book, an event without a forecast. */
const PLANS: Record<string, readonly Plan[]> = {
  a: [
    {
      eventId: 3001,
      title: 'Account A # tweets March 8 - March 11, 2026?',
      startTs: NOW_TS - 2 * DAY_MS,
      endTs: NOW_TS + 20 * HOUR_MS,
      bounds: [40, 60, 80, 100, 120],
      probabilities: [0.01, 0.05, 0.21, 0.46, 0.2, 0.07],
      bids: [0.08, 0.11, 0.17, 0.3, 0.18, null],
      spread: 0.01,
      feeRate: 0.05,
      percentiles: [61, 88, 122],
      counters: [52, 49, 47],
    },
    {
      eventId: 3002,
      title: 'Account A # tweets March 6 - March 13, 2026?',
      startTs: NOW_TS - 4 * DAY_MS,
      endTs: NOW_TS + 60 * HOUR_MS,
      bounds: [100, 140, 180],
      probabilities: [0.03, 0.93, 0.03, 0.01],
      bids: [0.1, 0.7, 0.09, 0.06],
      spread: 0.02,
      feeRate: 0,
      percentiles: [104, 118, 133],
      counters: [88, 88, 88],
    },
    {
      eventId: 3003,
      title: 'Account A # tweets in March 2026?',
      startTs: NOW_TS - 9 * DAY_MS,
      endTs: NOW_TS + 21 * DAY_MS,
      bounds: [400, 800],
      probabilities: null,
      bids: [0.2, 0.4, 0.35],
      spread: 0.03,
      feeRate: 0.05,
      percentiles: [0, 0, 0],
      counters: [210, null, null],
    },
  ],
  b: [
    {
      eventId: 4001,
      title: 'Account B # posts March 9 - March 11, 2026?',
      startTs: NOW_TS - DAY_MS,
      endTs: NOW_TS + 30 * HOUR_MS,
      bounds: [10, 20, 30, 40],
      probabilities: [0.02, 0.18, 0.55, 0.2, 0.05],
      bids: [0.12, 0.3, 0.28, 0.1, 0.15],
      spread: 0.03,
      feeRate: 0.05,
      percentiles: [13, 25, 38],
      counters: [12, 12, 11],
    },
    {
      eventId: 4002,
      title: 'Account B # posts March 6 - March 13, 2026?',
      startTs: NOW_TS - 4 * DAY_MS,
      endTs: NOW_TS + 80 * HOUR_MS,
      bounds: [60, 90, 120],
      probabilities: [0.08, 0.62, 0.25, 0.05],
      bids: [0.05, 0.6, 0.24, 0.04],
      spread: 0.01,
      feeRate: 0.05,
      percentiles: [57, 80, 111],
      counters: [48, 45, 45],
    },
  ],
};

export function sceneSnapshot(accountId: string): AccountSnapshot {
  const states = PLANS[accountId]!.map((plan) => toState(accountId, plan));
  const quotes = PLANS[accountId]!.flatMap(toQuotes);
  const posts = Array.from({ length: 40 }, (_, i) => scenePost(accountId, i));
  return {
    accountId,
    version: 1,
    takenTs: NOW_TS,
    events: states,
    quotes: Object.fromEntries(quotes.map((quote) => [quote.tokenId, quote])),
    feeds: sceneFeeds(),
    activity: { asofTs: NOW_TS, sleepProbability: 0.0625, velocityCounted1h: 2, velocityAll1h: 4 },
    jointFinals: null,
    evidence: evidenceOf(0.7),
    recentPosts: posts,
    totalPosts: posts.length,
    captureDelay: { medianMs: 11_500, p90Ms: 13_000, p99Ms: 28_200, sampleSize: 40 },
  };
}

/** Posts, scores and settled signals, as in the store. */
export async function fillStore(store: Store): Promise<void> {
  for (const accountId of ['a', 'b']) {
    await store.posts.recordCaptures(Array.from({ length: 40 }, (_, i) => scenePost(accountId, i)));
    await store.scores.upsert(
      [24, 48, 72].flatMap((horizonH) => [0, 1, 2].map((i) => score(accountId, horizonH, i))),
    );
    await store.signals.record([0, 1, 2, 3].map((i) => signal(accountId, i)));
    await store.signals.settle([0, 1, 2].map((i) => ({ ...signal(accountId, i), ...outcome(i) })));
  }
  await store.annotations.add({ ts: NOW_TS - 3 * DAY_MS, label: 'model m1', commit: 'abc1234' });
}

export function scenePositions(): WalletPosition[] {
  return [
    position(3001, 2, 'Yes', 120),
    position(3001, 0, 'No', 40),
    position(3002, 1, 'Yes', 15),
    position(4001, 1, 'Yes', 80),
    position(4002, 2, 'No', 60),
  ];
}

function toState(accountId: string, plan: Plan): EventState {
  const [real, oracle, ui] = plan.counters;
  return {
    event: toEvent(accountId, plan),
    counters: { real, oracle, ui },
    oracleUpdatedTs: oracle === null ? null : NOW_TS - 3_000,
    uiUpdatedTs: ui === null ? null : NOW_TS - 4_000,
    forecast: plan.probabilities && {
      eventId: plan.eventId,
      asofTs: NOW_TS - 1_000,
      countSoFar: real,
      p5: plan.percentiles[0],
      p50: plan.percentiles[1],
      p95: plan.percentiles[2],
      bucketProbabilities: plan.probabilities,
      modelSd: 0.02,
      modelVersion: 'm1',
      buildCommit: 'abc1234',
    },
  };
}

function toEvent(accountId: string, plan: Plan): MarketEvent {
  const bounds = [0, ...plan.bounds];
  return {
    eventId: plan.eventId,
    accountId,
    title: plan.title,
    slug: `event-${plan.eventId}`,
    image: `https://images.example/${plan.eventId}.png`,
    window: { startTs: plan.startTs, endTs: plan.endTs },
    buckets: bounds.map((lo, i) => toBucket(plan, i, lo, bounds[i + 1])),
    isClosed: false,
  };
}

function toBucket(plan: Plan, index: number, lo: number, next: number | undefined): MarketBucket {
  const id = `${plan.eventId}-${index}`;
  const label = next === undefined ? `${lo}+` : lo === 0 ? `<${next}` : `${lo}-${next - 1}`;
  return {
    lo,
    hi: next === undefined ? null : next - 1,
    label,
    marketId: `market-${id}`,
    conditionId: `condition-${id}`,
    yesTokenId: `yes-${id}`,
    noTokenId: `no-${id}`,
    isOpen: !(plan.eventId === 3001 && index === 0),
    tickSize: 0.01,
    minOrderShares: 5,
    fee: { rate: plan.feeRate, exponent: 1 },
    listedPrice: 0.12,
  };
}

function toQuotes(plan: Plan): Quote[] {
  return plan.bids.flatMap((bid, index) => {
    if (bid === null) return [];
    const ask = round(bid + plan.spread);
    const shared = { bidShares: 900, askShares: 700, lastTradePrice: null, observedTs: NOW_TS - 2_000 };
    return [
      { ...shared, tokenId: `yes-${plan.eventId}-${index}`, bid, ask },
      { ...shared, tokenId: `no-${plan.eventId}-${index}`, bid: round(1 - ask), ask: round(1 - bid) },
    ];
  });
}

function sceneFeeds(): FeedStatus[] {
  const names: FeedName[] = ['own', 'oracle', 'ui', 'market', 'prices'];
  return names.map((feed) => ({ feed, updatedTs: NOW_TS - 2_000, staleAfterMs: 60_000, problem: null }));
}

function scenePost(accountId: string, index: number): CapturedPost {
  const isReply = index % 4 === 1;
  const createdTs = NOW_TS - (index + 1) * 47 * MINUTE_MS;
  return {
    accountId,
    postId: String(70_000 - index),
    createdTs,
    text: `${accountId} says "${index}" & more – ü`,
    isReply,
    isQuote: index % 5 === 2,
    isRetweet: index % 5 === 3 && !isReply,
    isSelfReply: false,
    isCommunity: false,
    rootPostId: String(70_000 - index),
    firstSeenTs: createdTs + 11_500,
    deletedTs: index === 3 ? createdTs + 10 * MINUTE_MS : null,
    isCounted: !isReply,
  };
}

function score(accountId: string, horizonH: number, index: number): ForecastScore {
  const finalCount = 100 + 20 * index;
  const p50 = finalCount + (index - 1) * (horizonH / 6);
  return {
    eventId: (accountId === 'a' ? 2900 : 3900) + index,
    accountId,
    horizonH,
    endTs: NOW_TS - (index + 1) * DAY_MS,
    finalCount,
    p50,
    errorPercent: (Math.abs(p50 - finalCount) / finalCount) * 100,
    crps: 3 + index,
    logScore: -3.5,
    bucketLogScore: -0.75,
    pitLow: 0.375,
    pitHigh: 0.4375,
    isInside50: index !== 1,
    isInside90: true,
    buckets: [
      { probability: 0.25, won: false, marketPrice: 0.5 },
      { probability: 0.75, won: true, marketPrice: 0.5 },
    ],
    baselines: { market: { crps: null, bucketLogScore: -1, p50: null } },
    modelVersion: 'm1',
    scoredTs: NOW_TS - index * DAY_MS,
  };
}

function signal(accountId: string, index: number): SignalRecord {
  return {
    eventId: (accountId === 'a' ? 2900 : 3900) + index,
    accountId,
    horizonH: 24,
    bucketLabel: '100-119',
    tokenId: `old-${accountId}-${index}`,
    confidence: index === 0 ? 'HIGH' : 'MEDIUM',
    strategy: index === 1 ? 'SINGLE_BUCKET' : index === 2 ? 'TWO_BUCKET' : null,
    modelProbability: 0.75,
    edgeKind: 'model',
    winProbability: 0.625,
    marketPrice: 0.5,
    costPerShare: 0.53125,
    feePerShare: 0.0125,
    shares: 40,
    stakeUsd: 21.25,
    asofTs: NOW_TS - (index + 2) * DAY_MS,
    won: null,
    pnlUsd: null,
    closingLineValue: null,
    settledTs: null,
  };
}

function outcome(index: number): Pick<SignalRecord, 'won' | 'pnlUsd' | 'closingLineValue' | 'settledTs'> {
  const won = index !== 1;
  const settledTs = NOW_TS - (index + 1) * DAY_MS;
  return { won, pnlUsd: won ? 18.75 : -21.25, closingLineValue: 0.0625, settledTs };
}

function position(eventId: number, index: number, side: 'Yes' | 'No', shares: number): WalletPosition {
  const plan = [...PLANS.a!, ...PLANS.b!].find((candidate) => candidate.eventId === eventId)!;
  const yes = round(plan.bids[index]! + plan.spread / 2);
  const currentPrice = side === 'Yes' ? yes : round(1 - yes);
  return {
    wallet: SCENE_WALLET,
    tokenId: `${side.toLowerCase()}-${eventId}-${index}`,
    conditionId: `condition-${eventId}-${index}`,
    eventId,
    eventSlug: `event-${eventId}`,
    side,
    shares,
    avgPrice: 0.25,
    costUsd: shares * 0.25,
    currentPrice,
    currentValueUsd: round(shares * currentPrice),
    isRedeemable: false,
  };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
