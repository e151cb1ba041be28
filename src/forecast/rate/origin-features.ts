// Features at a given time: rates at several half-lives, activity in the last hours, time of day. Training
// origins and live forecasts use the same function, so they cannot diverge.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { MarketZone } from '../time/market-zone.ts';
import type { Timeline } from '../time/timeline.ts';
import { RateBank } from './rate-bank.ts';

export const COUNTED_HALF_LIVES = [0.125, 0.5, 1.5, 3, 7, 14, 28, 90];
const ALL_HALF_LIVES = [0.05, 0.25, 1, 7];
/** Recent periods in which posts are counted, from one session to a busy day. */
export const RECENT_HOURS = [0.25, 1, 3, 6, 12];
export const RECENT_ALL = 3;

/** Offsets into the vector filled by describeOrigin. */
export const ORIGIN = {
  /** ln rate of counted posts per hour of exposure, at COUNTED_HALF_LIVES. */
  counted: 0,
  /** ln rate of all posts, at ALL_HALF_LIVES. */
  all: COUNTED_HALF_LIVES.length,
  gapAllHours: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length,
  gapCountedHours: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 1,
  /** Local hour of day as an angle. */
  hourAngle: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 2,
  /** ln ratio of recent to expected counts, for counted posts, at RECENT_HOURS. */
  recent: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 3,
  /** The same for all posts, minus the value for counted ones, at the first RECENT_ALL of RECENT_HOURS. */
  recentAll: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 3 + RECENT_HOURS.length,
  width: COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 3 + RECENT_HOURS.length + RECENT_ALL,
} as const;

const MAX_GAP_HOURS = 48;

const WEEK_COUNTED = COUNTED_HALF_LIVES.indexOf(7);
const WEEK_ALL = ALL_HALF_LIVES.indexOf(7);

export class OriginDescriber {
  readonly countedRates: RateBank;
  readonly allRates: RateBank;
  readonly #timeline: Timeline;
  readonly #zone: MarketZone;
  readonly #exposure: ExposureClock;
  readonly #counted = new Float64Array(COUNTED_HALF_LIVES.length);
  readonly #all = new Float64Array(ALL_HALF_LIVES.length);

  constructor(timeline: Timeline, exposure: ExposureClock, zone: MarketZone, asofTs: number) {
    const hours = Math.max(48, Math.ceil(asofTs / HOUR_MS) - timeline.firstHour + 24 * 10);
    const age = Math.max(1, (asofTs - timeline.firstTs) / HOUR_MS);
    const first = Math.min(age, 24 * 30);
    const rate = (count: number) => (count + 1) / first;
    const firstEnd = timeline.firstTs + first * HOUR_MS;
    this.#timeline = timeline;
    this.#zone = zone;
    this.#exposure = exposure;
    this.countedRates = new RateBank(
      timeline.counted,
      exposure,
      timeline.firstHour,
      COUNTED_HALF_LIVES,
      rate(timeline.counted.countUpTo(firstEnd)),
      hours,
    );
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
  }

  /** Writes the ORIGIN vector, as known at ts, to `out` starting at index `at`. */
  describe(ts: number, out: Float64Array, at = 0): void {
    this.countedRates.ratesAt(ts, this.#counted);
    this.allRates.ratesAt(ts, this.#all);
    this.#writeLogRates(this.#counted, this.countedRates.halfLivesDays, out, at + ORIGIN.counted);
    this.#writeLogRates(this.#all, this.allRates.halfLivesDays, out, at + ORIGIN.all);
    out[at + ORIGIN.gapAllHours] = gapHours(this.#timeline.all, ts);
    out[at + ORIGIN.gapCountedHours] = gapHours(this.#timeline.counted, ts);
    this.#writeRecent(ts, out, at);
    const local = (ts + this.#zone.offsetMs(ts)) % DAY_MS;
    out[at + ORIGIN.hourAngle] = (2 * Math.PI * local) / DAY_MS;
  }

  #writeRecent(ts: number, out: Float64Array, at: number): void {
    const counted = Math.exp(out[at + ORIGIN.counted + WEEK_COUNTED]!);
    const all = Math.exp(out[at + ORIGIN.all + WEEK_ALL]!);
    RECENT_HOURS.forEach((hours, k) => {
      const fromTs = ts - hours * HOUR_MS;
      const exposure = this.#exposure.between(fromTs, ts);
      const surprise = (times: Timeline['all'], rate: number) =>
        Math.log((times.countSince(fromTs, ts) + 0.5) / (rate * exposure + 0.5));
      out[at + ORIGIN.recent + k] = surprise(this.#timeline.counted, counted);
      if (k < RECENT_ALL) {
        out[at + ORIGIN.recentAll + k] = surprise(this.#timeline.all, all) - out[at + ORIGIN.recent + k]!;
      }
    });
  }

  /** A short half-life may cover no posts, so each rate includes two hours at the longest one's rate. */
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
