// The crowd's probability of each bucket at a given time. It sees posts within seconds and filters the
// account's rate from them, as a forecaster does; its errors are seeded and smooth in time.

import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import { chance, hashNumbers, smoothNoise } from '../chance.ts';
import type { CountSlot } from '../event-calendar.ts';
import type { LabelledRange } from '../ladders.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import type { RateState } from '../posts/rate-path.ts';
import { estimateRate, type RateEstimate, smoothEstimate, varianceAhead } from './crowd-estimate.ts';
import { bucketShares, computeRemainingCount, type RemainingCount } from './remaining-count.ts';

interface CrowdErrors {
  /** Share of the gap between filtered and true rate that the crowd knows from other information. */
  insight: number;
  /** Error of the log expected remainder: far from the end, and extra near the end. */
  levelSd: number;
  lateLevelSd: number;
  /** Width of the crowd's distribution relative to what it knows, and the extra width near the end. */
  width: number;
  lateWidth: number;
  /** Error of the log width. */
  widthSd: number;
  /** Error of a single bucket's log price. */
  bucketSd: number;
}

/** Chosen so that the crowd is as hard to beat as the prices of real ladders. */
const ERRORS: CrowdErrors = {
  insight: 0.22,
  levelSd: 0.04,
  lateLevelSd: 0.06,
  width: 0.79,
  lateWidth: 0.45,
  widthSd: 0.15,
  bucketSd: 0.08,
};

/** How long the crowd takes to notice a post; measured by others: 61 % of the move within a second. */
const REACTION_MS = 1.5 * SECOND_MS;
/** Lead over which the late errors fade. */
const LATE_HOURS = 30;
/** An event's level error oscillates with a period of 100 to 150 hours. */
const SWING_HOURS = 100;
const ESTIMATES_KEPT = 500;

export interface CrowdContext {
  ledger: PostLedger;
  seedKey: number;
}

/** Probability of each bucket; sums to one. */
export function crowdShares(
  context: CrowdContext,
  slot: CountSlot,
  ranges: readonly LabelledRange[],
  ts: number,
): number[] {
  const { ledger } = context;
  const key = hashNumbers(context.seedKey, slot.eventId);
  const seenTs = Math.max(slot.window.startTs, Math.min(ts - REACTION_MS, slot.window.endTs));
  const countSoFar = ledger.countIn(slot.window.startTs, seenTs);
  const rest = err(expectRest(ledger, slot, ts), key, slot, ts);
  return blur(bucketShares(ranges, countSoFar, rest), key, ERRORS.bucketSd, ts);
}

/** Before errors: the rate estimate determines the mean, its uncertainty the width. */
function expectRest(ledger: PostLedger, slot: CountSlot, ts: number): RemainingCount {
  const { expected } = ledger.process.shape;
  const estimate = smoothEstimate((hourTs) => readEstimate(ledger, hourTs), ts);
  const state = lean(estimate, ledger.process.path.stateAt(ts), ERRORS.insight);
  const rest = computeRemainingCount(ledger.parameters, expected, state, ts, slot.window);
  const days = Math.max(0, slot.window.endTs - Math.max(ts, slot.window.startTs)) / DAY_MS;
  const unknown = (1 - ERRORS.insight) ** 2 * varianceAhead(ledger.parameters, estimate, days);
  return widen(scale(rest, Math.exp(unknown / 2)), unknown);
}

function lean(from: RateState, to: RateState, share: number): RateState {
  return { slow: from.slow + share * (to.slow - from.slow), fast: from.fast + share * (to.fast - from.fast) };
}

/** The crowd knows its own error: its level error widens the distribution. */
function err(rest: RemainingCount, key: number, slot: CountSlot, ts: number): RemainingCount {
  const aheadHours = Math.max(0, slot.window.endTs - ts) / HOUR_MS;
  const lateness = Math.exp(-aheadHours / LATE_HOURS);
  const sd = ERRORS.levelSd + ERRORS.lateLevelSd * lateness;
  const width =
    ERRORS.width *
    (1 + ERRORS.lateWidth * lateness) *
    Math.exp(ERRORS.widthSd * smoothNoise(hashNumbers(key, 991), ts / (12 * HOUR_MS)));
  const { mean, variance } = widen(scale(rest, Math.exp(sd * swing(key, ts))), sd ** 2);
  return { mean, variance: variance * width ** 2 };
}

function scale({ mean, variance }: RemainingCount, factor: number): RemainingCount {
  return { mean: mean * factor, variance: variance * factor ** 2 };
}

function widen({ mean, variance }: RemainingCount, logVariance: number): RemainingCount {
  return { mean, variance: variance + mean ** 2 * Math.expm1(logVariance) };
}

/** Unit variance and bounded, because real gaps between price and model have no long tail. */
function swing(key: number, ts: number): number {
  const hours = SWING_HOURS * (1 + chance(key, 8) / 2);
  return Math.SQRT2 * Math.sin(2 * Math.PI * (chance(key, 7) + ts / (hours * HOUR_MS)));
}

/** Cached per posting process: all venues of an account share a crowd, even under different rules. */
const estimates = new WeakMap<PostLedger['process'], Map<number, RateEstimate>>();

function readEstimate(ledger: PostLedger, hourTs: number): RateEstimate {
  const known = estimates.get(ledger.process) ?? new Map<number, RateEstimate>();
  estimates.set(ledger.process, known);
  const kept = known.get(hourTs);
  if (kept) return kept;
  const estimate = estimateRate(ledger, hourTs);
  if (known.size >= ESTIMATES_KEPT) known.delete(known.keys().next().value!);
  known.set(hourTs, estimate);
  return estimate;
}

function blur(shares: Float64Array, key: number, sd: number, ts: number): number[] {
  const blurred = Array.from(shares, (share, i) =>
    share === 0 ? 0 : share * Math.exp(sd * smoothNoise(hashNumbers(key, i + 1), ts / (2 * HOUR_MS))),
  );
  // Errors move mass between buckets but preserve the total, even if a ladder covers only some counts.
  const before = shares.reduce((sum, share) => sum + share, 0);
  const after = blurred.reduce((sum, share) => sum + share, 0) || 1;
  return blurred.map((share) => (share * before) / after);
}
