import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createChangeWatch, findMaxPerHour, type Reading } from './advice-changes.ts';

const at = (ts: number, verdict: string, part: Partial<Reading> = {}): Reading => ({
  key: 'a 1 40-64',
  ts,
  verdict,
  marketPrice: 0.2,
  blended: 0.25,
  changedBecause: null,
  ...part,
});

describe('advice changes', () => {
  it('have no cause if nothing moved and the service gives none', () => {
    const watch = createChangeWatch();
    watch.take(at(0, 'NOTHING'));
    watch.take(at(2_000, 'BUY_YES'));
    watch.take(at(4_000, 'NOTHING', { changedBecause: 'price 20¢ to 22¢' }));
    assert.deepEqual(
      watch.changes.map(({ isWithoutCause }) => isWithoutCause),
      [true, false],
    );
  });

  it('are explained by drift since the verdict was first seen', () => {
    const watch = createChangeWatch();
    watch.take(at(0, 'NOTHING'));
    watch.take(at(2_000, 'NOTHING', { blended: 0.253 }));
    watch.take(at(4_000, 'BUY_YES', { blended: 0.256 }));
    assert.equal(watch.changes[0]!.isWithoutCause, false);
  });

  it('are counted per bucket and hour', () => {
    const times = [0, 1_000_000, 3_700_000].map((ts) => ({ key: 'x', ts }));
    assert.equal(findMaxPerHour([...times, { key: 'y', ts: 5 }]), 2);
    assert.equal(findMaxPerHour([]), 0);
  });
});
