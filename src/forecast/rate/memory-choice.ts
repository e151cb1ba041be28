// How long a memory the account's rate deserves just now: rates at several half-lives, weighted by how well each
// has lately foretold the day that followed. An account that jumps earns a short memory within days.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';
import type { RateBank } from './rate-bank.ts';

const GRID_HOURS = 6;
const GRID_MS = GRID_HOURS * HOUR_MS;
/** Evidence fades with this half-life. */
const EVIDENCE_DAYS = 20;
const KEEP = 2 ** (-GRID_HOURS / (24 * EVIDENCE_DAYS));
/** Days overlap on the grid, so each tells a quarter of the news. */
const NEWS = GRID_MS / DAY_MS;
/** Negative-binomial size at which a day's count is judged. */
const DAY_SIZE = 8;
const WARM_UP_STEPS = 8;
/** Lead of the account's own half-life before evidence, in nats. */
const OWN_LEAD = 3;

export interface MemoryCandidates {
  /** Positions in the bank of rates. */
  positions: readonly number[];
  /** Position of the account's own half-life. */
  own: number;
}

export class MemoryChoice {
  readonly #bank: RateBank;
  readonly #times: SortedTimes;
  readonly #exposure: ExposureClock;
  readonly #firstTs: number;
  readonly #positions: readonly number[];
  readonly #lead: readonly number[];
  readonly #rates: Float64Array;
  /** Faded log score per candidate at each step of the grid. */
  readonly #scores: Float64Array[];
  #filled = 0;

  constructor(
    bank: RateBank,
    times: SortedTimes,
    exposure: ExposureClock,
    firstHour: number,
    { positions, own }: MemoryCandidates,
  ) {
    this.#bank = bank;
    this.#times = times;
    this.#exposure = exposure;
    this.#firstTs = Math.ceil(firstHour / GRID_HOURS) * GRID_MS;
    this.#positions = positions;
    this.#lead = positions.map((position) => (position === own ? OWN_LEAD : 0));
    this.#rates = new Float64Array(bank.halfLivesDays.length);
    this.#scores = [new Float64Array(positions.length)];
  }

  /** Forgets what was judged on counts that a late post changed. */
  invalidateFrom(ts: number): void {
    this.#filled = Math.min(this.#filled, this.#stepAt(ts));
  }

  /** Mean of the candidates' log rates (logRates[at ...], by position), weighted by what each has earned by ts. */
  mixLogRates(ts: number, logRates: Float64Array, at: number): number {
    const step = this.#stepAt(ts);
    this.#fillTo(step);
    const earned = this.#scores[step]!.map((score, k) => score + this.#lead[k]!);
    const top = Math.max(...earned);
    let sum = 0;
    let total = 0;
    for (let k = 0; k < earned.length; k++) {
      const weight = Math.exp(earned[k]! - top);
      sum += weight * logRates[at + this.#positions[k]!]!;
      total += weight;
    }
    return sum / total;
  }

  #stepAt(ts: number): number {
    return Math.max(0, Math.floor((ts - this.#firstTs) / GRID_MS));
  }

  #fillTo(step: number): void {
    for (; this.#filled < step; this.#filled++) {
      const old = this.#scores[this.#filled]!;
      this.#scores[this.#filled + 1] ??= new Float64Array(old.length);
      const next = this.#scores[this.#filled + 1]!;
      if (this.#filled < WARM_UP_STEPS) next.set(old);
      else this.#judgeDay(this.#firstTs + (this.#filled + 1) * GRID_MS, old, next);
    }
  }

  /** Scores what each memory said a day before endTs of that day's count. */
  #judgeDay(endTs: number, old: Float64Array, next: Float64Array): void {
    const fromTs = endTs - DAY_MS;
    this.#bank.ratesAt(fromTs, this.#rates);
    const count = this.#times.countSince(fromTs, endTs);
    const exposure = this.#exposure.between(fromTs, endTs);
    for (let k = 0; k < old.length; k++) {
      const mean = Math.max(0.05, exposure * this.#rates[this.#positions[k]!]!);
      const score = count * Math.log(mean) - (count + DAY_SIZE) * Math.log(mean + DAY_SIZE);
      next[k] = KEEP * old[k]! + NEWS * score;
    }
  }
}
