import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../runtime/clock.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import { createUnheardNews, HEARD_FOR_MS, MAX_WAITING } from './unheard-news.ts';

function createScene() {
  const clock = createManualClock(0);
  const reported: number[] = [];
  const lost: number[] = [];
  const unheard = createUnheardNews({
    clock,
    report: ({ next }) => void reported.push(next.version),
    lose: ({ next }) => void lost.push(next.version),
  });
  const take = (version: number, accountId = 'a') =>
    unheard.take({ next: { accountId, version } as AccountSnapshot, changes: [], atTs: clock.now() });
  return { clock, reported, lost, unheard, take };
}

describe('changes without readers', () => {
  it('are queued, then formatted in order when a reader connects', () => {
    const { reported, unheard, take } = createScene();
    take(1);
    take(2);
    take(9, 'b');
    assert.deepEqual(reported, []);
    unheard.noteReader('a');
    assert.deepEqual(reported, [1, 2]);
    take(3);
    assert.deepEqual(reported, [1, 2, 3]);
  });

  it('are still formatted immediately for a while after the last reader disconnects', () => {
    const { clock, reported, unheard, take } = createScene();
    unheard.noteReader('a');
    unheard.noteLeaving('a');
    take(1);
    clock.advance(HEARD_FOR_MS - 1);
    take(2);
    clock.advance(1);
    take(3);
    assert.deepEqual(reported, [1, 2]);
  });

  it('are dropped, oldest first, when too many are queued, and all of them when the account restarts', () => {
    const { reported, lost, unheard, take } = createScene();
    for (let version = 1; version <= MAX_WAITING + 2; version++) take(version);
    assert.deepEqual(lost, [1, 2]);
    unheard.forget('a');
    unheard.noteReader('a');
    assert.deepEqual(reported, []);
  });
});
