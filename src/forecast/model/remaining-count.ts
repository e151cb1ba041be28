// Distribution of the remaining count: the pool members' mixture with a learned width, adjusted for new
// accounts and for outages.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { type CountShape, shapeDistribution } from '../distribution/count-shape.ts';
import { cdf, mixDistributions, percentile, trimDistribution } from '../distribution/distribution.ts';
import { quickExp } from '../numeric/special-functions.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { Timeline } from '../time/timeline.ts';
import type { CountDistribution, ForecastRequest } from '../types.ts';
import type { AccountMemory } from './account-memory.ts';
import type { FittedModel } from './fitted-model.ts';
import { bracketHorizon, horizonHours, memberShapes, type Outlook, reversionFactor } from './members.ts';
import { type WeightFit, weightsAt } from './pool-fit.ts';
import { fallDepth } from './recent-moves.ts';
import { MEMBERS, type MemberName } from './shared-coefficients.ts';
import { mixLoads } from './state-simulation.ts';

/** Five-point Gauss-Hermite rule for a standard normal. */
const PACE_POINTS = [
  { z: -2.857, weight: 0.011_257 },
  { z: -1.3556, weight: 0.222_076 },
  { z: 0, weight: 0.533_333 },
  { z: 1.3556, weight: 0.222_076 },
  { z: 2.857, weight: 0.011_257 },
];

/** Two members share these paths, so fewer quantiles of each are enough. */
const LOADS_MIXED = 64;

export interface ComingCount {
  coming: CountDistribution;
  /** Disagreement between members. */
  modelSd: number;
}

export type MemberDistributions = Record<MemberName, CountDistribution>;

/** Distributions of the remaining count, by pool member. */
export function memberDistributions(memory: AccountMemory, request: ForecastRequest): MemberDistributions {
  const { fitted, outlook } = memory.look(request);
  const [, , memories, fixed, calm] = memberShapes(fitted, outlook);
  const loads = memory.loadsOf(outlook, fitted);
  const factor = reversionFactor(fitted.shared, outlook);
  return {
    core: mixLoads(loads, LOADS_MIXED),
    reverting: mixLoads(
      loads.map((load) => load * factor),
      LOADS_MIXED,
    ),
    memories: shapeDistribution(memories!),
    fixed: shapeDistribution(fixed!),
    calm: shapeDistribution(calm!),
  };
}

/** After an outage the pace is uncertain, so the mixture keeps its mean but widens. */
export function foreseeComing(memory: AccountMemory, request: ForecastRequest): ComingCount {
  const { paceSpread = 0, paceFactor = 1 } = request;
  if (paceSpread === 0) return foreseeAtPace(memory, request);
  const spoken = PACE_POINTS.map(({ z }) => {
    const factor = paceFactor * Math.exp(paceSpread * z - paceSpread ** 2 / 2);
    return foreseeAtPace(memory, { ...request, paceFactor: factor });
  });
  const coming = mixDistributions(
    spoken.map((one) => one.coming),
    PACE_POINTS.map(({ weight }) => weight),
  );
  return { coming, modelSd: Math.max(...spoken.map((one) => one.modelSd)) };
}

function foreseeAtPace(memory: AccountMemory, request: ForecastRequest): ComingCount {
  const { fitted, outlook } = memory.look(request);
  const members = memberDistributions(memory, request);
  const distributions = MEMBERS.map((name) => members[name]);
  const weights = weightsAt(fitted.pool, horizonHours(outlook));
  const pooled = mixDistributions(distributions, weights);
  const stretched = stretchDistribution(pooled, widthAt(fitted, outlook));
  const coming = temper(memory.timeline, request, fitted, stretched);
  return { coming, modelSd: disagreement(distributions, percentile(coming, 0.5)) };
}

const MIN_WIDTH = 0.5;
const MAX_WIDTH = 1.5;
/** Past misses up to this size, on the log scale, may be chance. */
const CALM_BY_CHANCE = 0.2;

/** Scale factor for the mixture's width; an account with recent surprises is not narrowed. */
function widthAt({ pool, shared }: FittedModel, outlook: Outlook): number {
  const { low, share } = bracketHorizon(pool, horizonHours(outlook));
  const fallen = fallDepth(outlook.origin, outlook.originAt);
  const at = ({ hours, miss }: WeightFit) => {
    const { level, own, calm, fall } = shared.widths[hours];
    return level + own * miss + calm * Math.min(0, miss + CALM_BY_CHANCE) + fall * fallen;
  };
  const upper = Math.max(0, share);
  const logWidth = (1 - upper) * at(pool[low]!) + upper * at(pool[low + 1]!);
  const factor = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, Math.exp(logWidth)));
  const trust = Math.max(0, Math.min(1, 2 - outlook.core.spread));
  return factor < 1 ? factor ** trust : factor;
}

/** Mixes the forecast of a new account with the simple-pace model. */
function temper(
  timeline: Timeline,
  request: ForecastRequest,
  fitted: FittedModel,
  distribution: CountDistribution,
): CountDistribution {
  const share = shareOfPace(request.asofTs - timeline.firstTs);
  if (share === 0) return distribution;
  const pace = shapeDistribution(paceMember(timeline, fitted.exposure, request));
  return mixDistributions([distribution, pace], [1 - share, share]);
}

/** Disagreement assumed where no members can be compared. */
export const UNKNOWN_MODEL_SD = 0.15;

/** For an almost unknown account: its mean so far, shrunk towards the prior, with a very wide spread. */
export function guessComing(
  timeline: Timeline,
  { asofTs, window, paceFactor = 1 }: ForecastRequest,
  initialPostsPerDay: number,
): ComingCount {
  const ageDays = timeline.all.length > 0 ? Math.max(0, asofTs - timeline.firstTs) / DAY_MS : 0;
  const seen = timeline.counted.countUpTo(asofTs);
  const perDay = (seen + 2 * initialPostsPerDay) / (ageDays + 2);
  const days = (window.endTs - Math.max(asofTs, window.startTs)) / DAY_MS;
  return {
    coming: shapeDistribution({ mean: perDay * days * paceFactor, logVariance: 0, size: 1.8 }),
    modelSd: UNKNOWN_MODEL_SD,
  };
}

/** Standard deviation, across members, of the probability of ending at or below the pool's median. */
export function disagreement(distributions: readonly CountDistribution[], median: number): number {
  const shares = distributions.map((distribution) => cdf(distribution, median));
  const mean = shares.reduce((sum, p) => sum + p, 0) / shares.length;
  const variance = shares.reduce((sum, p) => sum + (p - mean) ** 2, 0) / shares.length;
  return Math.max(0.02, Math.sqrt(variance));
}

// An account known for only a few days. Its habits are mostly prior, so they are mixed with its simple pace:
// all posts since the window began, including those before the history starts, plus the last week of history.

/** Weight of the pace in days of history; it reaches zero after six weeks. */
const PACE_DAYS = 2.6;
const GROWN_DAYS = 42;
const MAX_SHARE = 0.8;

/** Weight of the simple pace for an account of this age. */
export function shareOfPace(ageMs: number): number {
  const share = PACE_DAYS * (DAY_MS / ageMs - 1 / GROWN_DAYS);
  return Math.max(0, Math.min(MAX_SHARE, share));
}

const SIZE_AT_DAY = 5;
/** The history behind the pace is partly from the current regime, so its uncertainty counts half. */
const PAST_DOUBT = 0.5;

/** How steady a period of this length is; fitted to two dissimilar accounts. */
function steadiness(spanMs: number): number {
  const days = spanMs / DAY_MS;
  return SIZE_AT_DAY * days ** (days < 1 ? 0.78 : 0.35);
}

/** Extrapolates the pace so far, including the uncertainty in both the sample and the future. */
export function paceMember(
  { counted, firstTs }: Timeline,
  exposure: ExposureClock,
  { asofTs, window, countSoFar, paceFactor = 1 }: ForecastRequest,
): CountShape {
  const recordTs = Math.max(firstTs, asofTs - 7 * DAY_MS);
  const sinceTs = Math.min(recordTs, window.startTs, asofTs - HOUR_MS);
  const inWindow = asofTs > window.startTs ? countSoFar : 0;
  const before = counted.countSince(recordTs, Math.min(asofTs, Math.max(recordTs, window.startTs)));
  const perHour = Math.max(0.5, inWindow + before) / ((asofTs - sinceTs) / HOUR_MS);
  const fromTs = Math.max(asofTs, window.startTs);
  const size = 1 / (1 / steadiness(window.endTs - fromTs) + PAST_DOUBT / steadiness(asofTs - sinceTs));
  return { mean: perHour * exposure.between(fromTs, window.endTs) * paceFactor, logVariance: 0, size };
}

// Narrows or widens a distribution around its median on the log scale, so that nothing falls below zero.

/** Factor 1 changes nothing; 0.8 shrinks every quantile's log distance from the median by a fifth. */
export function stretchDistribution(distribution: CountDistribution, factor: number): CountDistribution {
  if (factor === 1 || distribution.pmf.length < 2) return distribution;
  const below = cumulate(distribution.pmf);
  const middle = Math.log(medianOf(distribution.from, below) + 1);
  const from = Math.max(0, Math.floor(moveEdge(distribution.from - 0.5, middle, factor)));
  const to = Math.ceil(moveEdge(distribution.from + distribution.pmf.length - 0.5, middle, factor));
  const pmf = new Float64Array(Math.max(1, to - from + 1));
  let before = 0;
  for (let k = 0; k < pmf.length; k++) {
    const edge = quickExp(middle + (Math.log(from + k + 0.5 + 1) - middle) / factor) - 1;
    const upTo = massBelow(below, edge - distribution.from + 0.5);
    pmf[k] = upTo - before;
    before = upTo;
  }
  return trimDistribution(from, pmf);
}

function moveEdge(edge: number, middle: number, factor: number): number {
  return Math.exp(middle + (Math.log(edge + 1) - middle) * factor) - 1;
}

/** Entry k is the mass below bin edge k; bin k is the count `from + k`, spread over one unit. */
function cumulate(pmf: Float64Array): Float64Array {
  const below = new Float64Array(pmf.length + 1);
  for (let k = 0; k < pmf.length; k++) below[k + 1] = below[k]! + pmf[k]!;
  return below;
}

function massBelow(below: Float64Array, edge: number): number {
  const last = below.length - 1;
  if (edge <= 0) return 0;
  if (edge >= last) return below[last]!;
  const k = Math.floor(edge);
  return below[k]! + (edge - k) * (below[k + 1]! - below[k]!);
}

function medianOf(from: number, below: Float64Array): number {
  let k = 0;
  while (below[k + 1]! < 0.5) k += 1;
  return from - 0.5 + k + (0.5 - below[k]!) / (below[k + 1]! - below[k]!);
}
