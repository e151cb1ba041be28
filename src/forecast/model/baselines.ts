// Named baselines: the rules traders use today, each with a width learned from its own past errors.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { trimDistribution } from '../distribution/distribution.ts';
import {
  addNegativeBinomial,
  farQuantile,
  fitSize,
  negativeBinomialPmf,
} from '../distribution/negative-binomial.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';
import type { CountDistribution, ForecastRequest } from '../types.ts';
import { anchorFor } from './fitted-model.ts';

export const BASELINES = [
  'pace-poisson',
  'pace-nb',
  'climatology',
  'rolling14-nb',
  'seasonal-naive',
] as const;
export type BaselineName = (typeof BASELINES)[number];

/** With less elapsed time the window's own pace is meaningless, so the last seven days replace it. */
const MIN_PACE_MS = 6 * HOUR_MS;
const GRID_MS = 6 * HOUR_MS;
const FIT_DAYS = 365;
const FIT_HALF_LIFE_MS = 120 * DAY_MS;
const CLIMATOLOGY_DAYS = 90;

/** A window split at the origin into elapsed and remaining time. */
interface Split {
  originTs: number;
  elapsedMs: number;
  /** Time from the origin to the window's start; 0 once it has started. */
  waitMs: number;
  remainingMs: number;
}

type MeanRule = (split: Split) => number;

export class Baselines {
  readonly #counted: SortedTimes;
  readonly #firstTs: number;
  readonly #sizes = new Map<string, number>();
  #exposure: ExposureClock | null = null;

  constructor(counted: SortedTimes, firstTs: number) {
    this.#counted = counted;
    this.#firstTs = firstTs;
  }

  /** Distributions of the remaining count. */
  distributions(request: ForecastRequest, exposure: ExposureClock): Record<BaselineName, CountDistribution> {
    // A young account's exposure changes within an anchor; the sizes must not depend on earlier requests.
    if (exposure !== this.#exposure) this.#sizes.clear();
    this.#exposure = exposure;
    const { window, asofTs } = request;
    const fromTs = Math.max(asofTs, window.startTs);
    const split: Split = {
      originTs: asofTs,
      elapsedMs: Math.max(0, asofTs - window.startTs),
      waitMs: fromTs - asofTs,
      remainingMs: window.endTs - fromTs,
    };
    const rolling: MeanRule = (at) => this.#rollingMean(at, exposure);
    return {
      'pace-poisson': trimDistribution(0, negativeBinomialPmf(this.#paceMean(split), 1e9)),
      'pace-nb': this.#fitted('pace', (at) => this.#paceMean(at), split),
      climatology: this.#climatology(split),
      'rolling14-nb': this.#fitted('rolling14', rolling, split),
      'seasonal-naive': this.#fitted('seasonal', (at) => this.#weekEarlier(at), split),
    };
  }

  #paceMean({ originTs, elapsedMs, remainingMs }: Split): number {
    const pastMs = elapsedMs >= MIN_PACE_MS ? elapsedMs : 7 * DAY_MS;
    const count = Math.max(0.5, this.#counted.countSince(originTs - pastMs, originTs));
    return (count / pastMs) * remainingMs;
  }

  #rollingMean({ originTs, waitMs, remainingMs }: Split, exposure: ExposureClock): number {
    const pastTs = originTs - 14 * DAY_MS;
    const count = Math.max(0.5, this.#counted.countSince(pastTs, originTs));
    const fromTs = originTs + waitMs;
    return (count / exposure.between(pastTs, originTs)) * exposure.between(fromTs, fromTs + remainingMs);
  }

  #weekEarlier({ originTs, waitMs, remainingMs }: Split): number {
    const spanMs = Math.ceil((waitMs + remainingMs) / (7 * DAY_MS)) * 7 * DAY_MS;
    const fromTs = originTs + waitMs - spanMs;
    return Math.max(0.5, this.#counted.countSince(fromTs, fromTs + remainingMs));
  }

  #fitted(name: string, rule: MeanRule, split: Split): CountDistribution {
    const key = `${name} ${anchorFor(split.originTs)} ${split.elapsedMs} ${split.waitMs} ${split.remainingMs}`;
    let size = this.#sizes.get(key);
    if (size === undefined) {
      // Only sizes for the current anchor will be needed again.
      if (this.#sizes.size > 500) this.#sizes.clear();
      size = this.#fitSizeOf(rule, split);
      this.#sizes.set(key, size);
    }
    return trimDistribution(0, negativeBinomialPmf(rule(split), size));
  }

  /** Replays the rule on past windows of the same shape that had ended by the anchor. */
  #fitSizeOf(rule: MeanRule, split: Split): number {
    const anchorTs = anchorFor(split.originTs);
    const spanMs = split.waitMs + split.remainingMs;
    const counts: number[] = [];
    const means: number[] = [];
    const weights: number[] = [];
    const lastTs = anchorTs - spanMs;
    const firstTs = Math.max(
      lastTs - FIT_DAYS * DAY_MS,
      this.#firstTs + Math.max(14 * DAY_MS, split.elapsedMs),
    );
    for (let ts = lastTs; ts >= firstTs; ts -= GRID_MS) {
      counts.push(this.#counted.countSince(ts + split.waitMs, ts + spanMs));
      means.push(rule({ ...split, originTs: ts }));
      weights.push(Math.min(1, GRID_MS / split.remainingMs) * 2 ** ((ts - lastTs) / FIT_HALF_LIFE_MS));
    }
    return fitSize(counts, means, weights, new Float64Array(counts.length).fill(1), { size: 5, logSd: 1.5 });
  }

  /** Totals over periods of the same length in the last 90 days, smoothed with a kernel. */
  #climatology({ originTs, remainingMs }: Split): CountDistribution {
    const totals: number[] = [];
    const firstTs = Math.max(originTs - CLIMATOLOGY_DAYS * DAY_MS, this.#firstTs);
    for (let ts = originTs - remainingMs; ts >= firstTs; ts -= GRID_MS) {
      totals.push(this.#counted.countSince(ts, ts + remainingMs));
    }
    if (totals.length === 0) totals.push(this.#paceMean({ originTs, elapsedMs: 0, waitMs: 0, remainingMs }));
    const mean = totals.reduce((sum, x) => sum + x, 0) / totals.length;
    const variance = totals.reduce((sum, x) => sum + (x - mean) ** 2, 0) / totals.length;
    // Silverman's bandwidth, at least the counting noise, as a negative binomial around each total.
    const width2 = Math.max(1, variance) * 1.12 * totals.length ** -0.4;
    const pmf = new Float64Array(farQuantile(Math.max(...totals) + 1, 10) + 1);
    for (const total of totals) {
      const centre = total + 0.5;
      const size = width2 > centre ? (centre * centre) / (width2 - centre + 1e-9) : 1e9;
      addNegativeBinomial(pmf, centre, Math.max(0.5, size), 1 / totals.length);
    }
    return trimDistribution(0, pmf);
  }
}
