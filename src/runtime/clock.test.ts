import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from './clock.ts';

describe('manual clock', () => {
  it('returns whole milliseconds for any delay', () => {
    const clock = createManualClock(1_000);
    const seen: number[] = [];
    clock.after(10.25, () => {
      seen.push(clock.now());
      clock.after(0.5, () => seen.push(clock.now()));
    });
    clock.advance(100);
    assert.deepEqual(seen, [1_011, 1_012]);
    assert.equal(clock.now(), 1_100);
  });

  it('fires timers by due time, then in the order they were set', () => {
    const clock = createManualClock(0);
    const fired: string[] = [];
    clock.after(20, () => fired.push('late'));
    clock.after(10, () => fired.push('first'));
    clock.after(10, () => fired.push('second'));
    clock.advance(20);
    assert.deepEqual(fired, ['first', 'second', 'late']);
  });
});
