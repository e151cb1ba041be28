// A bucket's signal in a prediction: its verdict, graded by expected gain.

import type { BucketSignal } from '../types.ts';

export type PredictionSignal = 'STRONG_BUY' | 'BUY' | 'SLIGHT_BUY' | 'HOLD' | 'SELL';

export function gradeSignal({ action, verdict }: Pick<BucketSignal, 'action' | 'verdict'>): PredictionSignal {
  if (action === 'SELL') return 'SELL';
  if (action !== 'BUY') return 'HOLD';
  if (verdict.gainPerUsd > 0.3) return 'STRONG_BUY';
  return verdict.gainPerUsd > 0.1 ? 'BUY' : 'SLIGHT_BUY';
}
