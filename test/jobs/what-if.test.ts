// Compares what-if with the publisher. Without an assumption it returns the published forecast; with one, it
// recomputes all open events together.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { createInlineRunner } from '../../src/jobs/forecasting/forecast-runner.ts';
import { createWhatIf } from '../../src/jobs/forecasting/what-if.ts';
import { eventOf, keepBenches, ORIGIN_TS, postOf, publisherOf } from './jobs-fixture.ts';

const { running } = keepBenches();
const neutral = { paceFactor: 1, wakeTs: null, postsAdded: 0 };

describe('what-if', () => {
  it('equals the published forecast without an assumption, for every open event over a day', async () => {
    const { bench } = await running(50);
    await bench.listEvent(eventOf(2, ORIGIN_TS - 2 * DAY_MS, 3));
    const publisher = publisherOf(bench);
    const whatIf = createWhatIf({
      ...bench,
      accounts: [profileOfLetter('a')],
      posts: bench.store.posts,
      createRunner: createInlineRunner,
    });
    for (let hour = 0; hour < 24; hour += 4) {
      bench.clock.advance(4 * HOUR_MS);
      await bench.capture([postOf(bench.clock.now() - 60_000)]);
      await publisher.runOnce();
      const snapshot = bench.snapshot();
      const nowTs = bench.clock.now();
      const open = snapshot.events.filter(({ event }) => event.window.endTs > nowTs);
      assert.ok(open.length > 0);
      for (const { event, forecast } of open) {
        const { eventId } = event;
        const { asofTs, countSoFar, p5, p50, p95 } = forecast!;
        const reported = await whatIf.ask('a', { eventId, scenario: neutral, bankrollUsd: 1_000, nowTs });
        const { rows, ...percentiles } = reported!;
        assert.deepEqual(percentiles, { asofTs, countSoFar, p5, p50, p95 });
        assert.deepEqual(
          rows.map(({ modelProbability }) => modelProbability),
          forecast!.bucketProbabilities,
        );
        // A nearly neutral assumption is recomputed, and barely changes the forecast.
        const nearly = { ...neutral, paceFactor: 1 + 1e-12 };
        const step = await whatIf.ask('a', { eventId, scenario: nearly, bankrollUsd: 1_000, nowTs });
        for (const [i, { modelProbability }] of step!.rows.entries()) {
          assert.ok(Math.abs(modelProbability - forecast!.bucketProbabilities[i]!) < 1e-6);
        }
      }
    }
    await whatIf.close();
  });

  it('sends a snapshot to its thread once, and again if the thread may have lost it', async () => {
    const { bench } = await running(30);
    await publisherOf(bench).runOnce();
    const reported: boolean[] = [];
    let isLost = false;
    const runner = createInlineRunner();
    const whatIf = createWhatIf({
      ...{ ...bench, accounts: [profileOfLetter('a')], posts: bench.store.posts },
      createRunner: () => ({
        ...runner,
        async whatIf(accountId, question) {
          reported.push(question.snapshot !== null);
          if (isLost) throw new Error('the thread died');
          return runner.whatIf(accountId, question);
        },
      }),
    });
    const scenario = { ...neutral, paceFactor: 2 };
    const ask = () => whatIf.ask('a', { eventId: 1, scenario, bankrollUsd: 1_000, nowTs: bench.clock.now() });
    const first = await ask();
    assert.deepEqual(await ask(), first);
    isLost = true;
    await assert.rejects(ask(), /died/);
    isLost = false;
    assert.deepEqual(await ask(), first);
    await bench.capture([postOf(bench.clock.now() - 60_000)]);
    await ask();
    assert.deepEqual(reported, [true, false, false, true, true]);
  });

  it("keeps the count and changes every bucket's probability if no more posts are assumed", async () => {
    const { bench, event } = await running(30);
    await publisherOf(bench).runOnce();
    const accounts = [profileOfLetter('a')];
    const whatIf = createWhatIf({ ...bench, accounts, posts: bench.store.posts });
    const nowTs = bench.clock.now();
    const scenario = { ...neutral, wakeTs: event.window.endTs, postsAdded: 3 };
    const reported = await whatIf.ask('a', { eventId: 1, scenario, bankrollUsd: 1_000, nowTs });
    await whatIf.close();
    const count = bench.snapshot().events[0]!.counters.real! + 3;
    assert.deepEqual([reported!.countSoFar, reported!.p5, reported!.p95], [count, count, count]);
    const sure = reported!.rows.find(({ lo, hi }) => lo <= count && count <= (hi ?? Infinity))!;
    assert.ok(sure.modelProbability > 0.99);
  });
});
