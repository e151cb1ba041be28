// The account's log rate over time: two mean-reverting components stepped hourly from the anchor, and a daily
// factor. Posts are drawn from it, and the crowd knows part of it.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { normalChance } from '../chance.ts';
import { easternDayNumber, easternHour, weekdayOf } from '../eastern-time.ts';
import { meanAwakeShares } from './sleep-schedule.ts';

export interface RateState {
  slow: number;
  fast: number;
}

export interface RatePath {
  /** State at the start of the hour; the path must already extend that far. */
  stateAt(ts: number): RateState;
  extendTo(ts: number): void;
}

export function createRatePath(
  parameters: SimulatorAccountParameters,
  key: number,
  anchorTs: number,
): RatePath {
  const slow: number[] = [parameters.slow.sd * normalChance(key, 1)];
  const fast: number[] = [parameters.fast.sd * normalChance(key, 2)];
  const slowKeep = Math.exp(-HOUR_MS / (parameters.slow.timeScaleDays * DAY_MS));
  const fastKeep = Math.exp(-HOUR_MS / (parameters.fast.timeScaleDays * DAY_MS));

  function step(): void {
    const hour = slow.length;
    slow.push(slowKeep * slow.at(-1)! + shock(slowKeep, parameters.slow.sd, normalChance(key, hour, 3)));
    fast.push(fastKeep * fast.at(-1)! + shock(fastKeep, parameters.fast.sd, normalChance(key, hour, 4)));
  }

  return {
    stateAt(ts) {
      const hour = Math.max(0, Math.min(slow.length - 1, Math.floor((ts - anchorTs) / HOUR_MS)));
      return { slow: slow[hour]!, fast: fast[hour]! };
    },
    extendTo(ts) {
      while (anchorTs + (slow.length - 1) * HOUR_MS < ts) step();
    },
  };
}

function shock(keep: number, sd: number, normal: number): number {
  return Math.sqrt(1 - keep * keep) * sd * normal;
}

/** Daily factor with mean one, by New York day. */
export function dayFactor(parameters: SimulatorAccountParameters, key: number, dayNumber: number): number {
  const sd = parameters.dayNoiseSd;
  return Math.exp(sd * normalChance(key, dayNumber, 5) - (sd * sd) / 2);
}

/** Factor of a state, with mean one. */
export function stateFactor(parameters: SimulatorAccountParameters, state: RateState): number {
  const { slow, fast } = parameters;
  return Math.exp(state.slow - slow.sd ** 2 / 2 + state.fast - fast.sd ** 2 / 2);
}

export interface DailyShape {
  /** Expected share of a day's posts by hour in New York, with average sleep; sums to 1. */
  expected: readonly number[];
  /** The same without sleep: the share of an hour awake. */
  awake: readonly number[];
}

export function computeDailyShape({ sleep, hourProfile }: SimulatorAccountParameters): DailyShape {
  const awakeShares = meanAwakeShares(sleep);
  const raw = hourProfile.map((weight, hour) => weight * awakeShares[hour]!);
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return {
    expected: raw.map((weight) => weight / total),
    awake: hourProfile.map((weight) => weight / total),
  };
}

export function weekdayFactorAt(parameters: SimulatorAccountParameters, ts: number): number {
  return parameters.weekdayFactors[weekdayOf(easternDayNumber(ts))]!;
}

/** Expected posts per hour, including replies, for an hour of the day in the given state. */
export function hourlyRate(
  parameters: SimulatorAccountParameters,
  weights: readonly number[],
  state: RateState,
  ts: number,
): number {
  const weight = weights[Math.min(23, Math.floor(easternHour(ts)))]!;
  const level = stateFactor(parameters, state);
  return parameters.postsPerDay * level * weight * weekdayFactorAt(parameters, ts);
}
