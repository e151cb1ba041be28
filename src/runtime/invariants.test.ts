import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from './clock.ts';
import { expectInvariant, onFirstViolation, onViolation, watchInvariants } from './invariants.ts';
import { silentLogger } from './logger.ts';

const HOUR_MS = 3_600_000;

describe('invariants', () => {
  it('count every violation and log each name at most once an hour', () => {
    const clock = createManualClock(0);
    const lines: string[] = [];
    const logger = { ...silentLogger, error: (_: object, message: string) => void lines.push(message) };
    const watch = watchInvariants(logger, clock);
    const violate = () => expectInvariant('count-fell', false, () => ({ from: 3, to: 2 }));
    violate();
    violate();
    expectInvariant('stale-advice', false, () => ({}));
    assert.equal(lines.length, 2);
    clock.advance(HOUR_MS);
    violate();
    assert.equal(lines.length, 3);
    assert.equal(watch.counts.get('count-fell'), 3);
    assert.equal(watch.counts.get('chain-broken'), 0);
    assert.deepEqual(watch.problems(), [
      'invariant violated: a count fell without a recorded deletion or correction',
      'invariant violated: advice was given on stale input',
    ]);
    watch.stop();
    violate();
    assert.equal(watch.counts.get('count-fell'), 3);
  });

  it('are reported once per name, even if the report causes another violation', () => {
    const names: string[] = [];
    const violate = () => expectInvariant('stale-advice', false, () => ({}));
    const stop = onFirstViolation((name) => {
      names.push(name);
      violate();
    });
    violate();
    expectInvariant('count-fell', false, () => ({}));
    stop();
    assert.deepEqual(names, ['stale-advice', 'count-fell']);
  });

  it('do not build details while they hold', () => {
    const stop = onViolation(() => assert.fail('violated'));
    expectInvariant('books-unbalanced', true, () => assert.fail('built'));
    stop();
  });
});
