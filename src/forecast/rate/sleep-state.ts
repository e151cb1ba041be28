// Probability that the account is asleep: a two-state filter over quarter hours, updated by every post.
// Hazards of falling asleep and waking, by local hour, are learned from the account's long gaps.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { MarketZone } from '../time/market-zone.ts';
import type { SortedTimes } from '../time/timeline.ts';

/** A gap this long between any two posts counts as sleep. */
const SLEEP_GAP_MS = 4 * HOUR_MS;
const STEP_MS = HOUR_MS / 4;
const LOOKBACK_DAYS = 120;
const HALF_LIFE_MS = 45 * DAY_MS;
const PRIOR_HOURS = 12;
const PRIOR_WAKE_PER_HOUR = 1 / 6.5;
/** Posts per hour while asleep (scheduled posts). */
const ASLEEP_RATE = 0.02;
const FILTER_MS = 36 * HOUR_MS;

export interface SleepHabits {
  /** Hourly hazards of falling asleep and of waking, by local hour of day. */
  onset: Float64Array;
  wake: Float64Array;
  /** Posts per hour while awake. */
  awakeRate: number;
  asleepShare: number;
}

/** Steps through dtHours without a post: the state may change, and the silence is evidence. */
export function stepSilent(
  asleep: number,
  dtHours: number,
  awakeRate: number,
  onset: number,
  wake: number,
): number {
  const before = predictAsleep(asleep, dtHours, onset, wake);
  return before / (before + (1 - before) * Math.exp(-awakeRate * dtHours));
}

/** Updates on a post; posts while asleep are rare (scheduled posts). */
function stepPost(asleep: number, awakeRate: number): number {
  return (asleep * ASLEEP_RATE) / (asleep * ASLEEP_RATE + (1 - asleep) * Math.max(awakeRate, 0.05));
}

function predictAsleep(asleep: number, dtHours: number, onset: number, wake: number): number {
  return asleep * (1 - wake * dtHours) + (1 - asleep) * onset * dtHours;
}

/** Learns sleep habits from gaps that ended by asofTs. */
export function learnSleepHabits(
  all: SortedTimes,
  asofTs: number,
  zone: MarketZone,
  sleepPrior: number,
): SleepHabits {
  const tally = {
    onsets: new Float64Array(24),
    awake: new Float64Array(24),
    wakes: new Float64Array(24),
    asleep: new Float64Array(24),
  };
  let posts = 0;
  const last = all.countUpTo(asofTs);
  const first = all.countUpTo(asofTs - LOOKBACK_DAYS * DAY_MS);
  for (let i = first + 1; i < last; i++) {
    const from = all.at(i - 1);
    const to = all.at(i);
    const weight = 2 ** ((to - asofTs) / HALF_LIFE_MS);
    posts += weight;
    const isSleep = to - from >= SLEEP_GAP_MS;
    if (isSleep) {
      tally.onsets[localHour(zone, from)]! += weight;
      tally.wakes[localHour(zone, to)]! += weight;
    }
    addHours(isSleep ? tally.asleep : tally.awake, from, to, weight, zone);
  }
  const awakeHours = sum(tally.awake);
  const asleepHours = sum(tally.asleep);
  const onsetPrior = (PRIOR_WAKE_PER_HOUR * sleepPrior) / (1 - sleepPrior);
  return {
    onset: tally.onsets.map((n, h) => (n + PRIOR_HOURS * onsetPrior) / (tally.awake[h]! + PRIOR_HOURS)),
    wake: tally.wakes.map(
      (n, h) => (n + PRIOR_HOURS * PRIOR_WAKE_PER_HOUR) / (tally.asleep[h]! + PRIOR_HOURS),
    ),
    awakeRate: (posts + 1) / (awakeHours + 1),
    asleepShare: (asleepHours + PRIOR_HOURS * sleepPrior) / (awakeHours + asleepHours + PRIOR_HOURS),
  };
}

/** P(asleep) at asofTs, filtered over the last day and a half. */
export function estimateSleepProbability(
  all: SortedTimes,
  asofTs: number,
  habits: SleepHabits,
  zone: MarketZone,
): number {
  let asleep = habits.asleepShare;
  let ts = asofTs - FILTER_MS;
  let next = all.countUpTo(ts);
  const last = all.countUpTo(asofTs);
  while (ts < asofTs) {
    const postTs = next < last ? all.at(next) : Number.POSITIVE_INFINITY;
    const to = Math.min(asofTs, ts + STEP_MS, postTs);
    const hour = localHour(zone, ts);
    asleep = stepSilent(
      asleep,
      (to - ts) / HOUR_MS,
      habits.awakeRate,
      habits.onset[hour]!,
      habits.wake[hour]!,
    );
    if (to === postTs) {
      asleep = stepPost(asleep, habits.awakeRate);
      next += 1;
    }
    ts = to;
  }
  return Math.max(0.001, Math.min(0.999, asleep));
}

function localHour(zone: MarketZone, ts: number): number {
  return zone.hourOfWeek(ts) % 24;
}

function addHours(target: Float64Array, from: number, to: number, weight: number, zone: MarketZone): void {
  for (let ts = from; ts < to; ) {
    const end = Math.min(to, (Math.floor(ts / HOUR_MS) + 1) * HOUR_MS);
    target[localHour(zone, ts)]! += (weight * (end - ts)) / HOUR_MS;
    ts = end;
  }
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
