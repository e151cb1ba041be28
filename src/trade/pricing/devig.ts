// Converts prices to probabilities: removes the bookmaker's margin by the power method, which, unlike
// proportional scaling, does not leave long shots overpriced.

/** Finds the exponent k for which the powers of the prices sum to 1; null with fewer than two prices. */
export function devigPrices(prices: readonly (number | null)[]): number[] | null {
  if (prices.length < 2 || prices.some((price) => price === null)) return null;
  const known = prices.map((price) => Math.min(0.999, Math.max(1e-4, price!)));
  const power = recallPower(known);
  const raised = known.map((price) => price ** power);
  const total = raised.reduce((sum, p) => sum + p, 0);
  return raised.map((p) => p / total);
}

/** Cached, because what-if requests repeat the same prices and the search is slow. */
const powers = new Map<string, number>();
const POWERS_KEPT = 256;

function recallPower(prices: readonly number[]): number {
  const key = prices.join();
  const power = powers.get(key) ?? findPower(prices);
  if (powers.size >= POWERS_KEPT) powers.clear();
  powers.set(key, power);
  return power;
}

export function findPower(prices: readonly number[]): number {
  let low = 0.01;
  let high = 100;
  for (let round = 0; round < 100; round++) {
    const middle = Math.sqrt(low * high);
    // The interval cannot shrink any further.
    if (middle <= low || middle >= high) break;
    if (prices.reduce((sum, price) => sum + price ** middle, 0) > 1) low = middle;
    else high = middle;
  }
  return high;
}
