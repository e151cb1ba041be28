// Fractional Kelly seen as pooling with the market, to judge sizing by: given a spread, the market can be said to believe
// any vector inside the box [net bid, cost], and the one nearest the model is where a flat account would stop trading.

interface PriceBox {
  /** Least and greatest probability at which nobody gains by trading: net bid (or 1 - cost of No) and cost. */
  lower: readonly number[];
  upper: readonly number[];
}

/** Kullback-Leibler projection of the model onto the box: clip(t * p) with t such that the sum is 1. */
function projectOntoBox(probabilities: readonly number[], box: PriceBox): number[] {
  const at = (t: number) => probabilities.map((p, i) => clip(t * p, box.lower[i]!, box.upper[i]!));
  let low = 1e-9;
  let high = 1e9;
  for (let step = 0; step < 200 && high / low > 1 + 1e-14; step++) {
    const middle = Math.sqrt(low * high);
    if (sum(at(middle)) < 1) low = middle;
    else high = middle;
  }
  const projected = at(high);
  const total = sum(projected);
  // A crossed ladder (bids above 1 or asks below 1 in total) has no such vector: its prices, rescaled, must do.
  return projected.map((q) => q / total);
}

/**
 * lambda * p + (1 - lambda) * market. A bucket that the count has passed (p = 0) stays at 0: that is knowledge,
 * not opinion.
 */
export function poolTowardMarket(probabilities: readonly number[], box: PriceBox, lambda: number): number[] {
  const isDead = probabilities.map((p) => p <= 0);
  const market = projectOntoBox(probabilities, {
    lower: box.lower.map((lower, i) => (isDead[i] ? 0 : lower)),
    upper: box.upper.map((upper, i) => (isDead[i] ? 0 : upper)),
  });
  return probabilities.map((p, i) => lambda * p + (1 - lambda) * market[i]!);
}

function clip(value: number, lower: number, upper: number): number {
  return Math.max(lower, Math.min(Math.max(lower, upper), value));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
