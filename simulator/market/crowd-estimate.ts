// A careful trader's estimate from recent posts: a Kalman filter of the two-part log rate on daily counts.
// Real prices follow the posts of the last days; a crowd that knew the true rate would differ too much from
// any forecast.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import { type RateState, weekdayFactorAt } from '../posts/rate-path.ts';
import { clumpingOf, countedShare } from './remaining-count.ts';

/** Mean and covariance of the state. */
export interface RateEstimate extends RateState {
  slowVariance: number;
  covariance: number;
  fastVariance: number;
}

/** Older counts carry no information about today's rate. */
const DAYS_READ = 60;
/** Keeps a day without posts finite on the log scale. */
const HALF_POST = 0.5;
/** Fewer posts per day carry little information about the rate. */
const MIN_DAILY_POSTS = 2;

/** As of the last full hour, from posts up to then. */
export function estimateRate(ledger: PostLedger, hourTs: number): RateEstimate {
  const { parameters } = ledger;
  let estimate = startEstimate(parameters);
  const days = Math.min(DAYS_READ, Math.floor((hourTs - ledger.oldestTs) / DAY_MS));
  for (let day = days; day >= 1; day--) {
    const startTs = hourTs - day * DAY_MS;
    const expected = typicalDailyCount(parameters, startTs + DAY_MS / 2);
    estimate = learnFromDay(
      parameters,
      passDay(parameters, estimate),
      ledger.countIn(startTs, startTs + DAY_MS),
      expected,
    );
  }
  return estimate;
}

function startEstimate({ slow, fast }: SimulatorAccountParameters): RateEstimate {
  return { slow: 0, fast: 0, slowVariance: slow.sd ** 2, covariance: 0, fastVariance: fast.sd ** 2 };
}

/** Counted posts on a day when the rate state is zero. */
function typicalDailyCount(parameters: SimulatorAccountParameters, ts: number): number {
  const { slow, fast, postsPerDay } = parameters;
  const meanOne = Math.exp(-(slow.sd ** 2 + fast.sd ** 2) / 2);
  return postsPerDay * countedShare(parameters) * weekdayFactorAt(parameters, ts) * meanOne;
}

function passDay({ slow, fast }: SimulatorAccountParameters, from: RateEstimate): RateEstimate {
  const slowKeep = Math.exp(-1 / slow.timeScaleDays);
  const fastKeep = Math.exp(-1 / fast.timeScaleDays);
  return {
    slow: from.slow * slowKeep,
    fast: from.fast * fastKeep,
    slowVariance: from.slowVariance * slowKeep ** 2 + (1 - slowKeep ** 2) * slow.sd ** 2,
    covariance: from.covariance * slowKeep * fastKeep,
    fastVariance: from.fastVariance * fastKeep ** 2 + (1 - fastKeep ** 2) * fast.sd ** 2,
  };
}

function learnFromDay(
  parameters: SimulatorAccountParameters,
  before: RateEstimate,
  count: number,
  expected: number,
): RateEstimate {
  const dayVariance = parameters.dayNoiseSd ** 2;
  const estimated = Math.max(MIN_DAILY_POSTS, expected * Math.exp(before.slow + before.fast));
  const noise = dayVariance + clumpingOf(parameters) / estimated;
  const seen = Math.log((count + HALF_POST) / (expected + HALF_POST));
  const surprise = seen - (before.slow + before.fast - dayVariance / 2);
  const slowPart = before.slowVariance + before.covariance;
  const fastPart = before.covariance + before.fastVariance;
  const slowGain = slowPart / (slowPart + fastPart + noise);
  const fastGain = fastPart / (slowPart + fastPart + noise);
  return {
    slow: before.slow + slowGain * surprise,
    fast: before.fast + fastGain * surprise,
    slowVariance: before.slowVariance - slowGain * slowPart,
    covariance: before.covariance - slowGain * fastPart,
    fastVariance: before.fastVariance - fastGain * fastPart,
  };
}

/** Variance of the log mean rate over the days ahead, due to uncertainty about today's state. */
export function varianceAhead(
  { slow, fast }: SimulatorAccountParameters,
  estimate: RateEstimate,
  days: number,
): number {
  const slowShare = averageKeep(days / slow.timeScaleDays);
  const fastShare = averageKeep(days / fast.timeScaleDays);
  return (
    estimate.slowVariance * slowShare ** 2 +
    2 * estimate.covariance * slowShare * fastShare +
    estimate.fastVariance * fastShare ** 2
  );
}

/** Mean of exp(-t) over [0, x]. */
function averageKeep(x: number): number {
  return x < 1e-6 ? 1 : -Math.expm1(-x) / x;
}

/** Interpolates between the last two full hours, so that prices drift instead of jumping on the hour. */
export function smoothEstimate(estimateAt: (hourTs: number) => RateEstimate, ts: number): RateEstimate {
  const hourTs = Math.floor(ts / HOUR_MS) * HOUR_MS;
  const share = (ts - hourTs) / HOUR_MS;
  const before = estimateAt(hourTs - HOUR_MS);
  const after = estimateAt(hourTs);
  const between = (key: keyof RateEstimate) => before[key] + share * (after[key] - before[key]);
  return {
    slow: between('slow'),
    fast: between('fast'),
    slowVariance: between('slowVariance'),
    covariance: between('covariance'),
    fastVariance: between('fastVariance'),
  };
}
