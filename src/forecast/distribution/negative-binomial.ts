// The negative binomial by mean and size (variance = mean + mean^2 / size), with the Poisson as its limit.

import { logGamma } from '../numeric/special-functions.ts';

/** Beyond this size the distribution equals the Poisson to well under a thousandth. */
const POISSON_SIZE = 1e8;

export function logNegativeBinomial(count: number, mean: number, size: number): number {
  if (mean <= 0) return count === 0 ? 0 : Number.NEGATIVE_INFINITY;
  if (size >= POISSON_SIZE) return count * Math.log(mean) - mean - logGamma(count + 1);
  return (
    logGamma(count + size) -
    logGamma(size) -
    logGamma(count + 1) -
    size * Math.log1p(mean / size) +
    count * Math.log(mean / (mean + size))
  );
}

/**
 * Adds weight * NB(mean, size) to target[0..]. Starts at the mode and walks outwards by the ratio of
 * neighbouring terms, so nothing underflows; stops when terms become negligible.
 */
export function addNegativeBinomial(target: Float64Array, mean: number, size: number, weight: number): void {
  if (mean <= 1e-12) {
    target[0]! += weight;
    return;
  }
  const q = size >= POISSON_SIZE ? 0 : mean / (mean + size);
  const mode = Math.min(target.length - 1, Math.max(0, Math.floor((mean * (size - 1)) / size)));
  const top = weight * Math.exp(logNegativeBinomial(mode, mean, size));
  const least = top * 1e-12;
  target[mode]! += top;
  let term = top;
  for (let x = mode + 1; x < target.length && term > least; x++) {
    term *= q === 0 ? mean / x : (q * (x - 1 + size)) / x;
    target[x]! += term;
  }
  term = top;
  for (let x = mode; x > 0 && term > least; x--) {
    term *= q === 0 ? x / mean : x / (q * (x - 1 + size));
    target[x - 1]! += term;
  }
}

/**
 * Adds the sum of weights[i] * NB(means[i], size) to target[0..]. The size-dependent part of the ratios is
 * computed once for all means, because a mixture of a hundred distributions spends most of its time there.
 */
export function addNegativeBinomials(
  target: Float64Array,
  means: Float64Array,
  size: number,
  weights: Float64Array,
): void {
  if (size >= POISSON_SIZE) {
    for (let i = 0; i < means.length; i++) addNegativeBinomial(target, means[i]!, size, weights[i]!);
    return;
  }
  const ratios = ratiosOf(size, target.length);
  for (let i = 0; i < means.length; i++) addByRatios(target, means[i]!, size, weights[i]!, ratios);
}

interface Ratios {
  /** up[x]: factor from term x - 1 to term x, without q; down[x]: the reverse. */
  up: Float64Array;
  down: Float64Array;
}

function ratiosOf(size: number, length: number): Ratios {
  const [up, down] = [new Float64Array(length), new Float64Array(length)];
  for (let x = 1; x < length; x++) {
    up[x] = (x - 1 + size) / x;
    down[x] = x / (x - 1 + size);
  }
  return { up, down };
}

/** Like addNegativeBinomial, but multiplies by inverses instead of dividing. */
function addByRatios(
  target: Float64Array,
  mean: number,
  size: number,
  weight: number,
  { up, down }: Ratios,
): void {
  if (mean <= 1e-12) {
    target[0]! += weight;
    return;
  }
  const q = mean / (mean + size);
  const mode = Math.min(target.length - 1, Math.max(0, Math.floor((mean * (size - 1)) / size)));
  const top = weight * Math.exp(logNegativeBinomial(mode, mean, size));
  const least = top * 1e-12;
  target[mode]! += top;
  let term = top;
  for (let x = mode + 1; x < target.length && term > least; x++) {
    term *= q * up[x]!;
    target[x]! += term;
  }
  const back = 1 / q;
  term = top;
  for (let x = mode; x > 0 && term > least; x--) {
    term *= back * down[x]!;
    target[x - 1]! += term;
  }
}

/** No account posts this often; a longer tail adds cost but no information. */
const MAX_SUPPORT = 150_000;

/** A count exceeded with probability far below 1e-9, at which to cut the support. */
export function farQuantile(mean: number, size: number): number {
  const sd = Math.sqrt(mean + (mean * mean) / size);
  // With a small size the tail is exponential with scale (mean + size) / size, hence the second term.
  const far = Math.ceil(mean + 8 * sd + 22 * (1 + mean / size) + 8);
  return Math.min(far, Math.max(MAX_SUPPORT, Math.ceil(4 * mean)));
}

export function negativeBinomialPmf(mean: number, size: number): Float64Array {
  const pmf = new Float64Array(farQuantile(mean, size) + 1);
  addNegativeBinomial(pmf, mean, size, 1);
  return pmf;
}

/**
 * Weighted maximum-likelihood size on a log-spaced grid, refined by a parabola through the best three points.
 * The prior is normal in ln size and has the weight of priorWeight observations.
 */
export function fitSize(
  counts: ArrayLike<number>,
  means: ArrayLike<number>,
  weights: ArrayLike<number>,
  scales: ArrayLike<number>,
  prior: { size: number; logSd: number } = { size: 10, logSd: 3 },
  guess = prior.size,
): number {
  const steps = 28;
  const low = Math.log(0.15);
  const step = (Math.log(600) - low) / (steps - 1);
  const score = (i: number) => {
    const logSize = low + i * step;
    const z = (logSize - Math.log(prior.size)) / prior.logSd;
    return sizeLogLikelihood(counts, means, weights, scales, Math.exp(logSize)) - 0.5 * z * z;
  };
  const known = new Map<number, number>();
  const at = (i: number) => {
    if (!known.has(i)) known.set(i, score(i));
    return known.get(i)!;
  };
  // Hill climbing: the profile is unimodal in practice, and most guesses are only a few steps off.
  let best = Math.max(1, Math.min(steps - 2, Math.round((Math.log(guess) - low) / step)));
  const uphill = at(best + 1) > at(best) ? 1 : -1;
  while (best + uphill >= 0 && best + uphill < steps && at(best + uphill) > at(best)) best += uphill;
  return Math.exp(low + step * (best + parabolaOffset(at, best, steps)));
}

function parabolaOffset(at: (i: number) => number, best: number, steps: number): number {
  if (best === 0 || best === steps - 1) return 0;
  const curve = at(best - 1) - 2 * at(best) + at(best + 1);
  return curve < 0 ? Math.max(-0.5, Math.min(0.5, (0.5 * (at(best - 1) - at(best + 1))) / curve)) : 0;
}

/** Log-likelihood up to terms that do not depend on the size; row i has size baseSize * scales[i]. */
function sizeLogLikelihood(
  counts: ArrayLike<number>,
  means: ArrayLike<number>,
  weights: ArrayLike<number>,
  scales: ArrayLike<number>,
  baseSize: number,
): number {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    const mean = means[i]!;
    const count = counts[i]!;
    const size = baseSize * scales[i]!;
    sum +=
      weights[i]! *
      (fastLogGamma(count + size) -
        fastLogGamma(size) -
        (count + size) * Math.log(1 + mean / size) +
        count * Math.log(mean / size));
  }
  return sum;
}

/** Stirling's series with two correction terms where that is accurate to 1e-9; halves refit time. */
function fastLogGamma(x: number): number {
  if (x < 7) {
    // Shifts up by the recurrence: one logarithm of a product instead of a Lanczos sum.
    let product = x;
    let y = x + 1;
    for (; y < 7; y++) product *= y;
    return fastLogGamma(y) - Math.log(product);
  }
  const inverse = 1 / x;
  const square = inverse * inverse;
  return (
    (x - 0.5) * Math.log(x) -
    x +
    0.9189385332046727 +
    inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)))
  );
}
