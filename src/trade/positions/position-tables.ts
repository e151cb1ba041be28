// The two tables that classify a held position. Each row applies when no row above it does.

import { computeEdgePercent } from '../advice/prediction-signal.ts';
import { roundExact } from '../pricing/decimal.ts';
import type { PortfolioSignal, Recommendation } from '../types.ts';

/** Edge as a percentage of the market price, however low; only a price of 0 needs the floor. */
export function computePositionEdgePercent(edge: number, marketPrice: number): number {
  return marketPrice > 0
    ? roundExact((100 * roundExact(edge)) / marketPrice)
    : computeEdgePercent(edge, marketPrice);
}

export function classifyPositionSignal(edgePercent: number): PortfolioSignal {
  const percent = roundExact(edgePercent);
  if (percent > 30) return 'STRONG_BUY';
  if (percent > 10) return 'BUY';
  if (percent > 0) return 'HOLD';
  return percent > -10 ? 'AVOID' : 'SELL';
}

export function classifyRecommendation(edge: number): Recommendation {
  const exact = roundExact(edge);
  if (exact > 0.2) return 'STRONG_HOLD';
  if (exact > 0.05) return 'HOLD';
  return exact > -0.05 ? 'MONITOR' : 'CONSIDER_SELLING';
}
