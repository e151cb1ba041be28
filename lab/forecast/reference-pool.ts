// The reference pool: a plain forecaster for comparison, the same for every account and tuned on none. Equal
// weights on a discounted rate (half-life 7 days), a regression on six discounted rates, and a two-scale
// state space with fixed parameters; below 24 hours a discounted rate with a half-life of 3 days replaces the
// state space.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { shapeDistribution } from '../../src/forecast/distribution/count-shape.ts';
import { mixDistributions, trimDistribution } from '../../src/forecast/distribution/distribution.ts';
import { negativeBinomialPmf } from '../../src/forecast/distribution/negative-binomial.ts';
import { FIXED_PARAMETERS, filterFixed } from '../../src/forecast/model/fixed-state.ts';
import { comingShape, cutBlocks, cutComingBlocks } from '../../src/forecast/model/state-path.ts';
import { RateBank } from '../../src/forecast/rate/rate-bank.ts';
import { ExposureClock, estimateWeekProfile } from '../../src/forecast/time/exposure.ts';
import type { MarketZone } from '../../src/forecast/time/market-zone.ts';
import type { SortedTimes, Timeline } from '../../src/forecast/time/timeline.ts';
import type { CountDistribution } from '../../src/forecast/types.ts';
import {
  FEATURES,
  fitReference,
  fitWidth,
  HALF_LIVES_DAYS,
  logRate,
  meansOf,
  type PastWindows,
  type ReferenceFit,
} from './reference-regression.ts';

const PROFILE = { halfLifeDays: 45, levelDays: 14, dayPseudoHours: 200, lookbackDays: 300 };
const GRID_HOURS = 6;
const FIT_DAYS = 365;
const FIT_HALF_LIFE_DAYS = 120;
const WARM_UP_DAYS = 14;
const SAME_HOUR_WEIGHT = 3;
const MAX_GAP_HOURS = 12;
const STATE_DAYS = 250;
const RATE_3_DAYS = pickRate(3);
const RATE_7_DAYS = pickRate(7);

interface HorizonFit {
  regression: ReferenceFit;
  size3: number;
  size7: number;
}

export class ReferencePool {
  readonly #timeline: Timeline;
  readonly #zone: MarketZone;
  readonly #fits = new Map<string, HorizonFit>();
  #anchorTs = Number.NaN;
  #exposure!: ExposureClock;
  #rates!: RateBank;
  #originTs = new Float64Array(0);
  #features = new Float64Array(0);

  constructor(timeline: Timeline, zone: MarketZone) {
    this.#timeline = timeline;
    this.#zone = zone;
  }

  /** Fits on the posts up to anchorTs. */
  refit(anchorTs: number): void {
    if (anchorTs === this.#anchorTs) return;
    const { counted, firstTs, firstHour } = this.#timeline;
    this.#anchorTs = anchorTs;
    this.#fits.clear();
    const lastHour = Math.ceil(anchorTs / HOUR_MS);
    const profile = estimateWeekProfile(counted, firstTs, anchorTs, this.#zone, PROFILE);
    this.#exposure = new ExposureClock(profile, this.#zone, firstHour, lastHour + 24 * 45);
    const perHour = (counted.countUpTo(anchorTs) + 1) / Math.max(1, (anchorTs - firstTs) / HOUR_MS);
    const hours = lastHour - firstHour + 24 * 10;
    this.#rates = new RateBank(counted, this.#exposure, firstHour, HALF_LIVES_DAYS, perHour, hours);
    this.#listOrigins();
  }

  /** Distribution of the number of posts in (asofTs, endTs]. */
  forecast(asofTs: number, endTs: number): CountDistribution {
    const hours = (endTs - asofTs) / HOUR_MS;
    const { regression, size3, size7 } = this.#fitFor(asofTs, hours);
    const x = new Float64Array(FEATURES);
    this.#describe(asofTs, x, 0);
    const exposure = this.#exposure.between(asofTs, endTs);
    const around = (beta: ArrayLike<number>, size: number) =>
      trimDistribution(0, negativeBinomialPmf(exposure * Math.exp(logRate(x, 0, beta)), size));
    const third = hours < 24 ? around(RATE_3_DAYS, size3) : this.#stateSpace(asofTs, endTs);
    return mixDistributions(
      [around(RATE_7_DAYS, size7), around(regression.beta, regression.size), third],
      [1, 1, 1],
    );
  }

  #stateSpace(asofTs: number, endTs: number): CountDistribution {
    const { counted, firstTs } = this.#timeline;
    const blocks = cutBlocks(counted, this.#exposure, firstTs, asofTs, STATE_DAYS);
    const coming = cutComingBlocks(this.#exposure, asofTs, asofTs, endTs);
    return shapeDistribution(comingShape(filterFixed(blocks), FIXED_PARAMETERS, coming));
  }

  #listOrigins(): void {
    const firstTs = Math.max(
      this.#timeline.firstTs + WARM_UP_DAYS * DAY_MS,
      this.#anchorTs - FIT_DAYS * DAY_MS,
    );
    const n = Math.max(0, Math.floor((this.#anchorTs - firstTs) / (GRID_HOURS * HOUR_MS)));
    this.#originTs = Float64Array.from(
      { length: n },
      (_, i) => this.#anchorTs - (i + 1) * GRID_HOURS * HOUR_MS,
    );
    this.#features = new Float64Array(n * FEATURES);
    this.#originTs.forEach((ts, i) => {
      this.#describe(ts, this.#features, i * FEATURES);
    });
  }

  #describe(ts: number, out: Float64Array, at: number): void {
    const rates = new Float64Array(HALF_LIVES_DAYS.length);
    this.#rates.ratesAt(ts, rates);
    const least = Math.max(1e-3, 0.02 * rates.at(-1)!);
    out[at] = 1;
    rates.forEach((rate, k) => {
      out[at + 1 + k] = Math.log(Math.max(least, rate));
    });
    out[at + FEATURES - 1] = Math.log1p(gapHours(this.#timeline.counted, ts));
  }

  /** Fitted per horizon and local hour: windows that started around this hour have more weight. */
  #fitFor(asofTs: number, hours: number): HorizonFit {
    const hour = this.#localHour(asofTs);
    const key = `${hours} ${Math.floor(hour)}`;
    const known = this.#fits.get(key);
    if (known) return known;
    const past = this.#pastWindows(hours, hour);
    const fit = {
      regression: fitReference(past),
      size3: fitWidth(past, meansOf(past, RATE_3_DAYS)),
      size7: fitWidth(past, meansOf(past, RATE_7_DAYS)),
    };
    this.#fits.set(key, fit);
    return fit;
  }

  #pastWindows(hours: number, hour: number): PastWindows {
    const spanMs = hours * HOUR_MS;
    const first = this.#originTs.findIndex((ts) => ts + spanMs <= this.#anchorTs);
    const origins = first < 0 ? new Float64Array(0) : this.#originTs.subarray(first);
    return {
      features: this.#features.subarray(Math.max(0, first) * FEATURES),
      exposures: origins.map((ts) => Math.max(0.01, this.#exposure.between(ts, ts + spanMs))),
      counts: origins.map((ts) => this.#timeline.counted.countSince(ts, ts + spanMs)),
      weights: origins.map((ts) => {
        const ageDays = (this.#anchorTs - ts - spanMs) / DAY_MS;
        const apart = Math.abs(((this.#localHour(ts) - hour + 36) % 24) - 12);
        const near = apart <= GRID_HOURS / 2 ? SAME_HOUR_WEIGHT : 1;
        return near * Math.min(1, GRID_HOURS / hours) * 2 ** (-ageDays / FIT_HALF_LIFE_DAYS);
      }),
    };
  }

  #localHour(ts: number): number {
    return ((ts + this.#zone.offsetMs(ts)) % DAY_MS) / HOUR_MS;
  }
}

function pickRate(days: number): Float64Array {
  const beta = new Float64Array(FEATURES);
  beta[1 + HALF_LIVES_DAYS.indexOf(days)] = 1;
  return beta;
}

function gapHours(counted: SortedTimes, ts: number): number {
  const seen = counted.countUpTo(ts);
  return seen === 0 ? MAX_GAP_HOURS : Math.min(MAX_GAP_HOURS, (ts - counted.at(seen - 1)) / HOUR_MS);
}
