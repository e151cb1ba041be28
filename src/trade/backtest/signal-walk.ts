// What the signals would have said at each horizon of past events, from what was known then, and what came of them.

import type { CountWindow, FeeSchedule } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { FORECAST_SEED } from '../../forecast/backtest/walk-forward.ts';
import { bucketProbabilities } from '../../forecast/distribution/distribution.ts';
import { createForecaster } from '../../forecast/forecaster.ts';
import type { AccountParameters } from '../../forecast/parameters.ts';
import { createTimeline } from '../../forecast/time/timeline.ts';
import type { PostHistory } from '../../forecast/types.ts';
import { buildAccountSignals } from '../advice/signals.ts';
import { type Basket, findSingleBucket, findTwoBucket } from '../advice/strategies.ts';
import { roundMicros } from '../decimal.ts';
import { type BeliefSample, estimateModelWeight, PRIOR_MODEL_WEIGHT, withBelief } from '../pricing/belief.ts';
import { computePnl } from '../record/paper-ledger.ts';
import type { RecordedSignal } from '../record/record.ts';
import { findBucket } from '../sizing/outcome-cells.ts';
import { DEFAULT_BANKROLL_USD } from '../sizing/sizing-rules.ts';
import type { EventSignals, PricedBucket, PricedEvent, SizingRules } from '../types.ts';
import type { LadderSnapshot, PricePoint } from './price-file.ts';

export interface SignalWalkPlan {
  history: PostHistory;
  parameters: AccountParameters;
  snapshots: readonly LadderSnapshot[];
  horizonsH: readonly number[];
  fee: FeeSchedule;
  rules: SizingRules;
  /** null: learned on the way, from events that were over by then. */
  modelWeight: number | null;
  /** What settled an event, where that is not the count of the history. */
  findFinal?: (window: CountWindow) => number | null;
}

/** What stood at one horizon of one event. */
export interface SignalStep {
  eventId: number;
  horizonH: number;
  snapshot: LadderSnapshot;
  final: number;
  probabilities: number[];
  modelWeight: number;
  /** Candidates of each strategy before any gate, with their outcome, so that other gates can be tried. */
  baskets: { basket: Basket; won: boolean }[];
  signals: RecordedSignal[];
}

/** Prices older than this at a horizon were not standing. */
const STALE_MS = 12 * HOUR_MS;
/** Half spread assumed where the file names no ask or bid: one cent. */
const ASSUMED_HALF_SPREAD = 0.01;

export function* walkSignals(plan: SignalWalkPlan): Generator<SignalStep> {
  const { createdTs, isCounted } = plan.history;
  const truth = createTimeline(plan.history).counted;
  const origins = listOrigins(plan, createdTs.at(-1) ?? 0);
  let shown = 0;
  const firstTs = origins[0]?.snapshot.ts ?? 0;
  while (shown < createdTs.length && createdTs[shown]! <= firstTs) shown += 1;
  const known = { createdTs: createdTs.slice(0, shown), isCounted: isCounted.slice(0, shown) };
  const forecaster = createForecaster(known, plan.parameters, FORECAST_SEED);
  const learner = createWeightLearner();
  for (const { snapshot, horizonH, eventId } of origins) {
    const { ts: asofTs, window } = snapshot;
    for (; shown < createdTs.length && createdTs[shown]! <= asofTs; shown++) {
      forecaster.observe(createdTs[shown]!, isCounted[shown] === 1);
    }
    const before = truth.countBefore(window.startTs);
    const countSoFar = truth.countUpTo(asofTs) - before;
    const forecast = forecaster.forecast({ window, asofTs, countSoFar });
    const probabilities = bucketProbabilities(forecast.distribution, snapshot.points, countSoFar);
    const modelWeight = plan.modelWeight ?? learner.weightAt(asofTs);
    const priced = toPricedEvent(eventId, snapshot, probabilities, forecast, plan.fee);
    const event = { ...priced, modelWeight };
    const final = plan.findFinal?.(window) ?? truth.countBefore(window.endTs) - before;
    learner.add(window.endTs, {
      eventId,
      model: probabilities,
      prices: snapshot.points.map((point) => point.price),
      winner: findBucket(snapshot.points, final),
    });
    yield judge(event, snapshot, horizonH, final, probabilities, plan);
  }
}

/** Ladders that must be added before the weight is estimated anew. */
const RELEARN_EVERY = 8;

/** The weight that events settled by then would have taught. */
function createWeightLearner() {
  const samples: { endTs: number; sample: BeliefSample }[] = [];
  let learned = { count: 0, weight: PRIOR_MODEL_WEIGHT };
  return {
    add: (endTs: number, sample: BeliefSample) => void samples.push({ endTs, sample }),
    weightAt(asofTs: number): number {
      const over = samples.filter(({ endTs }) => endTs <= asofTs);
      if (over.length >= learned.count + RELEARN_EVERY) {
        learned = { count: over.length, weight: estimateModelWeight(over.map(({ sample }) => sample)) };
      }
      return learned.weight;
    },
  };
}

interface Origin {
  snapshot: LadderSnapshot;
  horizonH: number;
  eventId: number;
}

/** The last prices at or before each horizon, of events whose final count is known; in order of time. */
function listOrigins({ snapshots, horizonsH }: SignalWalkPlan, lastPostTs: number): Origin[] {
  const events = new Map<string, LadderSnapshot[]>();
  for (const snapshot of snapshots) {
    const key = `${snapshot.window.startTs} ${snapshot.window.endTs}`;
    events.set(key, [...(events.get(key) ?? []), snapshot]);
  }
  const origins = [...events.values()].flatMap((ladders, index) => {
    const { startTs, endTs } = ladders[0]!.window;
    if (endTs > lastPostTs + DAY_MS) return [];
    return horizonsH.flatMap((horizonH) => {
      const horizonTs = endTs - horizonH * HOUR_MS;
      const standing = ladders.findLast(
        ({ ts }) => ts <= horizonTs && ts > horizonTs - STALE_MS && ts >= startTs,
      );
      return standing ? [{ snapshot: standing, horizonH, eventId: index + 1 }] : [];
    });
  });
  return origins.sort((a, b) => a.snapshot.ts - b.snapshot.ts);
}

function toPricedEvent(
  eventId: number,
  snapshot: LadderSnapshot,
  probabilities: readonly number[],
  forecast: { p50: number; modelSd: number },
  fee: FeeSchedule,
): PricedEvent {
  const { window, ts, points } = snapshot;
  return {
    eventId,
    title: `${window.startTs} to ${window.endTs}`,
    endTs: window.endTs,
    secondsRemaining: Math.floor((window.endTs - ts) / 1000),
    p50: forecast.p50,
    modelSd: forecast.modelSd,
    oracleCount: null,
    uiCount: null,
    buckets: points.map((point, i) => toPricedBucket(point, probabilities[i]!, fee, ts)),
    finals: null,
  };
}

function toPricedBucket(point: PricePoint, p: number, fee: FeeSchedule, observedTs: number): PricedBucket {
  const { label, lo, hi, price, size } = point;
  const ask = point.ask ?? roundMicros(price + ASSUMED_HALF_SPREAD);
  const bid = point.bid ?? roundMicros(Math.max(0, price - ASSUMED_HALF_SPREAD));
  const depth = { bidShares: size, askShares: size, lastTradePrice: null, observedTs };
  return {
    label,
    lo,
    hi,
    yesTokenId: label,
    noTokenId: `no ${label}`,
    // A price of 0 or 1 is a bucket that has been decided.
    isOpen: price > 0 && price < 1,
    tickSize: 0.01,
    minOrderShares: 5,
    fee,
    modelProbability: p,
    marketPrice: price,
    yesQuote: { tokenId: label, ask: ask < 1 ? ask : null, bid: bid > 0 ? bid : null, ...depth },
    noQuote: null,
  };
}

function judge(
  event: PricedEvent,
  snapshot: LadderSnapshot,
  horizonH: number,
  final: number,
  probabilities: number[],
  plan: SignalWalkPlan,
): SignalStep {
  const winner =
    event.buckets.find(({ lo, hi }) => final >= lo && (hi === null || final <= hi))?.label ?? null;
  const hasWon = (labels: readonly string[]) => winner !== null && labels.includes(winner);
  const believed = withBelief(event);
  const baskets = [findTwoBucket(believed, plan.rules), findSingleBucket(believed, plan.rules)].flatMap(
    (basket) => (basket ? [{ basket, won: hasWon(basket.buckets.map((bucket) => bucket.label)) }] : []),
  );
  const signals = buildAccountSignals([event], DEFAULT_BANKROLL_USD, plan.rules);
  const recorded = signals
    .flatMap((element) => listBets(element, event))
    .map(({ labels, ...bet }): RecordedSignal => {
      const won = hasWon(labels);
      return {
        ...bet,
        eventId: event.eventId,
        horizonH,
        asofTs: snapshot.ts,
        won,
        pnlUsd: computePnl(won, bet.shares, bet.stakeUsd),
        closingLineValue: findClosingLine(plan.snapshots, snapshot, labels, bet.costPerShare),
      };
    });
  const { eventId, modelWeight = PRIOR_MODEL_WEIGHT } = event;
  return { eventId, horizonH, snapshot, final, probabilities, modelWeight, baskets, signals: recorded };
}

type Bet = Pick<
  RecordedSignal,
  'confidence' | 'strategy' | 'modelProbability' | 'costPerShare' | 'shares' | 'stakeUsd'
> & { labels: readonly string[] };

function listBets(signals: EventSignals, event: PricedEvent): Bet[] {
  const byLabel = new Map(signals.signals.map((signal) => [signal.bucketLabel, signal]));
  const betOn = (labels: readonly string[], strategy: string | null, betUsd: number): Bet => {
    const parts = labels.map((label) => byLabel.get(label)!);
    const costPerShare = parts.reduce((sum, part) => sum + (part.costPerShare ?? 0), 0);
    const shares = Math.floor(betUsd / costPerShare + 1e-9);
    const modelProbability = parts.reduce((sum, part) => sum + part.believedProbability, 0);
    const stakeUsd = roundMicros(shares * costPerShare);
    return {
      labels,
      strategy,
      confidence: parts[0]!.confidence,
      modelProbability,
      costPerShare,
      shares,
      stakeUsd,
    };
  };
  const plain = event.buckets.flatMap(({ label }) => {
    const signal = byLabel.get(label)!;
    return signal.action === 'BUY' ? [betOn([label], null, signal.suggestedBetUsd)] : [];
  });
  return [
    ...plain,
    ...signals.buy.map((entry) => betOn(entry.buckets, entry.strategy, entry.suggestedBetUsd)),
  ];
}

/** Price of the first later ladder of the event at least an hour and at most a day on, minus the cost. */
function findClosingLine(
  snapshots: readonly LadderSnapshot[],
  { ts, window }: LadderSnapshot,
  labels: readonly string[],
  costPerShare: number,
): number | null {
  const later = snapshots.findLast(
    (other) =>
      other.window.startTs === window.startTs &&
      other.window.endTs === window.endTs &&
      other.ts >= ts + HOUR_MS &&
      other.ts <= ts + DAY_MS,
  );
  const prices = labels.map((label) => later?.points.find((point) => point.label === label)?.price);
  if (prices.some((price) => price === undefined)) return null;
  return roundMicros(prices.reduce((sum: number, price) => sum + price!, 0) - costPerShare);
}
