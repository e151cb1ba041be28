// An informed crowd's expectation for the rest of a window: mean, spread and bucket shares.

import type { CountWindow } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { easternHour } from '../eastern-time.ts';
import type { LabelledRange } from '../ladders.ts';
import type { RateState } from '../posts/rate-path.ts';
import { weekdayFactorAt } from '../posts/rate-path.ts';

export function countedShare(parameters: SimulatorAccountParameters): number {
  const { mix, countingRule } = parameters;
  const total = mix.reply + mix.repost + mix.quote + mix.original;
  const counted =
    (countingRule.replies ? mix.reply : 0) +
    (countingRule.reposts ? mix.repost : 0) +
    (countingRule.quotes ? mix.quote : 0) +
    mix.original;
  return counted / total;
}

export interface RemainingCount {
  mean: number;
  variance: number;
}

/** Starts from the rate's state at `fromTs` and covers the rest of the window. */
export function computeRemainingCount(
  parameters: SimulatorAccountParameters,
  expectedShape: readonly number[],
  state: RateState,
  fromTs: number,
  window: CountWindow,
): RemainingCount {
  const startTs = Math.max(fromTs, window.startTs);
  const days = (window.endTs - startTs) / DAY_MS;
  if (days <= 0) return { mean: 0, variance: 0 };
  const perDay = parameters.postsPerDay * countedShare(parameters);
  let mean = 0;
  for (let ts = startTs; ts < window.endTs; ) {
    // Steps by hours for the first day, then by days: the profile sums to one over a day.
    const isHourly = ts - startTs < DAY_MS || window.endTs - ts < DAY_MS;
    const stepMs = Math.min(isHourly ? HOUR_MS : DAY_MS, window.endTs - ts);
    const weight = isHourly ? expectedShape[Math.min(23, Math.floor(easternHour(ts)))]! : 1;
    const shareOfStep = stepMs / (isHourly ? HOUR_MS : DAY_MS);
    mean +=
      perDay *
      weight *
      shareOfStep *
      weekdayFactorAt(parameters, ts) *
      expectedLevel(parameters, state, ts - fromTs);
    ts += stepMs;
  }
  return { mean, variance: varianceOf(parameters, mean, days) };
}

/** Mean of exp(state) after `aheadMs`, given the state now; one in the long run. */
function expectedLevel(parameters: SimulatorAccountParameters, state: RateState, aheadMs: number): number {
  const slowKeep = Math.exp(-aheadMs / (parameters.slow.timeScaleDays * DAY_MS));
  const fastKeep = Math.exp(-aheadMs / (parameters.fast.timeScaleDays * DAY_MS));
  const { slow, fast } = parameters;
  return Math.exp(
    state.slow * slowKeep -
      (slow.sd * slowKeep) ** 2 / 2 +
      state.fast * fastKeep -
      (fast.sd * fastKeep) ** 2 / 2,
  );
}

function varianceOf(parameters: SimulatorAccountParameters, mean: number, days: number): number {
  const { slow, fast, dayNoiseSd } = parameters;
  const logVariance =
    slow.sd ** 2 * averagedShare(days / slow.timeScaleDays) +
    fast.sd ** 2 * averagedShare(days / fast.timeScaleDays) +
    dayNoiseSd ** 2 / Math.max(1, days);
  return mean * clumpingOf(parameters) + mean * mean * Math.expm1(logVariance);
}

/** Variance-to-mean ratio of a count at a known rate, because posts come in sessions. */
export function clumpingOf(parameters: SimulatorAccountParameters): number {
  return 1 + countedShare(parameters) * 2 * (parameters.session.meanPosts - 1);
}

/** Variance of the time average of a mean-reverting path with unit variance and a known start. */
function averagedShare(x: number): number {
  if (x < 1e-3) return (2 / 3) * x;
  return (2 * x - 3 + 4 * Math.exp(-x) - Math.exp(-2 * x)) / (x * x);
}

/**
 * Share of each bucket, given `countSoFar` and a negative-binomial remainder. A complete ladder sums to one.
 */
export function bucketShares(
  ranges: readonly LabelledRange[],
  countSoFar: number,
  rest: RemainingCount,
): Float64Array {
  const shares = new Float64Array(ranges.length);
  const size = rest.mean > 0 ? (rest.mean * rest.mean) / Math.max(1e-9, rest.variance - rest.mean) : 0;
  let mass = rest.mean > 0 ? Math.exp(-size * Math.log1p(rest.mean / size)) : 1;
  const ratio = rest.mean > 0 ? rest.mean / (size + rest.mean) : 0;
  let left = 1;
  let more = 0;
  /** Cumulative mass of every final count up to `limit`. */
  const takeUpTo = (limit: number): number => {
    let taken = 0;
    for (; countSoFar + more <= limit; more++) {
      taken += mass;
      mass *= (ratio * (size + more)) / (more + 1);
    }
    left -= taken;
    return taken;
  };
  takeUpTo(ranges[0]!.lo - 1);
  for (const [i, range] of ranges.entries())
    shares[i] = range.hi === null ? Math.max(0, left) : takeUpTo(range.hi);
  return shares;
}
