// Confidence classes: by the bucket's probability, and by the time left.

import { roundExact } from '../decimal.ts';
import { scaleProbabilitySd } from '../sizing/shrinkage.ts';
import type { ConfidenceClass } from '../types.ts';

const HOURS_24_S = 86_400;
const HOURS_48_S = 172_800;

/** HIGH and MEDIUM require p to exceed the cost by 1.64 and 1 standard deviations of the probability. */
export function classifyConfidence(
  probability: number,
  modelSd: number,
  costPerShare: number | null,
): ConfidenceClass {
  if (costPerShare === null) return 'LOW';
  const sd = scaleProbabilitySd(modelSd, probability);
  if (probability >= 0.75 && roundExact(probability - 1.64 * sd) > costPerShare) return 'HIGH';
  if (probability >= 0.4 && roundExact(probability - sd) > costPerShare) return 'MEDIUM';
  return 'LOW';
}

/** Under 24 h HIGH, to 48 h MEDIUM, beyond LOW. */
export function classifyTimeConfidence(secondsRemaining: number): ConfidenceClass {
  if (secondsRemaining < HOURS_24_S) return 'HIGH';
  return secondsRemaining <= HOURS_48_S ? 'MEDIUM' : 'LOW';
}
