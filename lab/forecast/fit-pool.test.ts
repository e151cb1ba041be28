import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MEMBERS, SHARED_KNOWLEDGE } from '../../src/forecast/model/shared-coefficients.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { fitPoolKnowledge } from './fit-pool.ts';

const FIXED = MEMBERS.indexOf('fixed');

/**
 * The fixed member is twice as good as the others; after a fall of 1, outcomes are twice as far from the
 * centre.
 */
function drawEvidence(seed: number) {
  const random = createRandom(seed);
  return Array.from({ length: 200 }, (_, i) => {
    const fall = i % 2;
    const below = 1 / (1 + Math.exp(-1.7 * (1 + fall) * random.normal()));
    const miss = MEMBERS.map((_, k) => (k === FIXED ? 1 : 2));
    return {
      lead: [6, 24, 48, 72, 120, 168][i % 6]!,
      form: miss.flatMap((a) => miss.map((b) => a * b)),
      below: MEMBERS.map(() => below),
      given: MEMBERS.map((_, k) => (k === FIXED ? 0.04 : 0.02)),
      pace: 4,
      weights: MEMBERS.map(() => 1 / MEMBERS.length),
      miss: 0,
      fall,
    };
  });
}

describe('shared pool fit', () => {
  const { weights, widths } = fitPoolKnowledge([drawEvidence(1), drawEvidence(2)]);

  it('moves some weight to the better member, but not all', () => {
    const total = Object.values(weights[72]).reduce((sum, weight) => sum + weight, 0);
    assert.ok(Math.abs(total - 1) < 0.005);
    assert.ok(weights[72].fixed > 0.2 && weights[72].fixed < 0.9, `${weights[72].fixed}`);
  });

  it('widens after a fall, except for the next few hours', () => {
    assert.ok(widths[72].fall > 0.05, `${widths[72].fall}`);
    assert.deepEqual(widths[6], { level: 0, own: 0, calm: 0, fall: 0 });
  });

  it('ships weights that sum to 1', () => {
    for (const shipped of Object.values(SHARED_KNOWLEDGE.weights)) {
      assert.ok(Math.abs(Object.values(shipped).reduce((sum, weight) => sum + weight, 0) - 1) < 0.005);
    }
  });
});
