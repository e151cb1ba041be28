import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comparePhases, MEASURABLE_BELOW, pValueOf, toLatency } from './beside-hanging.ts';

const stretchOf = (delayMs: number) => toLatency(Array.from({ length: 101 }, (_, i) => delayMs + i));
const pairOf = (aloneMs: number, besideMs: number) => ({
  alone: stretchOf(aloneMs),
  besideHanging: stretchOf(besideMs),
});

describe('phases with and without hanging receivers', () => {
  it('show no difference if neither is consistently slower', () => {
    const pairs = [pairOf(100, 130), pairOf(120, 90), pairOf(110, 125), pairOf(140, 120), pairOf(100, 101)];
    const { medianMs, leastMs, mostMs, chance } = comparePhases(pairs, ({ p50Ms }) => p50Ms);
    assert.deepEqual([medianMs, leastMs, mostMs], [1, -30, 30]);
    assert.ok(chance > MEASURABLE_BELOW);
  });

  it('show a difference if one of them is always slower, even slightly', () => {
    const pairs = [100, 140, 90, 120, 110, 130].map((aloneMs) => pairOf(aloneMs, aloneMs + 2));
    const { medianMs, chance } = comparePhases(pairs, ({ p99Ms }) => p99Ms);
    assert.equal(medianMs, 2);
    assert.equal(chance, 1 / 64);
  });
});

describe('permutation test', () => {
  it('returns 1 without a difference, and 1/2^n if all n pairs differ in the same direction', () => {
    assert.equal(pValueOf([0, 0, 0]), 1);
    assert.equal(pValueOf([1, 1, 1, 1]), 1 / 16);
    assert.equal(pValueOf([-1, -1, -1, -1]), 1);
  });
});
