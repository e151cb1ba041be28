import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getSizingRules, MAX_SET_STAKE } from './sizing-rules.ts';

describe('sizing rules', () => {
  it('are the same for every account, except whether it may sell', () => {
    const { allowsSell, ...rules } = getSizingRules({ allowsSell: true });
    const { allowsSell: other, ...same } = getSizingRules({ allowsSell: false });
    assert.deepEqual([allowsSell, other], [true, false]);
    assert.deepEqual(rules, same);
  });

  it('cap stakes at quarter Kelly and a fifth of the book, with a lower cap for single-bucket bets', () => {
    const { kellyLambda, depthShare, singleBucket, twoBucket } = getSizingRules({ allowsSell: false });
    assert.ok(kellyLambda <= 0.25 && depthShare <= 0.2);
    assert.ok(singleBucket.maxStakeFraction < twoBucket.maxStakeFraction);
    assert.ok(twoBucket.minWinProbability > singleBucket.minWinProbability);
    assert.ok(MAX_SET_STAKE <= 0.2);
  });
});
