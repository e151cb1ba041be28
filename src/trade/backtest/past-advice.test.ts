import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { PRIOR_EVIDENCE } from '../edges/prior-evidence.ts';
import { getSizingRules } from '../sizing/sizing-rules.ts';
import { adviseOnPast, type PastMoment } from './past-advice.ts';

const START_TS = Date.UTC(2025, 0, 7, 17);
const BUCKETS = [
  { label: '<100', lo: 0, hi: 99 },
  { label: '100-149', lo: 100, hi: 149 },
  { label: '150+', lo: 150, hi: null },
];

/** One event a day; the count has passed the second bucket, but the market still prices it. */
function listMoments(): PastMoment[] {
  return Array.from({ length: 12 }, (_, i) => {
    const window = { startTs: START_TS + i * DAY_MS, endTs: START_TS + (i + 2) * DAY_MS };
    const ts = window.endTs - 24 * HOUR_MS;
    const priced = { model: [0, 0, 1], prices: [0.05, 0.35, 0.62], fee: { rate: 0, exponent: 1 } };
    const outcome = { finalCount: 200, winner: 2 };
    const forecast = { countSoFar: 155, p50: 200, modelSd: 15 };
    return { eventId: i + 1, window, ts, horizonH: 24, buckets: BUCKETS, ...priced, ...forecast, ...outcome };
  });
}

const plan = { rules: getSizingRules({ allowsSell: false }), prior: PRIOR_EVIDENCE, halfSpread: 0.01 };
const advise = (moments: readonly PastMoment[]) => [...adviseOnPast(moments, plan)].flat();

describe('advice on past events', () => {
  it('is given on what was known then, and settled by the outcome', () => {
    const bets = advise(listMoments());
    assert.equal(new Set(bets.map(({ eventId }) => eventId)).size, 12);
    assert.ok(bets.some(({ edgeKind, side }) => edgeKind === 'fact' && side === 'No'));
    for (const { won, pnlUsd, asofTs, horizonH } of bets) {
      assert.deepEqual([won, horizonH, pnlUsd! > 0], [true, 24, true]);
      assert.ok(asofTs >= START_TS);
    }
  });

  it('is given on whole ladders only', () => {
    const partial = listMoments().map((moment) => ({ ...moment, prices: [null, 0.3, null] }));
    assert.deepEqual(advise(partial), []);
  });
});
