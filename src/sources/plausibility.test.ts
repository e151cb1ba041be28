import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FEEDS } from './feeds.ts';
import type { CountGate } from './plausibility.ts';
import { EMPTY_GATE, judgeCount } from './plausibility.ts';

const bounds = FEEDS.oracle.bounds!;
const at100: CountGate = { published: 100, held: null };

/** Feeds counts a minute apart. */
function look(gate: CountGate, counts: readonly number[]): (number | null)[] {
  let current = gate;
  return counts.map((count, index) => {
    const verdict = judgeCount(current, count, index * 60_000, bounds);
    current = verdict.gate;
    return verdict.count;
  });
}

describe('count plausibility gate', () => {
  it('accepts the first count', () => {
    assert.equal(judgeCount(EMPTY_GATE, 204, 0, bounds).count, 204);
  });

  it('accepts small steps up and down', () => {
    assert.deepEqual(look(at100, [101, 99, 148, 130]), [101, 99, 148, 130]);
  });

  it('holds and reports a fall of 50 and a jump of 500', () => {
    const fall = judgeCount(at100, 50, 0, bounds);
    const jump = judgeCount(at100, 600, 0, bounds);
    assert.deepEqual([fall.count, fall.isHeld, jump.count, jump.isHeld], [100, true, 100, true]);
    assert.match(fall.problem!, /fall from 100 to 50/);
    assert.match(jump.problem!, /jump from 100 to 600/);
    assert.equal(judgeCount(at100, 51, 0, bounds).isHeld, false);
    assert.equal(judgeCount(at100, 599, 0, bounds).isHeld, false);
  });

  it('continues normally when the old count returns', () => {
    assert.deepEqual(look(at100, [0, 0, 101]), [100, 100, 101]);
  });

  it('accepts a held count after ten polls over ten minutes', () => {
    const seen = look(at100, new Array(12).fill(20));
    assert.deepEqual(seen, [...new Array(10).fill(100), 20, 20]);
  });

  it('immediately accepts a count that another source confirms, but no other', () => {
    const at704: CountGate = { published: 704, held: null };
    assert.equal(judgeCount(at704, 4, 0, bounds, 7).count, 4);
    assert.equal(judgeCount(at100, 700, 0, bounds, 720).count, 700);
    assert.equal(judgeCount(at704, 4, 0, bounds, 90).count, 704);
    assert.equal(judgeCount(at100, 800, 0, bounds, 90).count, 100);
  });

  it('restarts the wait when the held count changes', () => {
    const seen = look(at100, [0, 900, 0, 900, 0, 900, 0, 900, 0, 900, 0, 900]);
    assert.ok(seen.every((count) => count === 100));
  });

  it('never publishes an invalid count, and never a large step immediately', () => {
    const counts = fc.array(
      fc.oneof(fc.integer({ min: -10, max: 3_000 }), fc.double(), fc.constant(Number.NaN)),
    );
    fc.assert(
      fc.property(counts, (list) => {
        let gate = EMPTY_GATE;
        for (const count of list) {
          const before = gate.published;
          // All within one minute: too short to confirm anything.
          const verdict = judgeCount(gate, count, 0, bounds);
          gate = verdict.gate;
          const now = verdict.count;
          assert.ok(now === null || (Number.isSafeInteger(now) && now >= 0));
          if (before !== null) assert.ok(now !== null && before - now < 50 && now - before < 500);
        }
      }),
    );
  });
});
