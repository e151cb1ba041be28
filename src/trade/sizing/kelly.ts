// Growth-optimal fractions for a flat account: one bucket, and mutually exclusive buckets (Smoczynski and
// Tomkins 2010). Costs are per share that pays 1; fractions are of the bankroll.

/** Certainty would stake the whole bankroll, and no model is that certain. */
const CERTAINTY_MARGIN = 0.001;

export function clipProbability(p: number): number {
  return Math.min(1 - CERTAINTY_MARGIN, Math.max(CERTAINTY_MARGIN, p));
}

/** max(0, (p - k) / (1 - k)); 0 for a cost outside (0, 1). */
export function computeKellyFraction(winProbability: number, cost: number): number {
  if (!(cost > 0 && cost < 1)) return 0;
  return Math.max(0, (winProbability - cost) / (1 - cost));
}

/** Expected value per USD bet: p / k - 1; 0 if no bet is possible. */
export function computeExpectedValue(winProbability: number, cost: number): number {
  return cost > 0 ? winProbability / cost - 1 : 0;
}

export interface ExclusiveAllocation {
  /** Fraction of the bankroll per bucket, in input order. */
  fractions: number[];
  /** Marginal value of cash R; a bucket is bought while p / k > R. */
  reserve: number;
  /** Indexes of the buckets bought, best ratio first. */
  included: number[];
}

/**
 * If probabilities sum to less than 1, the rest is an outcome that cannot be bought. A bucket with a cost
 * outside (0, 1) is not offered. A ladder offered for a total below 1 is an arbitrage: R = 0 and f = p.
 */
export function allocateExclusive(
  probabilities: readonly number[],
  costs: readonly number[],
): ExclusiveAllocation {
  const order = rankByRatio(probabilities, costs);
  const included: number[] = [];
  let reserve = 1;
  let probability = 0;
  let cost = 0;
  for (const i of order) {
    if (!(probabilities[i]! / costs[i]! > reserve + 1e-12)) break;
    if (cost + costs[i]! >= 1) break;
    included.push(i);
    probability += probabilities[i]!;
    cost += costs[i]!;
    reserve = Math.max(0, 1 - probability) / (1 - cost);
  }
  const fractions = probabilities.map(() => 0);
  for (const i of included) fractions[i] = Math.max(0, probabilities[i]! - reserve * costs[i]!);
  return { fractions, reserve, included };
}

function rankByRatio(probabilities: readonly number[], costs: readonly number[]): number[] {
  return probabilities
    .map((_, i) => i)
    .filter((i) => costs[i]! > 0 && costs[i]! < 1 && probabilities[i]! > 0)
    .sort((a, b) => probabilities[b]! / costs[b]! - probabilities[a]! / costs[a]!);
}

// Reduces bets because the model may be wrong: Baker and McHale (2013).

/** e^2 / (e^2 + (sd / k)^2) with e = p / k - 1: 1 for a certain model, 0 for a useless one. */
export function computeShrinkage(winProbability: number, cost: number, probabilitySd: number): number {
  if (!(cost > 0)) return 0;
  const excess = winProbability / cost - 1;
  const noise = probabilitySd / cost;
  const total = excess * excess + noise * noise;
  return total > 0 ? (excess * excess) / total : 0;
}

/** The model's sd applies near one half; it shrinks towards 0 and 1. */
export function scaleProbabilitySd(modelSd: number, probability: number): number {
  return modelSd * 2 * Math.sqrt(Math.max(0, probability * (1 - probability)));
}
