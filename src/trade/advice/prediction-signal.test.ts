import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BucketSignal } from '../types.ts';
import { gradeSignal } from './prediction-signal.ts';

const grade = (action: BucketSignal['action'], gainPerUsd: number) =>
  gradeSignal({ action, verdict: { gainPerUsd } as BucketSignal['verdict'] });

describe('prediction signal', () => {
  it('grades a buy by its expected gain per dollar; each threshold belongs to the lower grade', () => {
    assert.deepEqual(
      [0.5, 0.3, 0.2, 0.1, 0.05].map((gain) => grade('BUY', gain)),
      ['STRONG_BUY', 'BUY', 'BUY', 'SLIGHT_BUY', 'SLIGHT_BUY'],
    );
  });

  it('is SELL if an exit is advised, for any gain, and otherwise HOLD', () => {
    assert.equal(grade('SELL', 0.5), 'SELL');
    assert.equal(grade('HOLD', 0.5), 'HOLD');
    assert.equal(grade('SKIP', 0.5), 'HOLD');
  });
});
