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
const MOST_POWER = 1_011;

const FRACTIONS = Float64Array.from({ length: PARTS }, (_, j) => 2 ** (j / PARTS));
const POWERS = Float64Array.from({ length: 2 * MOST_POWER + 1 }, (_, i) => 2 ** (i - MOST_POWER));

export function quickExp(x: number): number {
  if (!(x < MOST && x > -MOST)) return Math.exp(x);
  const n = Math.floor(x * PARTS_PER_UNIT + 0.5) | 0;
  const r = x - n * STEP_HIGH - n * STEP_LOW;
  const series = 1 + r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120)))));
  return POWERS[(n >> 6) + MOST_POWER]! * FRACTIONS[n & 63]! * series;
}
