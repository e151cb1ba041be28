// The two tables that classify a held position. Each row applies when no row above it does.

import { roundExact } from '../decimal.ts';
import type { PortfolioSignal, Recommendation } from '../types.ts';

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
