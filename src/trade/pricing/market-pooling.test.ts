import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { allNear } from '../../../test/support/near.ts';
import { poolTowardMarket, projectOntoBox } from './market-pooling.ts';

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** A model, and a box around some other fair vector: never crossed. */
const ladders = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 })), {
    minLength: 2,
    maxLength: 8,
  })
  .chain((weights) => fc.tuple(fc.constant(weights), fc.double({ min: 0.001, max: 0.05, noNaN: true })))
  .map(([weights, half]) => {
    const normalise = (values: number[]) => values.map((value) => value / sumOf(values));
    const model = normalise(weights.map(([first]) => first));
    const fair = normalise(weights.map(([, second]) => second));
    return {
      model,
      box: { lower: fair.map((p) => Math.max(0, p - half)), upper: fair.map((p) => Math.min(1, p + half)) },
    };
  });

describe('projection onto the spread', () => {
  it('leaves a model alone that lies inside', () => {
    allNear(projectOntoBox([0.3, 0.7], { lower: [0.2, 0.6], upper: [0.4, 0.8] }), [0.3, 0.7], 1e-9);
  });

  it('brings a model outside to the nearest edge', () => {
    allNear(projectOntoBox([0.1, 0.9], { lower: [0.3, 0.5], upper: [0.5, 0.7] }), [0.3, 0.7], 1e-9);
  });

  it('is a law inside the box', () => {
    fc.assert(
      fc.property(ladders, ({ model, box }) => {
        const projected = projectOntoBox(model, box);
        assert.ok(Math.abs(sumOf(projected) - 1) < 1e-9);
        projected.forEach((q, i) => {
          assert.ok(q >= box.lower[i]! - 1e-6 && q <= box.upper[i]! + 1e-6);
        });
      }),
    );
  });

  it('moves nothing when done again', () => {
    fc.assert(
      fc.property(ladders, ({ model, box }) => {
        const once = projectOntoBox(model, box);
        allNear(projectOntoBox(once, box), once, 1e-6);
      }),
    );
  });

  it('rescales the prices of a crossed ladder, which no law fits', () => {
    allNear(projectOntoBox([0.5, 0.5], { lower: [0.6, 0.6], upper: [0.7, 0.7] }), [0.5, 0.5], 1e-9);
  });
});

describe('pooling toward the market', () => {
  it('is the model at lambda 1, its projection at 0 and a law between', () => {
    fc.assert(
      fc.property(ladders, fc.double({ min: 0, max: 1, noNaN: true }), ({ model, box }, lambda) => {
        allNear(poolTowardMarket(model, box, 1), model, 1e-9);
        allNear(poolTowardMarket(model, box, 0), projectOntoBox(model, box), 1e-9);
        assert.ok(Math.abs(sumOf(poolTowardMarket(model, box, lambda)) - 1) < 1e-9);
      }),
    );
  });

  it('keeps a passed bucket at 0 whatever it still trades at', () => {
    const pooled = poolTowardMarket([0, 0.5, 0.5], { lower: [0.1, 0.2, 0.3], upper: [0.2, 0.6, 0.6] }, 0.25);
    assert.equal(pooled[0], 0);
    assert.ok(Math.abs(sumOf(pooled) - 1) < 1e-9);
  });
});
