// The gamma function to about 14 digits, for the count distributions, and the normal distribution.

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Gamma(x), x > 0 (Lanczos, g = 7). */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const y = x - 1;
  let sum = LANCZOS[0]!;
  for (let i = 1; i < 9; i++) sum += LANCZOS[i]! / (y + i);
  const t = y + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Standard normal quantile (Acklam's rational approximation, 1e-9). */
export function normalQuantile(p: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY;
  if (p >= 1) return Number.POSITIVE_INFINITY;
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return (
      (((((-7.784894002430293e-3 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) *
        q +
        4.374664141464968) *
        q +
        2.938163982698783) /
      ((((7.784695709041462e-3 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) *
        q +
        1)
    );
  }
  const q = p - 0.5;
  const r = q * q;
  return (
    ((((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
      2.506628277459239) *
      q) /
    (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
      1)
  );
}

// Exponential for inner loops: inlined arithmetic instead of calling Math.exp, exact to the last bit or two.
// exp(x) = 2^k * 2^(j/64) * exp(r), with |r| below ln 2 / 128.

const PARTS = 64;
const PARTS_PER_UNIT = PARTS / Math.LN2;
/** ln 2 minus Math.LN2. */
const LN2_REST = 2.3190468138462996e-17;
// ln 2 / 64 in two parts; the first has few enough bits that multiplying it by n is exact.
const STEP_HIGH = Math.fround(Math.LN2 / PARTS);
const STEP_LOW = Math.LN2 / PARTS - STEP_HIGH + LN2_REST / PARTS;
/** Beyond this, results leave the range of normal floats. */
const MOST = 700;
const MAX_POWER = 1_011;

const FRACTIONS = Float64Array.from({ length: PARTS }, (_, j) => 2 ** (j / PARTS));
const POWERS = Float64Array.from({ length: 2 * MAX_POWER + 1 }, (_, i) => 2 ** (i - MAX_POWER));

export function quickExp(x: number): number {
  if (!(x < MOST && x > -MOST)) return Math.exp(x);
  const n = Math.floor(x * PARTS_PER_UNIT + 0.5) | 0;
  const r = x - n * STEP_HIGH - n * STEP_LOW;
  const series = 1 + r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120)))));
  return POWERS[(n >> 6) + MAX_POWER]! * FRACTIONS[n & 63]! * series;
}
