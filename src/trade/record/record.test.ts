import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeClassRecord, computeStrategyRecord } from './record.ts';
import { betOn } from './recorded-signal.test-support.ts';

describe('record', () => {
  it('counts settled bucket signals by class, separate from strategies', () => {
    const signals = [
      betOn(1),
      betOn(2, { won: false, pnlUsd: -10 }),
      betOn(3, { won: null, pnlUsd: null }),
      betOn(4, { strategy: 'TWO_BUCKET' }),
    ];
    const classes = computeClassRecord(signals);
    assert.equal(classes.HIGH.winRate, 0.5);
    assert.equal(classes.HIGH.sampleSize, 2);
    assert.equal(classes.LOW.winRate, null);
    assert.equal(computeStrategyRecord(signals).TWO_BUCKET.sampleSize, 1);
  });
});
