// Model vs. price: the edge as a share of the price.

import { roundExact } from '../decimal.ts';

/** Edge as a percentage of the published market price, however low; 0 at a price of 0. */
export function computeEdgePercent(edge: number, marketPrice: number): number {
  return marketPrice > 0 ? roundExact((100 * roundExact(edge)) / marketPrice) : 0;
}
