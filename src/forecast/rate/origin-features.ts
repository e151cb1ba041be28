// What is known at an instant, as numbers: rates over several memories, the state of the last hours, the clock.
// The same function serves past origins (training) and the present one, so the two cannot drift apart.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { MarketZone } from '../time/market-zone.ts';
import type { Timeline } from '../time/timeline.ts';
import { MemoryChoice } from './memory-choice.ts';
import { RateBank } from './rate-bank.ts';

export const COUNTED_HALF_LIVES = [0.125, 0.25, 1, 3, 7, 14, 28, 90];
export const ALL_HALF_LIVES = [0.05, 0.25, 1, 7];

/** Positions in the vector that describeOrigin fills. */
export const ORIGIN = {
  /** ln rate per hour of exposure, counted posts, at COUNTED_HALF_LIVES. */
  counted: 0,
  /** ln rate, all posts, at ALL_HALF_LIVES. */
  all: COUNTED_HALF_LIVES.length,
  gapAllHours: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length,
  gapCountedHours: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 1,
  /** Local hour of day as an angle. */
  hourAngle: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 2,
  /** ln rate of counted posts over the account's rolling velocity window. */
  velocity: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 3,
  /** ln rate at the memory the account has earned. */
  ownRate: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 4,
  width: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 5,
} as const;

const MAX_GAP_HOURS = 48;

/** Memories an account's rate may have: half a week to a season. */
const MEMORY_POSITIONS = [3, 7, 14, 28, 90].map((days) => COUNTED_HALF_LIVES.indexOf(days));

export class OriginDescriber {
  readonly countedRates: RateBank;
  readonly allRates: RateBank;
  readonly #timeline: Timeline;
  readonly #zone: MarketZone;
  readonly #exposure: ExposureClock;
  readonly #velocityMs: number;
  readonly #memory: MemoryChoice;
  readonly #counted = new Float64Array(COUNTED_HALF_LIVES.length);
  readonly #all = new Float64Array(ALL_HALF_LIVES.length);

  constructor(
    timeline: Timeline,
    exposure: ExposureClock,
    zone: MarketZone,
    asofTs: number,
    habits: { velocityWindowDays: number; rateHalfLifeDays: number },
  ) {
    const hours = Math.max(48, Math.ceil(asofTs / HOUR_MS) - timeline.firstHour + 24 * 10);
    const age = Math.max(1, (asofTs - timeline.firstTs) / HOUR_MS);
    const first = Math.min(age, 24 * 30);
    const rate = (count: number) => (count + 1) / first;
    const firstEnd = timeline.firstTs + first * HOUR_MS;
    this.#timeline = timeline;
    this.#zone = zone;
    this.#exposure = exposure;
    this.#velocityMs = habits.velocityWindowDays * DAY_MS;
    this.countedRates = new RateBank(
      timeline.counted,
      exposure,
      timeline.firstHour,
      COUNTED_HALF_LIVES,
      rate(timeline.counted.countUpTo(firstEnd)),
      hours,
    );
    this.#memory = new MemoryChoice(this.countedRates, timeline.counted, exposure, timeline.firstHour, {
      positions: MEMORY_POSITIONS,
      own: COUNTED_HALF_LIVES.indexOf(habits.rateHalfLifeDays),
    });
    this.allRates = new RateBank(
      timeline.all,
      exposure,
      timeline.firstHour,
      ALL_HALF_LIVES,
      rate(timeline.all.countUpTo(firstEnd)),
      hours,
    );
  }

  invalidateFrom(ts: number): void {
    this.countedRates.invalidateFrom(ts);
    this.allRates.invalidateFrom(ts);
    this.#memory.invalidateFrom(ts);
  }

  /** Fills out[at ...] with the ORIGIN vector as known at ts. */
  describe(ts: number, out: Float64Array, at = 0): void {
    this.countedRates.ratesAt(ts, this.#counted);
    this.allRates.ratesAt(ts, this.#all);
    this.#writeLogRates(this.#counted, this.countedRates.halfLivesDays, out, at + ORIGIN.counted);
    this.#writeLogRates(this.#all, this.allRates.halfLivesDays, out, at + ORIGIN.all);
    out[at + ORIGIN.gapAllHours] = gapHours(this.#timeline.all, ts);
    out[at + ORIGIN.gapCountedHours] = gapHours(this.#timeline.counted, ts);
    out[at + ORIGIN.velocity] = this.#logVelocity(ts);
    out[at + ORIGIN.ownRate] = this.#memory.mixLogRates(ts, out, at + ORIGIN.counted);
    const local = (ts + this.#zone.offsetMs(ts)) % DAY_MS;
    out[at + ORIGIN.hourAngle] = (2 * Math.PI * local) / DAY_MS;
  }

  #logVelocity(ts: number): number {
    const fromTs = Math.max(this.#timeline.firstTs, ts - this.#velocityMs);
    const count = this.#timeline.counted.countSince(fromTs - 1, ts);
    return Math.log((count + 1) / (this.#exposure.between(fromTs, ts) + 1));
  }

  /** A short memory can be empty: each rate borrows two hours of exposure from the longest one. */
  #writeLogRates(rates: Float64Array, halfLives: readonly number[], out: Float64Array, at: number): void {
    const last = rates.length - 1;
    const long = Math.max(1e-4, rates[last]!);
    for (let k = 0; k <= last; k++) {
      const memory = (halfLives[k]! * 24) / Math.LN2;
      out[at + k] = Math.log((rates[k]! * memory + 2 * long) / (memory + 2));
    }
  }
}

function gapHours(times: Timeline['all'], ts: number): number {
  const seen = times.countUpTo(ts);
  if (seen === 0) return MAX_GAP_HOURS;
  return Math.min(MAX_GAP_HOURS, (ts - times.at(seen - 1)) / HOUR_MS);
}
