import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../runtime/random.ts';
import { bootstrapMean, bootstrapSkill } from './block-bootstrap.ts';

describe('block bootstrap', () => {
  it('returns the same interval for the same seed', () => {
    const values = Array.from({ length: 80 }, (_, i) => Math.sin(i));
    assert.deepEqual(
      bootstrapMean(values, 7, 200, createRandom(1)),
      bootstrapMean(values, 7, 200, createRandom(1)),
    );
  });

  it('returns an interval that contains the mean and is wider for correlated neighbours', () => {
    const random = createRandom(2);
    const steps = Array.from({ length: 400 }, () => random.normal());
    const drifting = steps.map((_, i) => steps.slice(Math.max(0, i - 13), i + 1).reduce((a, b) => a + b, 0));
    const alone = bootstrapMean(drifting, 1, 500, createRandom(3));
    const blocks = bootstrapMean(drifting, 28, 500, createRandom(3));
    const mean = drifting.reduce((a, b) => a + b, 0) / drifting.length;
    assert.ok(blocks.lo < mean && mean < blocks.hi);
    assert.ok(blocks.hi - blocks.lo > 1.8 * (alone.hi - alone.lo));
  });

  it('finds no skill when comparing a model with itself', () => {
    const scores = [3, 5, 2, 8, 4];
    assert.deepEqual(bootstrapSkill(scores, scores, 2, 100, createRandom(4)), { lo: 0, hi: 0 });
  });
});
