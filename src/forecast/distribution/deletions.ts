// Deletions, for a rule that excludes deleted posts: how likely a post is to survive until settlement, and
// how that affects the count.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { CountDistribution, Thinning } from '../types.ts';
import { convolveDistributions, trimDistribution } from './distribution.ts';

export interface PostLife {
  createdTs: number;
  /** When the deletion was first seen; null while the post exists. */
  deletedTs: number | null;
}

/** Fraction of posts deleted within each age band, among those that reached it. */
export interface DeletionCurve {
  hazards: readonly number[];
}

/** Start of each age band. The last band is open-ended with zero hazard: posts older than two days stay. */
const AGES_MS = [0, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 2 * DAY_MS];
/** An assumption, not a fit: 2% of posts are deleted, evenly over the ages; worth 30 posts of evidence. */
const PRIOR_HAZARD = 0.02 / (AGES_MS.length - 1);
const PRIOR_POSTS = 30;
const STEPS = 24;

/** Kaplan-Meier estimate from the account's own posts, shrunk towards the prior. */
export function learnDeletions(posts: readonly PostLife[], nowTs: number): DeletionCurve {
  const hazards = AGES_MS.slice(0, -1).map((fromMs, k) => {
    const toMs = AGES_MS[k + 1]!;
    let gone = PRIOR_HAZARD * PRIOR_POSTS;
    let atRisk = PRIOR_POSTS;
    for (const { createdTs, deletedTs } of posts) {
      const livedMs = (deletedTs ?? nowTs) - createdTs;
      if (livedMs < fromMs || nowTs - createdTs < toMs) continue;
      atRisk += 1;
      if (deletedTs !== null && livedMs < toMs) gone += 1;
    }
    return gone / atRisk;
  });
  return { hazards };
}

/** Probability that a post that exists at age `fromMs` still exists at age `toMs`. */
export function survival({ hazards }: DeletionCurve, fromMs: number, toMs: number): number {
  let kept = 1;
  for (const [k, hazard] of hazards.entries()) {
    const [binFrom, binTo] = [AGES_MS[k]!, AGES_MS[k + 1]!];
    const sharedMs = Math.min(toMs, binTo) - Math.max(fromMs, binFrom);
    if (sharedMs > 0) kept *= (1 - hazard) ** (sharedMs / (binTo - binFrom));
  }
  return kept;
}

/** Effect of deletions on a window: on existing posts by age, and on future posts. */
export function foreseeDeletions(
  curve: DeletionCurve,
  standingTs: readonly number[],
  asofTs: number,
  endTs: number,
  settleTs: number,
): Thinning {
  const groups = new Map<number, { posts: number; kept: number }>();
  for (const createdTs of standingTs) {
    const ageMs = Math.max(0, asofTs - createdTs);
    const bin = AGES_MS.findLastIndex((fromMs) => ageMs >= fromMs);
    const group = groups.get(bin) ?? { posts: 0, kept: 0 };
    groups.set(bin, {
      posts: group.posts + 1,
      kept: group.kept + survival(curve, ageMs, settleTs - createdTs),
    });
  }
  let comingKept = 0;
  for (let i = 0; i < STEPS; i++) {
    const createdTs = asofTs + ((endTs - asofTs) * (i + 0.5)) / STEPS;
    comingKept += survival(curve, 0, settleTs - createdTs) / STEPS;
  }
  const standing = [...groups.values()].map(({ posts, kept }) => ({ posts, kept: kept / posts }));
  return { comingKept, standing };
}

/** The final count: existing and future posts that survive. */
export function thinDistribution(coming: CountDistribution, thinning: Thinning): CountDistribution {
  const kept = thinning.standing.map(({ posts, kept: p }) => binomial(posts, p));
  return kept.reduce(
    (sum, part) => {
      const whole = convolveDistributions(sum, part);
      return trimDistribution(whole.from, whole.pmf);
    },
    thin(coming, thinning.comingKept),
  );
}

/** Each post survives independently with probability p. */
function thin({ from, pmf }: CountDistribution, p: number): CountDistribution {
  if (p >= 1) return { from, pmf };
  const most = from + pmf.length - 1;
  const thinned = new Float64Array(most + 1);
  for (let i = 0; i < pmf.length; i++) {
    const stay = binomial(from + i, p);
    for (let k = 0; k < stay.pmf.length; k++) thinned[stay.from + k]! += pmf[i]! * stay.pmf[k]!;
  }
  return trimDistribution(0, thinned);
}

/** Terms below this, relative to the largest, are far below what is trimmed; computing them took most of the time. */
const NEGLIGIBLE = 1e-20;

/** Computed from the mode outwards, so that terms do not underflow too early. */
function binomial(n: number, p: number): CountDistribution {
  if (n === 0 || p <= 0) return { from: 0, pmf: new Float64Array([1]) };
  if (p >= 1) return { from: n, pmf: new Float64Array([1]) };
  const pmf = new Float64Array(n + 1);
  const mode = Math.min(n, Math.floor((n + 1) * p));
  pmf[mode] = 1;
  const odds = p / (1 - p);
  let [first, last] = [mode, mode];
  for (; last < n && pmf[last]! > NEGLIGIBLE; last++)
    pmf[last + 1] = (pmf[last]! * odds * (n - last)) / (last + 1);
  for (; first > 0 && pmf[first]! > NEGLIGIBLE; first--)
    pmf[first - 1] = (pmf[first]! * first) / (odds * (n - first + 1));
  return trimDistribution(first, pmf.subarray(first, last + 1));
}
