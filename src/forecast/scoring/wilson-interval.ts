// Wilson score interval for a proportion, valid for few trials and near 0 and 1.

const Z_95 = 1.959963985;

/** As fractions; null without trials. */
export function computeWilsonInterval(
  hits: number,
  trials: number,
  z = Z_95,
): { lo: number; hi: number } | null {
  if (trials === 0) return null;
  const rate = hits / trials;
  const z2 = z * z;
  const centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials);
  const half = (z / (1 + z2 / trials)) * Math.sqrt((rate * (1 - rate)) / trials + z2 / (4 * trials * trials));
  return { lo: Math.max(0, centre - half), hi: Math.min(1, centre + half) };
}
