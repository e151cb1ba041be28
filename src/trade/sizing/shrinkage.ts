// Betting less because the model may be wrong: Baker and McHale (2013), and the pooling view of fractional Kelly.

/** e^2 / (e^2 + (sd / k)^2) with e = p / k - 1: 1 for a sure model, 0 for one that knows nothing. */
export function computeShrinkage(winProbability: number, cost: number, probabilitySd: number): number {
  if (!(cost > 0)) return 0;
  const excess = winProbability / cost - 1;
  const noise = probabilitySd / cost;
  const total = excess * excess + noise * noise;
  return total > 0 ? (excess * excess) / total : 0;
}

/** The model's sd is stated near one half; toward 0 and 1 a probability has less room to be wrong. */
export function scaleProbabilitySd(modelSd: number, probability: number): number {
  return modelSd * 2 * Math.sqrt(Math.max(0, probability * (1 - probability)));
}

/** For one contract, lambda-Kelly is full Kelly on this probability. */
export function poolTowardPrice(probability: number, price: number, lambda: number): number {
  return lambda * probability + (1 - lambda) * price;
}
