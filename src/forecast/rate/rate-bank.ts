// Discounted rates at several half-lives, at the start of every hour: the conjugate Gamma-Poisson update a <-
// g a + count, b <- g b + exposure. Stored for all hours, so that past origins can be replayed exactly and
// live requests need no recomputation.

import { HOUR_MS } from '../../domain/units.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';

export class RateBank {
  readonly halfLivesDays: readonly number[];
  readonly #times: SortedTimes;
  readonly #exposure: ExposureClock;
  readonly #firstHour: number;
  readonly #decay: number[];
  /** Per half-life: discounted count and exposure at the start of hour firstHour + i. */
  readonly #counts: Float64Array[];
  readonly #exposures: Float64Array[];
  readonly #prior: number;
  #filled = 0;
  #cursor = 0;

  constructor(
    times: SortedTimes,
    exposure: ExposureClock,
    firstHour: number,
    halfLivesDays: readonly number[],
    priorRate: number,
    hoursAhead: number,
  ) {
    this.#times = times;
    this.#exposure = exposure;
    this.#firstHour = firstHour;
    this.halfLivesDays = halfLivesDays;
    this.#decay = halfLivesDays.map((days) => 2 ** (-1 / (24 * days)));
    this.#prior = priorRate;
    this.#counts = halfLivesDays.map(() => new Float64Array(hoursAhead + 2));
    this.#exposures = halfLivesDays.map(() => new Float64Array(hoursAhead + 2));
    this.#seed();
  }

  /** Drops the states after an hour affected by a late post. */
  invalidateFrom(ts: number): void {
    const hour = Math.floor(ts / HOUR_MS) - this.#firstHour;
    if (hour < this.#filled) {
      this.#filled = Math.max(0, hour);
      this.#cursor = this.#times.countBefore((this.#firstHour + this.#filled) * HOUR_MS);
    }
  }

  /** Writes the rate per unit of exposure at each half-life, as known at ts, to `out`. */
  ratesAt(ts: number, out: Float64Array): void {
    const hours = ts / HOUR_MS - this.#firstHour;
    const hour = Math.max(0, Math.floor(hours));
    this.#fillTo(hour);
    const hourTs = (this.#firstHour + hour) * HOUR_MS;
    const count = ts > hourTs ? this.#times.countSince(hourTs - 1, ts) : 0;
    const exposure = this.#exposure.between(hourTs, ts);
    const fraction = Math.max(0, hours - hour);
    for (let k = 0; k < this.#decay.length; k++) {
      const g = fraction === 0 ? 1 : this.#decay[k]! ** fraction;
      out[k] = (g * this.#counts[k]![hour]! + count) / (g * this.#exposures[k]![hour]! + exposure);
    }
  }

  /** The prior weighs as much as a tenth of a half-life (at least six hours) of exposure at the mean rate. */
  #seed(): void {
    this.#decay.forEach((_, k) => {
      const exposure = Math.max(3, 2.4 * this.halfLivesDays[k]!);
      this.#counts[k]![0] = exposure * this.#prior;
      this.#exposures[k]![0] = exposure;
    });
  }

  #fillTo(hour: number): void {
    if (hour <= this.#filled) return;
    if (hour >= this.#counts[0]!.length) this.#grow(hour);
    for (let h = this.#filled; h < hour; h++) {
      const endTs = (this.#firstHour + h + 1) * HOUR_MS;
      let count = 0;
      while (this.#cursor < this.#times.length && this.#times.at(this.#cursor) < endTs) {
        this.#cursor += 1;
        count += 1;
      }
      const exposure = this.#exposure.ofHour(this.#firstHour + h);
      for (let k = 0; k < this.#decay.length; k++) {
        const g = this.#decay[k]!;
        this.#counts[k]![h + 1] = g * this.#counts[k]![h]! + count;
        this.#exposures[k]![h + 1] = g * this.#exposures[k]![h]! + exposure;
      }
    }
    this.#filled = hour;
  }

  #grow(hour: number): void {
    for (const table of [this.#counts, this.#exposures]) {
      table.forEach((values, k) => {
        const larger = new Float64Array(Math.ceil(hour * 1.2) + 200);
        larger.set(values);
        table[k] = larger;
      });
    }
  }
}
