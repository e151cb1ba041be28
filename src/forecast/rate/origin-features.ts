// Features at a given time: rates at several half-lives, and the time since the last post. Training origins and live
// forecasts use the same function, so they cannot diverge.

import { HOUR_MS } from '../../domain/units.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { Timeline } from '../time/timeline.ts';
import { RateBank } from './rate-bank.ts';

export const COUNTED_HALF_LIVES = [0.125, 0.5, 1.5, 3, 7, 14, 28, 90];

/** Offsets into the vector filled by describeOrigin. */
export const ORIGIN = {
  /** ln rate of counted posts per hour of exposure, at COUNTED_HALF_LIVES. */
  counted: 0,
  gapCountedHours: COUNTED_HALF_LIVES.length,
  width: COUNTED_HALF_LIVES.length + 1,
} as const;

const MAX_GAP_HOURS = 48;

export class OriginDescriber {
  readonly #bank: RateBank;
  readonly #timeline: Timeline;
  readonly #rates = new Float64Array(COUNTED_HALF_LIVES.length);

  constructor(timeline: Timeline, exposure: ExposureClock, asofTs: number) {
    const hours = Math.max(48, Math.ceil(asofTs / HOUR_MS) - timeline.firstHour + 24 * 10);
    const age = Math.max(1, (asofTs - timeline.firstTs) / HOUR_MS);
    const first = Math.min(age, 24 * 30);
    const count = timeline.counted.countUpTo(timeline.firstTs + first * HOUR_MS);
    this.#timeline = timeline;
    this.#bank = new RateBank(
      timeline.counted,
      exposure,
      timeline.firstHour,
      COUNTED_HALF_LIVES,
      (count + 1) / first,
      hours,
    );
  }

  invalidateFrom(ts: number): void {
    this.#bank.invalidateFrom(ts);
  }

  /** Writes the ORIGIN vector, as known at ts, to `out` starting at index `at`. */
  describe(ts: number, out: Float64Array, at = 0): void {
    this.#bank.ratesAt(ts, this.#rates);
    this.#writeLogRates(this.#rates, COUNTED_HALF_LIVES, out, at + ORIGIN.counted);
    out[at + ORIGIN.gapCountedHours] = gapHours(this.#timeline.counted, ts);
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

function gapHours(times: Timeline['counted'], ts: number): number {
  const seen = times.countUpTo(ts);
  if (seen === 0) return MAX_GAP_HOURS;
  return Math.min(MAX_GAP_HOURS, (ts - times.at(seen - 1)) / HOUR_MS);
}
