import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { createManualClock } from '../../runtime/clock.ts';
import { keepBeating } from './leader-lock.ts';

/** A session that answers when the test lets it. */
function openSession() {
  const asked: PromiseWithResolvers<void>[] = [];
  const query = () => {
    const answer = Promise.withResolvers<void>();
    asked.push(answer);
    return answer.promise;
  };
  return { client: { query } as unknown as pg.Client, asked };
}

function begin() {
  const clock = createManualClock(0);
  const [lost, ended, session] = [new AbortController(), new AbortController(), openSession()];
  const over = AbortSignal.any([ended.signal, lost.signal]);
  return { clock, lost, ended, ...session, beating: keepBeating(session.client, over, lost, clock) };
}

describe('a heartbeat', () => {
  it('outlives a stall of this process, after which the answer needs a round trip', async () => {
    const { clock, lost, ended, beating, asked } = begin();
    await clock.advanceAsync(1_000);
    clock.advance(60_000);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.equal(lost.signal.aborted, false);
    asked[0]!.resolve();
    await nextTurn();
    ended.abort();
    await beating;
    assert.equal(lost.signal.aborted, false);
  });

  it('ends the leadership if the database does not answer a process that runs', async () => {
    const { clock, lost, beating } = begin();
    await clock.advanceAsync(5_000);
    await beating;
    assert.match(String(lost.signal.reason), /no heartbeat within 3 s/);
  });
});
