// Edge of the model over the market, as a percentage of the price.

import { roundExact } from '../decimal.ts';

/** Relative to the published market price, however low; 0 at a price of 0. */
export function computeEdgePercent(edge: number, marketPrice: number): number {
  return marketPrice > 0 ? roundExact((100 * roundExact(edge)) / marketPrice) : 0;
}
