// Median, quantiles, spread and trend of a few measurements.

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Interpolates linearly between neighbours; NaN if there are no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** Half the range, divided by the median. */
export function relativeSpread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / 2 / median(values);
}

/** Slope of the least-squares line. */
export function fitSlope(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(xs), mean(ys)];
  let across = 0;
  let along = 0;
  for (const [i, x] of xs.entries()) {
    across += (x - meanX) * (ys[i]! - meanY);
    along += (x - meanX) ** 2;
  }
  return across / along;
}
