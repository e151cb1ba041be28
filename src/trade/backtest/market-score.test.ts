import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { PRIOR_EVIDENCE } from '../edges/prior-evidence.ts';
import { compareAll, scoreLadders } from './market-score.ts';
import type { SignalStep } from './signal-walk.ts';

const START_TS = Date.UTC(2025, 5, 1);

/** A three-bucket ladder won by the first bucket, in week k of the record. */
function ladder(k: number, prices: readonly number[], probabilities: number[]): SignalStep {
  const window = { startTs: START_TS + k * 7 * DAY_MS, endTs: START_TS + (k + 1) * 7 * DAY_MS };
  const points = [0, 10, 20].map((lo, i) => ({
    label: String(lo),
    lo,
    hi: lo === 20 ? null : lo + 9,
    price: prices[i]!,
    ask: null,
    bid: null,
    size: null,
  }));
  const snapshot = { ts: window.endTs - DAY_MS, window, points };
  return {
    eventId: k,
    horizonH: 24,
    snapshot,
    final: 5,
    probabilities,
    sample: { eventId: k, leadHours: 24, model: probabilities, prices, winner: 0 },
    blended: poor.map((_, i) => (prices[i]! + probabilities[i]!) / 2),
    isWhole: true,
    evidence: PRIOR_EVIDENCE,
    signals: [],
    abstainReasons: [],
  };
}

const good = [0.8, 0.1, 0.1];
const poor = [0.2, 0.4, 0.4];

describe('model, market and blend comparison', () => {
  it('scores the blend between a good model and a poor market', () => {
    const steps = Array.from({ length: 30 }, (_, k) => ladder(k, poor, [...good]));
    const [score] = scoreLadders(steps);
    assert.ok(score!.model < score!.blended && score!.blended < score!.market);
  });

  it('reports the difference with its interval, in all and by lead', () => {
    const steps = Array.from({ length: 12 }, (_, k) => ladder(k, good, [...poor]));
    const rows = compareAll(scoreLadders(steps), createRandom(1));
    assert.deepEqual(
      rows.map((row) => [row.name, row.ladders]),
      [
        ['all', 12],
        ['lead 24 h', 12],
      ],
    );
    assert.ok(rows[0]!.modelGain.lo > 0);
  });

  it('omits ladders without a winning bucket', () => {
    const settled = ladder(0, good, [...good]);
    const unsettled = { ...settled, sample: { ...settled.sample, winner: -1 } };
    assert.deepEqual(scoreLadders([unsettled]), []);
  });
});
