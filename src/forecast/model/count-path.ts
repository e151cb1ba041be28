// Percentiles of the running count from now to the end, from simulated futures with finals drawn from the
// published distribution. Each future spreads its remaining posts over the hours in proportion to its load,
// so an earlier count is a binomial thinning of the later one.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { normalQuantile } from '../numeric/special-functions.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { CountPath } from '../types.ts';
import type { CoreParameters } from './core-state.ts';
import type { Outlook } from './members.ts';
import type { RatePaths } from './rate-paths.ts';
import { cutComingBlocks } from './state-path.ts';

/** Points on a path, including now and the end: every three hours for a week. */
export const MAX_POINTS = 60;
/** Above this variance a rounded normal is indistinguishable from a binomial. */
const NORMAL_VARIANCE = 60;

export interface Percentiles {
  p5: number;
  p50: number;
  p95: number;
}

/** Now, then whole hours counted back from the end, so that points stay fixed as time passes. */
export function cutPathTimes(nowTs: number, endTs: number): number[] {
  if (endTs <= nowTs) return [];
  const stepMs = Math.ceil((endTs - nowTs) / HOUR_MS / (MAX_POINTS - 1)) * HOUR_MS;
  const times: number[] = [];
  for (let ts = endTs; ts > nowTs; ts -= stepMs) times.unshift(ts);
  return [nowTs, ...times];
}

/** One uniform per future and point, drawn once, so that only new data changes the results. */
export function drawPathUniforms(seed: number, paths: number): Float64Array {
  const random = createRandom(seed).fork('count paths');
  return Float64Array.from({ length: paths * MAX_POINTS }, () => random.uniform());
}

export interface PathInputs {
  times: readonly number[];
  /** For each future and time, the fraction of its remaining load up to then. */
  shares: Float64Array;
  /** Final count of each future. */
  finals: Int32Array;
  /** Lower bound for every future at every time. */
  countSoFar: number;
  /** Published percentiles of the final count, at which the path ends exactly. */
  ends: Percentiles;
  uniforms: Float64Array;
}

export function summarisePaths({ times, shares, finals, countSoFar, ends, uniforms }: PathInputs): CountPath {
  const width = times.length;
  const path: CountPath = { ts: [...times], p5: [], p50: [], p95: [] };
  const coming = finals.map((final) => Math.max(0, final - countSoFar));
  const later = new Float64Array(finals.length).fill(1);
  const histogram = new Uint32Array(coming.reduce((most, n) => Math.max(most, n), 0) + 1);
  for (let k = width - 1; k >= 0; k--) {
    for (let p = 0; p < coming.length; p++) {
      const share = shares[p * width + k]!;
      const kept = later[p]! > 0 ? Math.min(1, share / later[p]!) : 0;
      coming[p] = binomialQuantile(coming[p]!, kept, uniforms[p * MAX_POINTS + (width - 1 - k)]!);
      later[p] = share;
    }
    pushPercentiles(path, coming, histogram, k === width - 1 ? null : countSoFar, ends);
  }
  return { ts: path.ts, p5: path.p5.reverse(), p50: path.p50.reverse(), p95: path.p95.reverse() };
}

/** At the end, `countSoFar` is null and the published percentiles are used; no earlier point exceeds them. */
function pushPercentiles(
  path: CountPath,
  coming: Int32Array,
  histogram: Uint32Array,
  countSoFar: number | null,
  ends: Percentiles,
): void {
  if (countSoFar !== null) {
    histogram.fill(0);
    for (const n of coming) histogram[n]! += 1;
  }
  const at = (q: number, end: number) =>
    countSoFar === null ? end : Math.min(end, countSoFar + histogramQuantile(histogram, q * coming.length));
  path.p5.push(at(0.05, ends.p5));
  path.p50.push(at(0.5, ends.p50));
  path.p95.push(at(0.95, ends.p95));
}

function histogramQuantile(histogram: Uint32Array, rank: number): number {
  let below = 0;
  for (let n = 0; n < histogram.length; n++) {
    below += histogram[n]!;
    if (below >= rank) return n;
  }
  return histogram.length - 1;
}

/** The u-quantile of a binomial; exact for small counts. */
export function binomialQuantile(n: number, p: number, u: number): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - binomialQuantile(n, 1 - p, 1 - u);
  const variance = n * p * (1 - p);
  if (variance > NORMAL_VARIANCE) {
    const z = normalQuantile(Math.max(1e-9, Math.min(1 - 1e-9, u)));
    return Math.max(0, Math.min(n, Math.round(n * p + Math.sqrt(variance) * z)));
  }
  const odds = p / (1 - p);
  let mass = (1 - p) ** n;
  let below = mass;
  let k = 0;
  while (below < u && k < n) {
    mass *= (odds * (n - k)) / (k + 1);
    below += mass;
    k += 1;
  }
  return k;
}

// How each simulated future spreads its load over time: over days by its own rates, within a day by the
// exposure profile, so that the count stays flat at night.

/** For each path and time, the fraction of the load up to endTs that falls before it; also fills `loads`. */
export function shareLoads(
  { asofTs, fromTs, endTs, core }: Outlook,
  parameters: CoreParameters,
  exposure: ExposureClock,
  paths: RatePaths,
  times: readonly number[],
  loads: Float64Array,
): Float64Array {
  const blocks = cutComingBlocks(exposure, asofTs, fromTs, endTs);
  const days = blocks.exposures.length;
  const running = new Float64Array(loads.length * days);
  paths.loads(core, parameters, blocks, { loads, running });
  const shares = new Float64Array(loads.length * times.length);
  times.forEach((ts, k) => {
    const day = Math.max(0, Math.min(days - 1, Math.floor((ts - asofTs) / DAY_MS)));
    const whole = blocks.exposures[day]!;
    const come = exposure.between(Math.max(fromTs, asofTs + day * DAY_MS), Math.min(ts, endTs));
    const part = whole > 0 ? Math.min(1, come / whole) : 1;
    for (let p = 0; p < loads.length; p++) {
      const before = day === 0 ? 0 : running[p * days + day - 1]!;
      const load = before + part * (running[p * days + day]! - before);
      shares[p * times.length + k] = ts >= endTs ? 1 : load / loads[p]!;
    }
  });
  return shares;
}

/** Without a profile, all hours are equal. */
export function shareEvenly(times: readonly number[], fromTs: number, paths: number): Float64Array {
  const endTs = times.at(-1)!;
  const share = times.map((ts) => Math.max(0, ts - fromTs) / (endTs - fromTs));
  return Float64Array.from({ length: paths * times.length }, (_, i) => share[i % times.length]!);
}
