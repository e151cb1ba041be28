// Bounds of a side's probability, and whether they prove a purchase.

import type { OutcomeSide } from '../../domain/position.ts';
import type { BucketEdge, PricedBucket } from '../types.ts';

/** Whether the side's probability bound exceeds its cost. */
export function isProven(
  edge: BucketEdge,
  bucket: PricedBucket,
  side: OutcomeSide,
  cost: number,
  slack = 0,
): boolean {
  return edge.halt === null && boundOf(edge, bucket, side) > cost - slack;
}

/** Lower bound of the side's probability; for a model edge, at most the model's own probability. */
export function boundOf(edge: BucketEdge, { modelProbability }: PricedBucket, side: OutcomeSide): number {
  const bound = side === 'Yes' ? edge.lower : 1 - edge.upper;
  if (edge.kind === 'fact') return bound;
  return Math.min(bound, side === 'Yes' ? modelProbability : 1 - modelProbability);
}
