// Bias correction and beta recalibration: both learned from the account's own resolved windows, shrunk hard, and
// both behind a gate that opens only when they have paid off out of sample.

import { digamma, logGamma, regularisedBeta } from '../numeric/special-functions.ts';
import type { CountLaw } from '../types.ts';
import { logNegativeBinomial } from './negative-binomial.ts';

/** Past windows of one horizon, in order: what came, what was said. */
export interface ResolvedWindows {
  hours: number;
  /** Origins apart, in hours: how many windows overlap. */
  stepHours: number;
  counts: readonly number[];
  means: readonly number[];
  sizes: readonly number[];
}

export interface GateVerdict {
  isOpen: boolean;
  /** Windows scored out of sample. */
  events: number;
  /** Mean gain in log score per window, in nats, and its standard error. */
  gain: number;
  standardError: number;
}

const ENOUGH = 100;
const CONFIDENCE = 2.33;
const MEMORY = 40;

/** b of the last resolved windows: shrunk mean log ratio, at most 15 percent either way. */
export function biasFactor(logRatios: readonly number[], enough = 20): number {
  const recent = logRatios.slice(-MEMORY);
  if (recent.length < enough) return 1;
  const mean = recent.reduce((sum, x) => sum + x, 0) / recent.length;
  const shrunk = (recent.length / (recent.length + 30)) * mean;
  return Math.exp(Math.max(-0.15, Math.min(0.15, shrunk)));
}

export function logRatio(count: number, mean: number, size: number): number {
  // Median of the law, near enough: a gamma's median is its mean times (1 - 1/(3 size)).
  const median = mean * (1 - 1 / (3 * Math.max(0.5, size)));
  return Math.log((count + 2) / (median + 2));
}

/** The correction that would apply now, and whether it has earned it. */
export function judgeBias(windows: ResolvedWindows, enough = 20): { factor: number; verdict: GateVerdict } {
  const { counts, means, sizes } = windows;
  const lag = Math.ceil(windows.hours / windows.stepHours);
  const ratios = counts.map((count, i) => logRatio(count, means[i]!, sizes[i]!));
  const gains: number[] = [];
  for (let i = lag; i < counts.length; i++) {
    const known = ratios.slice(0, i - lag + 1);
    if (known.length < enough) continue;
    const factor = biasFactor(known, enough);
    gains.push(
      logNegativeBinomial(counts[i]!, means[i]! * factor, sizes[i]!) -
        logNegativeBinomial(counts[i]!, means[i]!, sizes[i]!),
    );
  }
  return { factor: biasFactor(ratios, enough), verdict: judge(gains, lag) };
}

export interface BetaMap {
  alpha: number;
  beta: number;
}

export const IDENTITY_MAP: BetaMap = { alpha: 1, beta: 1 };

/** G(F) = I_F(alpha, beta). */
export function recalibrateCdf(f: number, { alpha, beta }: BetaMap): number {
  return regularisedBeta(f, alpha, beta);
}

export function recalibrateLaw(law: CountLaw, map: BetaMap): CountLaw {
  if (map.alpha === 1 && map.beta === 1) return law;
  const pmf = new Float64Array(law.pmf.length);
  let below = 0;
  let mapped = 0;
  for (let i = 0; i < pmf.length; i++) {
    below += law.pmf[i]!;
    const next = i === pmf.length - 1 ? 1 : recalibrateCdf(Math.min(1, below), map);
    pmf[i] = Math.max(0, next - mapped);
    mapped = next;
  }
  return { from: law.from, pmf };
}

/** MAP of the beta map from PIT values, prior precision 30 on both logs; Newton-like steps on the logs. */
export function fitBetaMap(pits: readonly number[], precision = 30): BetaMap {
  if (pits.length < 10) return IDENTITY_MAP;
  let a = 0;
  let b = 0;
  const safe = pits.map((u) => Math.max(1e-4, Math.min(1 - 1e-4, u)));
  const logU = safe.reduce((sum, u) => sum + Math.log(u), 0);
  const logV = safe.reduce((sum, u) => sum + Math.log(1 - u), 0);
  for (let i = 0; i < 40; i++) {
    const alpha = Math.exp(a);
    const beta = Math.exp(b);
    const shared = digamma(alpha + beta);
    const gradA = alpha * (pits.length * (shared - digamma(alpha)) + logU) - precision * a;
    const gradB = beta * (pits.length * (shared - digamma(beta)) + logV) - precision * b;
    // The information of a beta law near (1, 1) is about one per observation on the log scale.
    const step = 1 / (pits.length + precision);
    a += step * gradA;
    b += step * gradB;
    if (Math.abs(step * gradA) + Math.abs(step * gradB) < 1e-7) break;
  }
  return { alpha: Math.exp(a), beta: Math.exp(b) };
}

function logBetaDensity(u: number, { alpha, beta }: BetaMap): number {
  const x = Math.max(1e-4, Math.min(1 - 1e-4, u));
  return (
    logGamma(alpha + beta) -
    logGamma(alpha) -
    logGamma(beta) +
    (alpha - 1) * Math.log(x) +
    (beta - 1) * Math.log(1 - x)
  );
}

/** How often the map is learned again while it is being judged. */
const RELEARN_EVERY = 14;

export function judgeRecalibration(
  windows: ResolvedWindows,
  pits: readonly number[],
): { map: BetaMap; verdict: GateVerdict } {
  const lag = Math.ceil(windows.hours / windows.stepHours);
  const gains: number[] = [];
  let map = IDENTITY_MAP;
  for (let i = lag + 10; i < pits.length; i++) {
    if ((i - lag - 10) % RELEARN_EVERY === 0) map = fitBetaMap(pits.slice(0, i - lag + 1));
    gains.push(logBetaDensity(pits[i]!, map));
  }
  return { map: fitBetaMap(pits), verdict: judge(gains, lag) };
}

/** Opens when the mean gain is surely positive, allowing for windows that overlap (Newey-West). */
function judge(gains: readonly number[], overlap: number): GateVerdict {
  const n = gains.length;
  if (n === 0) return { isOpen: false, events: 0, gain: 0, standardError: 0 };
  const gain = gains.reduce((sum, x) => sum + x, 0) / n;
  let variance = 0;
  for (let lag = 0; lag <= Math.min(overlap, n - 1); lag++) {
    let sum = 0;
    for (let i = lag; i < n; i++) sum += (gains[i]! - gain) * (gains[i - lag]! - gain);
    variance += (lag === 0 ? 1 : 2 * (1 - lag / (overlap + 1))) * (sum / n);
  }
  const standardError = Math.sqrt(Math.max(0, variance) / n);
  return { isOpen: n >= ENOUGH && gain > CONFIDENCE * standardError, events: n, gain, standardError };
}
