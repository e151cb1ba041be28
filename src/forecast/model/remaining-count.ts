// Distribution of the remaining count: the pool members' mixture with a learned width, adjusted for new
// accounts and for outages.

import { DAY_MS } from '../../domain/units.ts';
import { shapeDistribution } from '../distribution/count-shape.ts';
import { cdf, mixDistributions, percentile } from '../distribution/distribution.ts';
import { stretchDistribution } from '../distribution/stretch.ts';
import type { Timeline } from '../time/timeline.ts';
import type { CountDistribution, ForecastRequest } from '../types.ts';
import type { AccountMemory } from './account-memory.ts';
import type { FittedModel } from './fitted-model.ts';
import { MEMBERS, type MemberName } from './member-names.ts';
import { bracketHorizon, horizonHours, memberShapes, type Outlook, reversionFactor } from './members.ts';
import { type WeightFit, weightsAt } from './pool.ts';
import { fallDepth } from './session-features.ts';
import { mixLoads } from './state-simulation.ts';
import { paceMember, shareOfPace } from './young-account.ts';

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
  const [, , session, memories, fixed, calm] = memberShapes(fitted, outlook);
  const loads = memory.loadsOf(outlook, fitted);
  const factor = reversionFactor(fitted.shared, outlook);
  return {
    core: mixLoads(loads, LOADS_MIXED),
    reverting: mixLoads(
      loads.map((load) => load * factor),
      LOADS_MIXED,
    ),
    session: shapeDistribution(session!),
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

const LEAST_WIDTH = 0.5;
const MOST_WIDTH = 1.5;
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
  const factor = Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, Math.exp(logWidth)));
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
    modelSd: 0.15,
  };
}

/** Standard deviation, across members, of the probability of ending at or below the pool's median. */
function disagreement(distributions: readonly CountDistribution[], median: number): number {
  const shares = distributions.map((distribution) => cdf(distribution, median));
  const mean = shares.reduce((sum, p) => sum + p, 0) / shares.length;
  const variance = shares.reduce((sum, p) => sum + (p - mean) ** 2, 0) / shares.length;
  return Math.max(0.02, Math.sqrt(variance));
}
