// The model against the price: edge as a share of the price.

import { roundExact } from '../decimal.ts';

/** Edge as a percentage of the market price as published, however low; a price of 0 has no percentage: 0. */
export function computeEdgePercent(edge: number, marketPrice: number): number {
  return marketPrice > 0 ? roundExact((100 * roundExact(edge)) / marketPrice) : 0;
}
