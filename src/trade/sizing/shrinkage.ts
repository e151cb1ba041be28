// Reduces bets because the model may be wrong: Baker and McHale (2013), and fractional Kelly as pooling.

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

/** For one contract, lambda-Kelly is full Kelly on this probability. */
export function poolTowardPrice(probability: number, price: number, lambda: number): number {
  return lambda * probability + (1 - lambda) * price;
}
