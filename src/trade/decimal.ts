// Prices and thresholds are decimal but floats are binary. Every number that is published or compared with a
// threshold is rounded here first.

/** Nine decimals: finer than any price tick, coarser than float error (0.55 - 0.35 = 0.20000000000000007). */
export function roundExact(value: number): number {
  return Math.round(value * 1e9) / 1e9 || 0;
}

export function subtractExact(left: number, right: number): number {
  return roundExact(left - right);
}

/** Rounds down to whole cents; float error below a billionth does not lose a cent. */
export function floorCents(usd: number): number {
  return Math.floor(roundExact(usd * 100)) / 100 || 0;
}

export function roundCents(usd: number): number {
  return Math.round(roundExact(usd * 100)) / 100 || 0;
}

/** Published money and shares: six decimals, the precision of the settlement currency. */
export function roundMicros(value: number): number {
  return Math.round(value * 1e6) / 1e6 || 0;
}
