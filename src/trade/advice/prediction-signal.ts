// The word beside a bucket of a prediction, from its edge alone.

import { roundExact } from '../pricing/decimal.ts';

export type PredictionSignal = 'STRONG_BUY' | 'BUY' | 'SLIGHT_BUY' | 'HOLD' | 'SELL';

/** A price of 0 would make every percentage infinite. */
const PRICE_FLOOR = 0.001;
/** Half a cent: below it there is nothing to act on, whatever the percentage. */
const LEAST_EDGE = 0.005;

/** Edge as a percentage of the market price. */
export function computeEdgePercent(edge: number, marketPrice: number): number {
  return roundExact((100 * roundExact(edge)) / Math.max(PRICE_FLOOR, marketPrice));
}

export function predictionSignal(edge: number, marketPrice: number): PredictionSignal {
  const exactEdge = roundExact(edge);
  if (!(Math.abs(exactEdge) >= LEAST_EDGE)) return 'HOLD';
  const percent = computeEdgePercent(exactEdge, marketPrice);
  if (percent > 30) return 'STRONG_BUY';
  if (percent > 10) return 'BUY';
  if (percent > 2) return 'SLIGHT_BUY';
  return percent <= -10 ? 'SELL' : 'HOLD';
}
