// Confidence classes by bucket probability and by time left.

import { roundExact } from '../decimal.ts';
import { scaleProbabilitySd } from '../sizing/shrinkage.ts';
import type { ConfidenceClass } from '../types.ts';

const HOURS_24_S = 86_400;
const HOURS_48_S = 172_800;

/** HIGH and MEDIUM require p to exceed the cost by 1.64 and 1 standard deviations, respectively. */
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

/** HIGH under 24 h, MEDIUM up to 48 h, LOW beyond. */
export function classifyTimeConfidence(secondsRemaining: number): ConfidenceClass {
  if (secondsRemaining < HOURS_24_S) return 'HIGH';
  return secondsRemaining <= HOURS_48_S ? 'MEDIUM' : 'LOW';
}
