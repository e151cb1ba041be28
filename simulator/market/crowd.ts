// The crowd's probability of each bucket at a given time. It sees posts within seconds and filters the
// account's rate from them, as a forecaster does; its errors are seeded and smooth in time.

import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import { chance, hashNumbers, smoothNoise } from '../chance.ts';
import type { CountSlot } from '../event-calendar.ts';
import type { LabelledRange } from '../ladders.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import type { RateState } from '../posts/rate-path.ts';
import { type RegimeChange, regimeAt } from '../regime.ts';
import { estimateRate, type RateEstimate, smoothEstimate, varianceAhead } from './crowd-estimate.ts';
import { bucketShares, computeRemainingCount, type RemainingCount } from './remaining-count.ts';

/** fitted: as hard to beat as real ladders; easy: for demos; informed: knows the true rate. */
export const CROWD_SKILLS = ['fitted', 'easy', 'informed'] as const;
export type CrowdSkill = (typeof CROWD_SKILLS)[number];

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

/** Chosen so that the table of `lab market` matches real ladders. */
const ERRORS: Record<CrowdSkill, CrowdErrors> = {
  fitted: {
    insight: 0.22,
    levelSd: 0.04,
    lateLevelSd: 0.06,
    width: 0.79,
    lateWidth: 0.45,
    widthSd: 0.15,
    bucketSd: 0.08,
  },
  easy: {
    insight: 1,
    levelSd: 0.28,
    lateLevelSd: 0,
    width: 1,
    lateWidth: 0,
    widthSd: 0.1,
    bucketSd: 0.2,
  },
  informed: {
    insight: 1,
    levelSd: 0.03,
    lateLevelSd: 0,
    width: 1,
    lateWidth: 0,
    widthSd: 0,
    bucketSd: 0.03,
  },
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
  regimes: readonly RegimeChange[];
  seedKey: number;
  skill: CrowdSkill;
}

/** Probability of each bucket; sums to one. */
export function crowdShares(
  context: CrowdContext,
  slot: CountSlot,
  ranges: readonly LabelledRange[],
  ts: number,
): number[] {
  const { ledger } = context;
  const errors = ERRORS[context.skill];
  const key = hashNumbers(context.seedKey, slot.eventId);
  const seenTs = Math.max(slot.window.startTs, Math.min(ts - REACTION_MS, slot.window.endTs));
  const countSoFar = ledger.countIn(slot.window.startTs, seenTs);
  const rest = expectRest(context, errors, slot, ts);
  return blur(bucketShares(ranges, countSoFar, err(rest, errors, key, slot, ts)), key, errors.bucketSd, ts);
}

/** Before errors: the rate estimate determines the mean, its uncertainty the width. */
function expectRest(context: CrowdContext, errors: CrowdErrors, slot: CountSlot, ts: number): RemainingCount {
  const { ledger, regimes } = context;
  const regime = regimeAt(regimes, slot.accountId, ts);
  const shape = ledger.process.shapeFor(regime.sleepShiftHours).expected;
  const estimate = smoothEstimate((hourTs) => readEstimate(ledger, regimes, hourTs), ts);
  const state = lean(estimate, ledger.process.path.stateAt(ts), errors.insight);
  const rest = computeRemainingCount(ledger.parameters, shape, regime, state, ts, slot.window);
  const days = Math.max(0, slot.window.endTs - Math.max(ts, slot.window.startTs)) / DAY_MS;
  const unknown = (1 - errors.insight) ** 2 * varianceAhead(ledger.parameters, estimate, days);
  return widen(scale(rest, Math.exp(unknown / 2)), unknown);
}

function lean(from: RateState, to: RateState, share: number): RateState {
  return { slow: from.slow + share * (to.slow - from.slow), fast: from.fast + share * (to.fast - from.fast) };
}

/** The crowd knows its own error: its level error widens the distribution. */
function err(
  rest: RemainingCount,
  errors: CrowdErrors,
  key: number,
  slot: CountSlot,
  ts: number,
): RemainingCount {
  const aheadHours = Math.max(0, slot.window.endTs - ts) / HOUR_MS;
  const lateness = Math.exp(-aheadHours / LATE_HOURS);
  const sd = errors.levelSd + errors.lateLevelSd * lateness;
  const width =
    errors.width *
    (1 + errors.lateWidth * lateness) *
    Math.exp(errors.widthSd * smoothNoise(hashNumbers(key, 991), ts / (12 * HOUR_MS)));
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

function readEstimate(ledger: PostLedger, regimes: readonly RegimeChange[], hourTs: number): RateEstimate {
  const known = estimates.get(ledger.process) ?? new Map<number, RateEstimate>();
  estimates.set(ledger.process, known);
  const kept = known.get(hourTs);
  if (kept) return kept;
  const estimate = estimateRate(ledger, regimes, hourTs);
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
