import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureExponent, seriesRow } from './series.ts';

describe('growth', () => {
  it('is the exponent over the last step', () => {
    assert.ok(Math.abs(measureExponent([1, 10, 100], [500, 10, 100]) - 1) < 1e-9);
    assert.ok(Math.abs(measureExponent([10, 100], [3, 300]) - 2) < 1e-9);
    assert.equal(measureExponent([10, 100], [7, 7]), 0);
  });

  it('has a lower limit for a cost that must be constant than for one that may be linear', () => {
    const series = { of: 'posts', what: 'CPU µs', sizes: [10, 100], costs: [1, 5] };
    assert.equal(seriesRow({ ...series, grows: 'linearly' }).pass, true);
    const row = seriesRow({ ...series, grows: 'not' });
    assert.equal(row.pass, false);
    assert.match(row.name, /posts: CPU µs: 1\.00\/5\.00 at 10\/100/);
  });
});
