import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { allNear } from '../../../test/support/near.ts';
import { createRandom } from '../../runtime/random.ts';
import { buildOutcomeCells, type CellEvent, findBucket, type OutcomeCells } from './outcome-cells.ts';

const RANGES = [
  { lo: 0, hi: 9 },
  { lo: 10, hi: 19 },
  { lo: 20, hi: null },
];

/** One event's bucket probabilities, summed over the cells. */
function marginal({ probabilities, winners }: OutcomeCells, e: number, size: number): number[] {
  const sums = new Array<number>(size).fill(0);
  probabilities.forEach((p, c) => {
    if (winners[e]![c]! >= 0) sums[winners[e]![c]!]! += p;
  });
  return sums;
}

describe('finding the bucket for a count', () => {
  it('includes both bounds, and leaves the top bucket open-ended', () => {
    assert.deepEqual(
      [0, 9, 10, 19, 20, 1e6].map((count) => findBucket(RANGES, count)),
      [0, 0, 1, 1, 2, 2],
    );
    assert.equal(findBucket(RANGES, -1), -1);
  });
});

describe('joint outcomes', () => {
  it('are the buckets for a single event', () => {
    const cells = buildOutcomeCells([{ ranges: RANGES, probabilities: [0.2, 0.5, 0.3], finals: null }])!;
    assert.deepEqual([...cells.probabilities], [0.2, 0.5, 0.3]);
    assert.deepEqual([...cells.winners[0]!], [0, 1, 2]);
  });

  it('include an extra cell if the buckets do not cover every count', () => {
    const cells = buildOutcomeCells([{ ranges: RANGES, probabilities: [0.2, 0.3, 0.1], finals: null }])!;
    assert.deepEqual([...cells.winners[0]!], [0, 1, 2, -1]);
    assert.ok(Math.abs(cells.probabilities[3]! - 0.4) < 1e-12);
  });

  it('require common paths for several events', () => {
    const event = { ranges: RANGES, probabilities: [0.2, 0.5, 0.3], finals: [5, 15, 25] };
    assert.equal(buildOutcomeCells([event, { ...event, finals: null }]), null);
    assert.equal(buildOutcomeCells([event, { ...event, finals: [] }]), null);
  });

  it('follow the correlation of the paths', () => {
    const event = { ranges: RANGES, probabilities: [0.2, 0.5, 0.3], finals: [5, 15, 25] };
    const { probabilities, winners } = buildOutcomeCells([event, event])!;
    assert.equal(probabilities.length, 3);
    assert.deepEqual(winners[0], winners[1]);
  });

  it('include a possible bucket that no path reaches', () => {
    const first: CellEvent = { ranges: RANGES, probabilities: [0.5, 0.4, 0.1], finals: [5, 15, 5, 15] };
    const second: CellEvent = { ...first, probabilities: [0.5, 0.5, 0] };
    const cells = buildOutcomeCells([first, second])!;
    allNear(marginal(cells, 0, 3), [0.5, 0.4, 0.1], 1e-6);
    const far = [...cells.winners[0]!].indexOf(2);
    assert.equal(cells.winners[1]![far], 1, 'the nearest path is used');
  });

  it('match the requested probabilities of each event', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { uniform } = createRandom(seed);
        const distributionOf = () => {
          const weights = RANGES.map(() => 0.05 + uniform());
          const total = weights.reduce((sum, w) => sum + w, 0);
          return weights.map((w) => w / total);
        };
        // Paths reach every pair of buckets, so some joint distribution has these marginals.
        const shared = Array.from({ length: 200 }, () => [uniform() * 30, uniform() * 30] as const);
        const events = [0, 1].map((e) => ({
          ranges: RANGES,
          probabilities: distributionOf(),
          finals: shared.map((pair) => Math.floor(pair[e]!)),
        }));
        const cells = buildOutcomeCells(events)!;
        events.forEach(({ probabilities }, e) => {
          allNear(marginal(cells, e, 3), probabilities, 1e-6);
        });
      }),
      { numRuns: 50, seed: 5 },
    );
  });
});
