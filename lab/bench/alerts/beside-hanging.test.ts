import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chanceOf, compareStretches, MEASURABLE_BELOW, toLatency } from './beside-hanging.ts';

const stretchOf = (delayMs: number) => toLatency(Array.from({ length: 101 }, (_, i) => delayMs + i));
const pairOf = (aloneMs: number, besideMs: number) => ({
  alone: stretchOf(aloneMs),
  besideHanging: stretchOf(besideMs),
});

describe('stretches with and without receivers that hang', () => {
  it('differ by nothing that can be measured where now one and now the other is later', () => {
    const pairs = [pairOf(100, 130), pairOf(120, 90), pairOf(110, 125), pairOf(140, 120), pairOf(100, 101)];
    const { medianMs, leastMs, mostMs, chance } = compareStretches(pairs, ({ p50Ms }) => p50Ms);
    assert.deepEqual([medianMs, leastMs, mostMs], [1, -30, 30]);
    assert.ok(chance > MEASURABLE_BELOW);
  });

  it('differ where each pair has the same one later, however little', () => {
    const pairs = [100, 140, 90, 120, 110, 130].map((aloneMs) => pairOf(aloneMs, aloneMs + 2));
    const { medianMs, chance } = compareStretches(pairs, ({ p99Ms }) => p99Ms);
    assert.equal(medianMs, 2);
    assert.equal(chance, 1 / 64);
  });
});

describe('the chance of pairs that differ so much', () => {
  it('is certain where nothing differs, and of one throw where all do', () => {
    assert.equal(chanceOf([0, 0, 0]), 1);
    assert.equal(chanceOf([1, 1, 1, 1]), 1 / 16);
    assert.equal(chanceOf([-1, -1, -1, -1]), 1);
  });
});
