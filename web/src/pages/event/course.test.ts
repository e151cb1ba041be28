import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CoursePoint } from '../../api/records.ts';
import { createScale, drawFan, drawLine, indexAt } from './course-scale.ts';
import { listBursts, listGaps } from './markers.ts';

const HOUR_MS = 3_600_000;
const FRAME = {
  width: 110,
  left: 10,
  right: 0,
  countTop: 0,
  countBottom: 100,
  priceTop: 110,
  priceBottom: 160,
};

/** One point per hour with these own and oracle counts. */
function course(own: readonly number[], oracle: readonly (number | null)[] = own): CoursePoint[] {
  return own.map((real_counter, i) => ({
    timestamp: i * HOUR_MS,
    real_counter,
    market_oracle_counter: oracle[i] ?? null,
    market_ui_counter: null,
    market_prices: [0.5, i === 1 ? null : 0.25],
  }));
}

describe('bursts', () => {
  it('are hours with far more posts than usual, with adjacent hours combined', () => {
    const points = course([0, 1, 2, 3, 11, 21, 22, 23]);
    assert.deepEqual(listBursts(points), [
      { kind: 'burst', fromTs: 3 * HOUR_MS, toTs: 5 * HOUR_MS, posts: 18 },
    ]);
  });

  it('are not inferred across hours without data', () => {
    const [first, last] = [course([0])[0]!, { ...course([40])[0]!, timestamp: 24 * HOUR_MS }];
    assert.deepEqual(listBursts([first, last]), []);
    assert.deepEqual(listBursts([]), []);
  });
});

describe('oracle gaps', () => {
  it('are periods when the oracle stalled while our count rose', () => {
    const points = course([0, 2, 4, 6, 8], [0, 2, 2, 2, 8]);
    assert.deepEqual(listGaps(points), [{ kind: 'gap', fromTs: HOUR_MS, toTs: 3 * HOUR_MS, behind: 4 }]);
  });

  it('are not reported if nothing was posted, and may extend to the end', () => {
    assert.deepEqual(listGaps(course([5, 5, 5, 5], [5, 5, 5, 5])), []);
    assert.equal(listGaps(course([5, 7, 9, 11], [5, 5, 5, 5])).length, 1);
    assert.deepEqual(listGaps([]), []);
  });
});

describe('an oracle that was never read', () => {
  it('has no gaps, and neither does an oracle before its first count', () => {
    const unread = course([5, 7, 9, 11]).map((point) => ({ ...point, market_oracle_counter: null }));
    assert.deepEqual(listGaps(unread), []);
    assert.deepEqual(listGaps([...unread, ...course([12, 12])]), []);
  });
});

describe('event chart', () => {
  const points = course([0, 5, 10]);
  const scale = createScale({ start_ts: 0, end_ts: 10 * HOUR_MS }, points, 20, FRAME);

  it('maps time to x and back', () => {
    assert.equal(scale.xOf(5 * HOUR_MS), 60);
    assert.equal(scale.tsAt(60), 5 * HOUR_MS);
    assert.equal(scale.priceY(1), 110);
    assert.equal(scale.countMax, 21);
  });

  it('leaves a gap for an unknown price', () => {
    const line = drawLine(points, scale, (point) => point.market_prices[1], scale.priceY);
    assert.equal(line, 'M10 147.5h0M30 147.5h0');
  });

  it('has no fan in the public view', () => {
    assert.equal(drawFan(points, scale), '');
  });

  it('finds the last point at or before a given time', () => {
    assert.equal(indexAt(points, HOUR_MS * 1.9), 1);
    assert.equal(indexAt(points, -1), 0);
    assert.equal(indexAt(points, HOUR_MS * 99), 2);
  });
});
