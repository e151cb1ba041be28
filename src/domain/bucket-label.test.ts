import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareBuckets, findLadderProblem, formatBucketLabel, parseBucketLabel } from './bucket-label.ts';
import type { BucketRange } from './market-event.ts';

const LABELS: [string, number, number | null][] = [
  ['<40', 0, 39],
  ['< 40', 0, 39],
  ['≤39', 0, 39],
  ['<=39', 0, 39],
  ['≤ 39', 0, 39],
  ['40-64', 40, 64],
  ['40–64', 40, 64],
  ['40 — 64', 40, 64],
  [' 40 - 64 ', 40, 64],
  ['40 to 64', 40, 64],
  ['between 75 and 84', 75, 84],
  ['240+', 240, null],
  ['240 +', 240, null],
  ['240-plus', 240, null],
  ['500plus', 500, null],
  ['≥200', 200, null],
  ['>= 200', 200, null],
  ['>199', 200, null],
  ['200 or more', 200, null],
  ['1,000-1,019', 1000, 1019],
  ['960–999', 960, 999],
  ['1000+', 1000, null],
  ['2,000+', 2000, null],
  ['0', 0, 0],
  ['7', 7, 7],
  ['40-64 tweets', 40, 64],
  ['0-19', 0, 19],
  ['200–219', 200, 219],
  ['Less than 20', 0, 19],
  ['19 or fewer posts', 0, 19],
  ['19 and below', 0, 19],
  ['No more than 19', 0, 19],
  ['1 post', 1, 1],
  ['From 40 to 64', 40, 64],
  ['40 through 64 (inclusive)', 40, 64],
  ['500 or higher', 500, null],
  ['500 and above', 500, null],
  ['500 posts or more', 500, null],
  ['Greater than 499', 500, null],
];

describe('bucket labels', () => {
  for (const [label, lo, hi] of LABELS) {
    it(`parses '${label}'`, () => assert.deepEqual(parseBucketLabel(label), { lo, hi }));
  }

  it('rejects labels that are not a range of counts', () => {
    for (const label of [
      '',
      '-',
      '+',
      '<',
      '<0',
      '64-40',
      '40-',
      'Yes',
      '$62,000',
      '1,00',
      '1.5',
      '40-64-80',
      'x240+',
      '99999999',
    ]) {
      assert.equal(parseBucketLabel(label), null, label);
    }
  });

  it('round-trips a formatted range', () => {
    const range = fc
      .tuple(fc.nat(9_999), fc.option(fc.nat(9_999)))
      .map(([lo, width]): BucketRange => ({ lo, hi: width === null ? null : lo + width }));
    fc.assert(
      fc.property(range, (value) => {
        assert.deepEqual(parseBucketLabel(formatBucketLabel(value)), value);
      }),
    );
  });
});

describe('ladders', () => {
  const ladder = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 60 }).map((widths) => {
    const ranges: BucketRange[] = [];
    let lo = 0;
    for (const width of widths) {
      ranges.push({ lo, hi: lo + width - 1 });
      lo += width;
    }
    return [...ranges, { lo, hi: null }];
  });

  it('form a complete ladder for any bucket widths, once sorted', () => {
    fc.assert(
      fc.property(ladder, (ranges) => {
        assert.equal(findLadderProblem(ranges), null);
        assert.equal(findLadderProblem([...ranges].reverse().sort(compareBuckets)), null);
      }),
    );
  });

  it('form an invalid ladder when a bucket is missing or duplicated', () => {
    fc.assert(
      fc.property(ladder, fc.nat(), (ranges, pick) => {
        const at = pick % ranges.length;
        assert.notEqual(findLadderProblem(ranges.filter((_, index) => index !== at)), null);
        assert.notEqual(
          findLadderProblem(ranges.flatMap((range, index) => (index === at ? [range, range] : [range]))),
          null,
        );
      }),
    );
  });
});
