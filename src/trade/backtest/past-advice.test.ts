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
    const forecast = { countSoFar: 155, p50: 200, modelSd: 0.04 };
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

  /** Four buckets; the market gives the first too much, and the model knows. */
  function listMispriced(count: number): PastMoment[] {
    const buckets = [
      { label: '<100', lo: 0, hi: 99 },
      { label: '100-149', lo: 100, hi: 149 },
      { label: '150-199', lo: 150, hi: 199 },
      { label: '200+', lo: 200, hi: null },
    ];
    return Array.from({ length: count }, (_, i) => {
      const window = { startTs: START_TS + 3 * i * DAY_MS, endTs: START_TS + (3 * i + 2) * DAY_MS };
      const winner = i % 10 === 0 ? 0 : 1 + (i % 3);
      return {
        ...{ eventId: i + 1, window, ts: window.endTs - 24 * HOUR_MS, horizonH: 24, buckets, winner },
        ...{ model: [0.1, 0.3, 0.3, 0.3], prices: [0.4, 0.2, 0.2, 0.2], fee: { rate: 0, exponent: 1 } },
        ...{ countSoFar: 40, p50: 150, modelSd: 0.04, finalCount: buckets[winner]!.lo + 1 },
      };
    });
  }

  it('bets on the model once earlier events have proven its edge, and not before', () => {
    const bets = advise(listMispriced(120)).filter(({ edgeKind }) => edgeKind === 'model');
    const first = Math.min(...bets.map(({ eventId }) => eventId));
    assert.ok(bets.length > 0, 'no bet');
    assert.ok(first > 10, `the first bet is on event ${first}`);
  });
});
