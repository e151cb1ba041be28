import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { classifyConfidence, classifyTimeConfidence } from './confidence.ts';

const ORDER = { LOW: 0, MEDIUM: 1, HIGH: 2 };
const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe('confidence', () => {
  it('is HIGH at 0.75 and MEDIUM at 0.4 if the model is certain and above the cost', () => {
    assert.equal(classifyConfidence(0.75, 0, 0.7), 'HIGH');
    assert.equal(classifyConfidence(0.7499, 0, 0.7), 'MEDIUM');
    assert.equal(classifyConfidence(0.4, 0, 0.3), 'MEDIUM');
    assert.equal(classifyConfidence(0.3999, 0, 0.3), 'LOW');
  });

  it('is LOW if the probability does not exceed the cost, or the cost is unknown', () => {
    assert.equal(classifyConfidence(0.9, 0, 0.9), 'LOW');
    assert.equal(classifyConfidence(0.9, 0, null), 'LOW');
  });

  it('requires 1.64 (HIGH) or 1 (MEDIUM) standard deviations above the cost', () => {
    // A model sd of 0.05 scales to 0.04 at a probability of 0.8.
    assert.equal(classifyConfidence(0.8, 0.05, 0.734), 'HIGH');
    assert.equal(classifyConfidence(0.8, 0.05, 0.735), 'MEDIUM');
    assert.equal(classifyConfidence(0.8, 0.05, 0.759), 'MEDIUM');
    assert.equal(classifyConfidence(0.8, 0.05, 0.761), 'LOW');
  });

  it('never rises with the cost or with model uncertainty', () => {
    fc.assert(
      fc.property(unit, unit, unit, unit, unit, (p, sd, moreSd, cost, moreCost) => {
        const before = ORDER[classifyConfidence(p, sd, cost)];
        assert.ok(ORDER[classifyConfidence(p, sd + moreSd, cost)] <= before);
        assert.ok(ORDER[classifyConfidence(p, sd, cost + moreCost)] <= before);
      }),
    );
  });
});

describe('confidence by time left', () => {
  for (const [seconds, expected] of [
    [0, 'HIGH'],
    [86_399, 'HIGH'],
    [86_400, 'MEDIUM'],
    [172_800, 'MEDIUM'],
    [172_801, 'LOW'],
  ] as const) {
    it(`is ${expected} with ${seconds} s left`, () => {
      assert.equal(classifyTimeConfidence(seconds), expected);
    });
  }
});
