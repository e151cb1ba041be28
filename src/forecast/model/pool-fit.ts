// Learns the pool weights and the mixture width from the account's own history. A mixture of correct members
// is too wide, and members fitted to days may be wrong about weeks.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import {
  type CountShape,
  type Moments,
  mixtureMoments,
  shapeProbability,
} from '../distribution/count-shape.ts';
import { ORIGIN } from '../rate/origin-features.ts';
import { bracketHorizon, type MemberFits, memberShapes } from './members.ts';
import type { PastSource } from './past-windows.ts';
import { MEMBERS, type SharedKnowledge, WEIGHT_HOURS, type WeightHours } from './shared-coefficients.ts';
import { listRows, ORIGIN_STEP_HOURS } from './training-set.ts';

/** With this many windows, the account's own misses get half the weight. */
const MISS_WINDOWS = 7.5;
const HALF_LIFE_DAYS = 150;
const REACH_DAYS = 250;
/** Cap on a single window's surprise, in standard deviations. */
const MAX_SURPRISE = 3;
/** Origins are about two days apart, at rotating times of day. */
const STRIDE = 17;
/** Floor that keeps a single window from ruling out a member. */
const MIN_DENSITY = 1e-9;

export function fitPool(source: PastSource, fits: MemberFits): WeightFit[] {
  return WEIGHT_HOURS.map((hours) => fitHorizon(hours, source, fits));
}

function fitHorizon(hours: WeightHours, source: PastSource, fits: MemberFits): WeightFit {
  const past = listPastWindows(hours, source, fits);
  const weights = learnWeights(
    sharedWeights(fits.shared, hours),
    past.map(densitiesOf),
    past.map(({ news }) => news),
  );
  const misses = past.map(({ shapes, count, news }) => ({
    news,
    square: surprise(mixtureMoments(shapes, weights), count) ** 2,
  }));
  return { hours, weights, miss: averageMiss(misses) };
}

interface PastWindow {
  /** One shape per member. */
  shapes: readonly CountShape[];
  count: number;
  news: number;
}

function listPastWindows(hours: WeightHours, source: PastSource, fits: MemberFits): PastWindow[] {
  const { set, counted, asofTs } = source;
  const spanMs = hours * HOUR_MS;
  return listRows(set, STRIDE, asofTs - spanMs, REACH_DAYS).map((row) => {
    const fromTs = set.originTs[row]!;
    const endTs = fromTs + spanMs;
    const standing = { core: set.core[row]!, fixed: set.fixed[row]!, origin: set.origins };
    const outlook = {
      ...standing,
      originAt: row * ORIGIN.width,
      asofTs: fromTs,
      fromTs,
      endTs,
      paceFactor: 1,
    };
    return {
      shapes: memberShapes(fits, outlook),
      count: counted.countSince(fromTs, endTs),
      news: newsOf(hours, (asofTs - endTs) / DAY_MS),
    };
  });
}

/** Probability that each member assigned to the observed count. */
function densitiesOf({ shapes, count }: PastWindow): Float64Array {
  return Float64Array.from(shapes, (shape) => Math.max(MIN_DENSITY, shapeProbability(count, shape)));
}

/** Weight of a window: the fraction that does not overlap its neighbours, decaying with age. */
function newsOf(hours: number, ageDays: number): number {
  return Math.min(1, (STRIDE * ORIGIN_STEP_HOURS) / hours) * 2 ** (-ageDays / HALF_LIFE_DAYS);
}

function averageMiss(misses: readonly { news: number; square: number }[]): number {
  let windows = 0;
  let squares = 0;
  for (const { news, square } of misses) {
    windows += news;
    squares += news * square;
  }
  if (windows === 0) return 0;
  return (0.5 * Math.log(Math.max(0.05, squares / windows)) * windows) / (windows + MISS_WINDOWS);
}

/** Standardised distance of a count from the centre of a gamma with these moments (Wilson-Hilferty). */
function surprise({ mean, variance }: Moments, count: number): number {
  const ninth = variance / (9 * mean * mean);
  const z = (Math.cbrt((count + 0.25) / mean) - (1 - ninth)) / Math.sqrt(ninth);
  return Math.max(-MAX_SURPRISE, Math.min(MAX_SURPRISE, z));
}

// A linear mixture of the members. Weights start from shared values and are updated from the account's own
// past windows by the mixture's log score.

/** Initial weights of every account, in the order of MEMBERS. */
export function sharedWeights({ weights }: SharedKnowledge, hours: WeightHours): Float64Array {
  return Float64Array.from(MEMBERS, (name) => weights[hours][name]);
}

/** How many non-overlapping windows the shared weights are worth. */
const SHARED_WINDOWS = 6;
const ROUNDS = 30;

/**
 * MAP weights by expectation-maximisation. densities[i][k]: density of member k at the outcome of window i,
 * never 0; news[i]: weight of window i.
 */
export function learnWeights(
  shared: Float64Array,
  densities: readonly Float64Array[],
  news: readonly number[],
): Float64Array {
  const total = news.reduce((sum, part) => sum + part, SHARED_WINDOWS);
  let weights = shared;
  for (let round = 0; round < ROUNDS; round++) {
    const next = shared.map((share) => SHARED_WINDOWS * share);
    densities.forEach((given, i) => {
      const mixed = given.reduce((sum, density, k) => sum + weights[k]! * density, 0);
      given.forEach((density, k) => {
        next[k]! += (news[i]! * weights[k]! * density) / mixed;
      });
    });
    weights = next.map((weight) => weight / total);
  }
  return weights;
}

export interface WeightFit {
  hours: WeightHours;
  weights: Float64Array;
  /** How far past outcomes were from the mixture's centre: ln of the RMS miss, shrunk towards 0. */
  miss: number;
}

/** Interpolates the weights for a lead between the fitted horizons. */
export function weightsAt(fits: readonly WeightFit[], leadHours: number): Float64Array {
  const { low, share } = bracketHorizon(fits, leadHours);
  const upper = Math.max(0, share);
  return fits[low]!.weights.map((weight, k) => (1 - upper) * weight + upper * fits[low + 1]!.weights[k]!);
}
