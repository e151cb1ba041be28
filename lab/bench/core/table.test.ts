import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limitRow, pairedRow } from './row.ts';
import { fitSlope, median, quantile, relativeSpread } from './statistics.ts';
import { formatNumber, formatTable } from './table.ts';

describe('statistics', () => {
  it('compute the median as the middle value, or the mean of the two middle values', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
  });

  it('interpolate quantiles between neighbours', () => {
    assert.equal(quantile([0, 10], 0.99), 9.9);
    assert.ok(Number.isNaN(quantile([], 0.5)));
  });

  it('compute the spread as half the range relative to the median', () => {
    assert.equal(relativeSpread([9, 10, 11]), 0.1);
  });
});

describe('slope', () => {
  it('is exact for collinear points', () => {
    assert.equal(fitSlope([0, 1, 2, 3], [5, 7, 9, 11]), 2);
  });

  it('is zero for a symmetric zigzag', () => {
    assert.equal(fitSlope([0, 1, 2, 3, 4], [3, 1, 2, 1, 3]), 0);
  });
});

describe('rows', () => {
  it('pass if the median ratio reaches the target', () => {
    assert.ok(pairedRow('x', [9, 18], [10, 20], 'more', 0.9).pass);
    assert.ok(!pairedRow('x', [9, 18], [10, 20], 'less', 0.8).pass);
  });

  it('use the median of ratios, not the ratio of medians', () => {
    assert.equal(pairedRow('x', [1, 100, 1000], [1, 50, 4000], 'more', 1).ratio, 1);
  });

  it('compare a value with its limit', () => {
    assert.deepEqual(limitRow('x', 5, 10), {
      name: 'x',
      ours: 5,
      baseline: 10,
      ratio: 0.5,
      target: 1,
      pass: true,
      better: 'less',
      isLimit: true,
    });
  });
});

describe('table', () => {
  const rows = [limitRow('a name', 1234.5, 1000), pairedRow('b', [1, 1.2], [1, 1], 'more', 0.87)];

  it('shows only significant digits', () => {
    assert.deepEqual([0.1234, 1.2345, 12.345, 123.45, 12345.6].map(formatNumber), [
      '0.123',
      '1.23',
      '12.3',
      '123',
      '12,346',
    ]);
  });

  it('aligns its columns', () => {
    const lines = formatTable(rows).split('\n');
    assert.equal(new Set(lines.map((line) => line.length)).size, 1);
    assert.match(lines[1]!, /^a name +1,235 +1,000 +1\.23 +≤ 1\.00 +NO$/);
  });
});
