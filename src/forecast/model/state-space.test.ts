import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { STATE_EXPERTS } from './experts.ts';
import { filterBlocks, initialState, type RateState } from './state-space.ts';

const DAY = 24;

function rateOf({ mean }: RateState): number {
  return DAY * Math.exp(mean[0] + mean[1] + mean[2]);
}

function follow(
  expert: (typeof STATE_EXPERTS)[number],
  counts: readonly number[],
  exposure = DAY,
): RateState {
  const exposures = counts.map(() => exposure);
  return filterBlocks(counts, exposures, expert, initialState(expert, Math.log(20 / DAY)));
}

describe('a state that follows the days', () => {
  it('follows a jump of the rate, whatever the expert', () => {
    const counts = [...Array<number>(60).fill(20), ...Array<number>(14).fill(60)];
    for (const expert of STATE_EXPERTS) {
      const rate = rateOf(follow(expert, counts));
      assert.ok(rate > 38 && rate < 72, `rate ${rate}`);
    }
  });

  it('does not take one burst for a new life', () => {
    const burst = STATE_EXPERTS.find(({ noise }) => noise.kind === 'burst')!;
    const rate = rateOf(follow(burst, [...Array<number>(60).fill(20), 200]));
    assert.ok(rate < 30, `rate ${rate}`);
  });

  it('learns nothing from a day nobody watched, and is less sure after it', () => {
    for (const expert of STATE_EXPERTS) {
      const before = follow(expert, Array<number>(60).fill(20));
      const after = filterBlocks([0], [0], expert, before);
      assert.equal(after.mean[2], before.mean[2]);
      assert.ok(after.cov[5] > before.cov[5]);
    }
  });

  it('leaves its start untouched', () => {
    const start = initialState(STATE_EXPERTS[0]!, 0);
    const copy = structuredClone(start);
    filterBlocks([3, 50], [DAY, DAY], STATE_EXPERTS[0]!, start);
    assert.deepEqual(start, copy);
  });

  it('stays finite and keeps a positive doubt under any counts', () => {
    const days = fc.array(fc.tuple(fc.nat(3000), fc.double({ min: 0, max: 60, noNaN: true })), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(days, fc.constantFrom(...STATE_EXPERTS), (blocks, expert) => {
        const counts = blocks.map(([count]) => count);
        const exposures = blocks.map(([, exposure]) => exposure);
        const { mean, cov } = filterBlocks(counts, exposures, expert, initialState(expert, 0));
        assert.ok([...mean, ...cov].every(Number.isFinite));
        const variance = cov[0] + cov[3] + cov[5] + 2 * (cov[1] + cov[2] + cov[4]);
        assert.ok(variance > 0 && cov[0] > 0 && cov[3] > 0 && cov[5] > 0);
      }),
      { numRuns: 200, seed: 5 },
    );
  });
});
