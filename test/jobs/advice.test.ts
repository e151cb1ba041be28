// Advice as state: published once, unchanged while nothing moves, changed with a cause.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { type AdvicePublication, createAdvicePublisher } from '../../src/jobs/publish-advice.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { evidenceOf } from '../support/priced-event.ts';
import {
  createBench,
  eventOf,
  HISTORY_DAYS,
  ORIGIN_TS,
  pretendPosts,
  publisherOf,
  quoteOf,
} from './jobs-fixture.ts';

const EVENT = eventOf(1, ORIGIN_TS - 4 * DAY_MS, 7);
const EVIDENCE = evidenceOf(1);

async function startAdvising(t: TestContext) {
  const bench = await createBench();
  t.after(() => bench.close());
  await bench.capture(pretendPosts(ORIGIN_TS - HISTORY_DAYS * DAY_MS, ORIGIN_TS));
  await bench.listEvent(EVENT);
  await publisherOf(bench).runOnce();
  const published: AdvicePublication[] = [];
  const job = createAdvicePublisher({
    ...bench,
    account: profileOfLetter('a'),
    logger: silentLogger,
    getEvidence: () => EVIDENCE,
    onAdvised: async (_, publication) => {
      published.push(publication);
      bench.note({ kind: 'advice-published', ...publication });
    },
  });
  const { bucketProbabilities } = bench.snapshot().events[0]!.forecast!;
  const best = bucketProbabilities.indexOf(Math.max(...bucketProbabilities));
  const { label, yesTokenId } = EVENT.buckets[best]!;
  const quote = (bid: number, ask: number) =>
    bench.readQuotes([quoteOf(yesTokenId, bid, ask, bench.clock.now())]);
  return { bench, job, published, label, quote };
}

describe('advice in the account’s state', () => {
  it('is published once, and again only with a change and its cause', async (t) => {
    const { bench, job, published, label, quote } = await startAdvising(t);
    await quote(0.1, 0.12);
    await job.runOnce();
    const [first] = published;
    assert.equal(first!.standing['1']![label]!.kind, 'buy-yes');
    bench.clock.advance(MINUTE_MS);
    await job.runOnce();
    await quote(0.101, 0.121);
    await job.runOnce();
    assert.equal(published.length, 1, 'a move of less than a tick and half a point changes nothing');
    await quote(0.94, 0.96);
    await job.runOnce();
    const changed = published[1]!.standing['1']![label]!;
    assert.notEqual(changed.kind, 'buy-yes');
    assert.equal(changed.sinceTs, bench.clock.now());
    assert.match(changed.changedBecause!, /Yes bid 10¢ → 94¢/);
  });

  it('survives a restart of the job with its age', async (t) => {
    const { bench, job, published, label, quote } = await startAdvising(t);
    await quote(0.1, 0.12);
    await job.runOnce();
    bench.clock.advance(MINUTE_MS);
    const again = createAdvicePublisher({
      ...bench,
      account: profileOfLetter('a'),
      logger: silentLogger,
      getEvidence: () => ({ ...EVIDENCE }),
      onAdvised: async (_, publication) => void published.push(publication),
    });
    await again.runOnce();
    assert.equal(published.at(-1)!.standing['1']![label]!.sinceTs, ORIGIN_TS);
  });
});
