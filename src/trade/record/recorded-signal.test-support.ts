// A settled, winning bet of 20 shares at 50 cents.

import type { RecordedSignal } from './record.ts';

export function betOn(eventId: number, change: Partial<RecordedSignal> = {}): RecordedSignal {
  return {
    eventId,
    horizonH: 24,
    confidence: 'HIGH',
    strategy: null,
    modelProbability: 0.6,
    edgeKind: 'model',
    winProbability: 0.6,
    marketPrice: 0.5,
    costPerShare: 0.5,
    shares: 20,
    stakeUsd: 10,
    asofTs: eventId,
    won: true,
    pnlUsd: 10,
    closingLineValue: null,
    ...change,
  };
}
