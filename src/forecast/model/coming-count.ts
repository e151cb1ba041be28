// The distribution of the count still to come: what the members say, pooled, as wide as it proved to be, and tempered where the
// account is young or its pace was not seen.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { cdf, mixDistributions, percentile } from '../distribution/distribution.ts';
import { stretchDistribution } from '../distribution/stretch.ts';
import type { Timeline } from '../time/timeline.ts';
import type { CountDistribution, ForecastRequest } from '../types.ts';
import type { AccountMemory } from './account-memory.ts';
import type { FittedModel } from './fitted-model.ts';
import { bankDistributions, distributionOf, sessionMember, steadyMember, widthAt } from './members.ts';
import { type MemberDistributions, poolDistributions, poolWeights, STEADY_LEAVES_HOURS } from './pool.ts';
import { mixLoads } from './state-simulation.ts';
import { paceMember, shareOfPace } from './young-account.ts';

/** A normal variable by five points (Gauss-Hermite). */
const PACE_POINTS = [
  { z: -2.857, weight: 0.011_257 },
  { z: -1.3556, weight: 0.222_076 },
  { z: 0, weight: 0.533_333 },
  { z: 1.3556, weight: 0.222_076 },
  { z: 2.857, weight: 0.011_257 },
];

export interface ComingCount {
  coming: CountDistribution;
  /** How far the members are apart. */
  modelSd: number;
}

/** Distributions of the count still to come, by member of the pool. */
export function memberDistributions(memory: AccountMemory, request: ForecastRequest): MemberDistributions {
  const { fitted, outlook } = memory.look(request);
  const { states, rates } = bankDistributions(fitted, outlook);
  const session = distributionOf(sessionMember(fitted, outlook));
  const core = mixLoads(memory.loadsOf(outlook, fitted));
  return { core, states, rates, session, steady: distributionOf(steadyMember(fitted, outlook)) };
}

/** The pace is mixed over where nobody saw it: its mean stays, the distribution widens. */
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
  const hours = (request.window.endTs - request.asofTs) / HOUR_MS;
  const { stateShare, states, rates } = bankDistributions(fitted, outlook);
  const session = distributionOf(sessionMember(fitted, outlook));
  // Where the plain rate has no say it need not be asked.
  const steady = hours < STEADY_LEAVES_HOURS ? distributionOf(steadyMember(fitted, outlook)) : session;
  const core = mixLoads(memory.loadsOf(outlook, fitted));
  const distributions = { core, states, rates, session, steady };
  const pooled = poolDistributions(distributions, poolWeights(hours, stateShare));
  const coming = temper(
    memory.timeline,
    request,
    fitted,
    stretchDistribution(pooled, widthAt(fitted, outlook)),
  );
  return { coming, modelSd: disagreement(Object.values(distributions), percentile(coming, 0.5)) };
}

/** What is said of a young account, with the plain pace beside it. */
function temper(
  timeline: Timeline,
  request: ForecastRequest,
  fitted: FittedModel,
  distribution: CountDistribution,
): CountDistribution {
  const share = shareOfPace(request.asofTs - timeline.firstTs);
  if (share === 0) return distribution;
  const pace = distributionOf(paceMember(timeline, fitted.exposure, request));
  return mixDistributions([distribution, pace], [1 - share, share]);
}

/** An account we know next to nothing of: its mean so far, drawn to the prior, and a very wide distribution. */
export function guessComing(
  timeline: Timeline,
  { asofTs, window, paceFactor = 1 }: ForecastRequest,
  initialPostsPerDay: number,
): ComingCount {
  const ageDays = timeline.all.length > 0 ? Math.max(0, asofTs - timeline.firstTs) / DAY_MS : 0;
  const seen = timeline.counted.countUpTo(asofTs);
  const perDay = (seen + 2 * initialPostsPerDay) / (ageDays + 2);
  const days = (window.endTs - Math.max(asofTs, window.startTs)) / DAY_MS;
  return { coming: distributionOf({ mean: perDay * days * paceFactor, size: 1.8 }), modelSd: 0.15 };
}

/** Standard deviation between members of the probability to end at or below the pool's median. */
function disagreement(distributions: readonly CountDistribution[], median: number): number {
  const shares = distributions.map((distribution) => cdf(distribution, median));
  const mean = shares.reduce((sum, p) => sum + p, 0) / shares.length;
  const variance = shares.reduce((sum, p) => sum + (p - mean) ** 2, 0) / shares.length;
  return Math.max(0.02, Math.sqrt(variance));
}
