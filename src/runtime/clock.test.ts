import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from './clock.ts';

describe('a clock moved by hand', () => {
  it('tells whole milliseconds at every instant, as real ones do, whatever pause was asked for', () => {
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

  it('fires in the order of what is due, then of what was asked first', () => {
    const clock = createManualClock(0);
    const fired: string[] = [];
    clock.after(20, () => fired.push('late'));
    clock.after(10, () => fired.push('first'));
    clock.after(10, () => fired.push('second'));
    clock.advance(20);
    assert.deepEqual(fired, ['first', 'second', 'late']);
  });
});
