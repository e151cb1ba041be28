// The sizing objective, implemented independently; golden numbers verify it in the sizing tests.

/** Expected log growth of staking `fraction` on one bucket. */
export function computeSingleGrowth(winProbability: number, cost: number, fraction: number): number {
  if (fraction === 0) return 0;
  return (
    winProbability * Math.log(1 - fraction + fraction / cost) + (1 - winProbability) * Math.log(1 - fraction)
  );
}

/** Expected log growth of an allocation over exclusive buckets; -Infinity if an outcome means ruin. */
export function computeExclusiveGrowth(
  probabilities: readonly number[],
  costs: readonly number[],
  fractions: readonly number[],
): number {
  const kept = Math.max(0, 1 - fractions.reduce((sum, f) => sum + f, 0));
  let growth = 0;
  let covered = 0;
  probabilities.forEach((p, i) => {
    covered += p;
    if (p > 0) growth += p * Math.log(kept + (fractions[i]! > 0 ? fractions[i]! / costs[i]! : 0));
  });
  const rest = 1 - covered;
  return rest > 1e-12 ? growth + rest * Math.log(kept) : growth;
}

export function computeExpectedLogWealth(probabilities: Float64Array, wealth: Float64Array): number {
  return probabilities.reduce((sum, p, c) => (p > 0 ? sum + p * Math.log(wealth[c]!) : sum), 0);
}

/** Shadow price of each bucket of one event: its share of marginal utility. */
export function computeShadowPrices(
  probabilities: Float64Array,
  wealth: Float64Array,
  winners: Int32Array,
  bucketCount: number,
): number[] {
  const marginal = new Float64Array(bucketCount);
  let total = 0;
  probabilities.forEach((p, c) => {
    if (p <= 0) return;
    total += p / wealth[c]!;
    if (winners[c]! >= 0) marginal[winners[c]!]! += p / wealth[c]!;
  });
  return Array.from(marginal, (value) => value / total);
}
