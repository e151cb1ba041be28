// Prices to probabilities (removing the vig three ways), and pooling a model with a market.

/** Plain division: leaves long shots overpriced. */
export function removeVigProportional(prices: readonly number[]): number[] {
  const total = prices.reduce((sum, price) => sum + price, 0);
  return prices.map((price) => price / total);
}

/** price ^ k with k such that the sum is 1. */
export function removeVigPower(prices: readonly number[]): { k: number; probabilities: number[] } {
  const sumAt = (k: number) => prices.reduce((sum, price) => sum + price ** k, 0);
  const k = bisect((x) => sumAt(x) - 1, 0.05, 20);
  return { k, probabilities: normalise(prices.map((price) => price ** k)) };
}

/** Shin: a share z of the money is informed. */
export function removeVigShin(prices: readonly number[]): { z: number; probabilities: number[] } {
  const total = prices.reduce((sum, price) => sum + price, 0);
  if (total <= 1) return { z: 0, probabilities: removeVigProportional(prices) };
  const at = (z: number) =>
    prices.map((price) => (Math.sqrt(z * z + (4 * (1 - z) * price * price) / total) - z) / (2 * (1 - z)));
  const z = bisect((x) => at(x).reduce((sum, p) => sum + p, 0) - 1, 0, 0.9);
  return { z, probabilities: normalise(at(z)) };
}

/** q proportional to model^w * market^(1 - w). */
export function logPool(model: readonly number[], market: readonly number[], weight: number): number[] {
  return normalise(model.map((p, i) => p ** weight * market[i]! ** (1 - weight)));
}

function normalise(values: readonly number[]): number[] {
  return removeVigProportional(values);
}

/** Root of a decreasing function. */
function bisect(f: (x: number) => number, low: number, high: number): number {
  let a = low;
  let b = high;
  for (let i = 0; i < 200 && b - a > 1e-14; i++) {
    const middle = (a + b) / 2;
    if (f(middle) > 0) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}
