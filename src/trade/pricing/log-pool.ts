/** q proportional to model ^ w * market ^ (1 - w). What the model rules out stays out. */
export function poolLogarithmically(
  model: readonly number[],
  market: readonly number[],
  modelWeight: number,
): number[] {
  const raw = model.map((p, i) => (p > 0 ? p ** modelWeight * market[i]! ** (1 - modelWeight) : 0));
  const total = raw.reduce((sum, q) => sum + q, 0);
  return total > 0 ? raw.map((q) => q / total) : [...model];
}
