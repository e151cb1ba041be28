import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { EdgeEvidence } from '../domain/standing-advice.ts';
import { HOUR_MS } from '../domain/units.ts';
import type { AccountParameters } from '../forecast/parameters.ts';
import type { PastOptions } from '../jobs/past-work.ts';
import { type Clock, createManualClock, systemClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import type { LentStore } from '../store/lent-store.ts';
import { createPastThreads, type PastThreadParts } from './past-client.ts';
import type { FromPast, PastThreadData, ToPast } from './past-messages.ts';

const ACCOUNTS = ['a', 'b'].map((accountId) => ({
  accountId,
  allowsSell: false,
  parameters: {} as AccountParameters,
}));

interface FakeThread {
  data: PastThreadData;
  told: ToPast[];
  says(message: FromPast): void;
  ends(cause: Error): void;
}

function open(clock: Clock = systemClock) {
  const threads: FakeThread[] = [];
  const evidence: EdgeEvidence[] = [];
  const problems: (string | null)[] = [];
  const parts: PastThreadParts = {
    config: {} as PastThreadParts['config'],
    simulator: null,
    store: { lend: () => ({ engine: 'postgres' }) as LentStore },
  };
  const openPast = createPastThreads(parts, (data, says, ends) => {
    const told: ToPast[] = [];
    threads.push({ data, told, says, ends });
    return {
      postMessage(message) {
        told.push(message);
        if (message.kind === 'stop') ends(new Error('the thread has ended'));
      },
    };
  });
  const past = openPast(
    {
      ...{ accounts: ACCOUNTS, identity: { modelVersion: 'm', buildCommit: 'c' }, unread: ['a', 'b'] },
      ...{ awaitsPrices: true, clock, logger: silentLogger },
      store: {} as PastOptions['store'],
      onEvidence: (_, learned) => void evidence.push(learned),
    },
    { sources: { accounts: [] }, showProblem: (text) => void problems.push(text) },
  );
  return { past, threads, evidence, problems };
}

describe("the past's thread", () => {
  it('is replaced if it dies, told again what is complete, and the problem is shown until it answers', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { past, threads, evidence, problems } = open();
      past.start();
      past.noteHistoryComplete('a');
      const learned = { events: 1 } as EdgeEvidence;
      threads[0]!.says({ kind: 'evidence', accountId: 'a', evidence: learned });
      assert.deepEqual(evidence, [learned]);
      threads[0]!.ends(new Error('broken'));
      threads[0]!.ends(new Error('the thread has ended'));
      assert.match(problems.at(-1)!, /ended \(broken\); another one is started/);
      mock.timers.tick(5_000);
      assert.equal(threads.length, 2);
      assert.deepEqual(threads[1]!.data.plan.unread, ['b'], 'what was read needs no reading again');
      assert.deepEqual(threads[1]!.told, [{ kind: 'complete', accountId: 'a' }]);
      threads[1]!.says({ kind: 'evidence', accountId: 'a', evidence: learned });
      assert.equal(problems.at(-1), null);
      await past.stop();
    } finally {
      mock.timers.reset();
    }
  });

  it('ends when nothing is left to do, and begins again with work or an hour later', async () => {
    const clock = createManualClock(0);
    const { past, threads, problems } = open(clock);
    past.start();
    past.noteHistoryComplete('a');
    threads[0]!.says({ kind: 'resting' });
    assert.deepEqual(threads[0]!.told.at(-1), { kind: 'complete', accountId: 'a' }, 'b has work to come');
    past.noteHistoryComplete('b');
    threads[0]!.says({ kind: 'resting' });
    assert.deepEqual(threads[0]!.told.at(-1), { kind: 'stop' });
    past.noteSettled();
    assert.equal(threads.length, 2);
    assert.deepEqual(threads[1]!.told.length, 2, 'told again what is complete');
    threads[1]!.says({ kind: 'resting' });
    clock.advance(HOUR_MS);
    assert.equal(threads.length, 3);
    threads[2]!.says({ kind: 'resting' });
    await past.stop();
    clock.advance(HOUR_MS);
    assert.equal(threads.length, 3);
    assert.deepEqual(new Set(problems), new Set([null]), 'a thread that rests is not a problem');
  });

  it('is not replaced after a stop', async () => {
    const { past, threads, problems } = open();
    past.start();
    await past.stop();
    assert.deepEqual([threads.length, problems], [1, []]);
  });
});
