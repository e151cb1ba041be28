// Computes fractional Kelly as pooling with the market, to verify sizing. Given a spread, any vector inside
// the box [net bid, cost] is a possible market view; an account without positions would stop trading at the
// vector nearest to the model.

interface PriceBox {
  /** Lowest and highest probability without a profitable trade: net bid (or 1 - cost of No) and cost. */
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
  // A crossed ladder (bids above 1 or asks below 1 in total) has no such vector, so use its rescaled prices.
  return projected.map((q) => q / total);
}

/** lambda * p + (1 - lambda) * market. A passed bucket (p = 0) stays at 0, because it is certain to lose. */
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
