import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDisagreement, describeLadders } from './ladder-statistics.ts';

describe('ladder statistics', () => {
  it('leave ladders without an outcome out of everything that depends on it', () => {
    const settled = { leadHours: 17, model: [0.3, 0.7], prices: [0.4, 0.6], winner: 1 };
    const unsettled = { ...settled, prices: [0.9, 0.1], winner: -1 };
    const [alone, both] = [[settled], [settled, unsettled]];
    assert.deepEqual(describeDisagreement(both, 1), describeDisagreement(alone, 1));
    const { modelLessMarket, blendLessMarket } = describeLadders(alone);
    const row = describeLadders(both);
    assert.deepEqual([row.modelLessMarket, row.blendLessMarket], [modelLessMarket, blendLessMarket]);
    assert.equal(row.favourite, 0.75, 'prices need no outcome');
  });
});
