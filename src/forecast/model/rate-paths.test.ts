import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CoreState, PRIOR_PARAMETERS } from './core-state.ts';
import { createRatePaths } from './rate-paths.ts';
import { drawCommonNormals } from './state-simulation.ts';

const BLOCKS = 9;
const normals = drawCommonNormals(5, 32, BLOCKS);
const calm: CoreState = { mean: [0.1, -0.2, 1], cov: [0.04, 0, 0, 0.05, 0, 0.02], spread: 1 };
const lively: CoreState = { ...calm, spread: 2 };
const parameters = { ...PRIOR_PARAMETERS, unrest: 0.3 };

const block = fc.record({
  exposure: fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 30, noNaN: true })),
  share: fc.oneof(fc.constant(1), fc.double({ min: 1 / 24, max: 1, noNaN: true })),
});
const question = fc.record({
  state: fc.constantFrom(calm, lively),
  blocks: fc.array(block, { minLength: 1, maxLength: BLOCKS }),
});

describe('rate paths', () => {
  it('return the same result for a window regardless of other requests', () => {
    const shared = createRatePaths(normals);
    fc.assert(
      fc.property(question, ({ state, blocks }) => {
        const coming = {
          exposures: Float64Array.from(blocks, ({ exposure }) => exposure),
          shares: Float64Array.from(blocks, ({ share }) => share),
        };
        const alone = createRatePaths(normals).loads(state, parameters, coming);
        assert.deepEqual(shared.loads(state, parameters, coming), alone);
      }),
    );
  });

  it('return the load up to the end of each block, including silences', () => {
    const coming = { exposures: Float64Array.of(0, 24, 0, 12), shares: Float64Array.of(1, 1, 1, 0.5) };
    const loads = new Float64Array(32);
    const running = new Float64Array(32 * 4);
    createRatePaths(normals).loads(calm, parameters, coming, { loads, running });
    for (let p = 0; p < 32; p++) {
      const [first, second, third, last] = running.subarray(p * 4, p * 4 + 4);
      assert.equal(first, 0);
      assert.ok(second! > 0);
      assert.equal(third, second);
      assert.ok(last! > third!);
      assert.equal(last, loads[p]);
    }
  });
});
