// The dossier of a disputed event, where the oracle was wrong at the close and caught up later.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createKeyPair, type Signature } from '../../src/runtime/signing.ts';
import { HOUR_MS, START_TS, sampleEvent, samplePost } from '../store/samples.ts';
import { isAcceptedAsDocumented } from '../support/documented-check.ts';
import { type Harness, startHarness } from './harness.ts';

const PATH = '/history/account_a/101/dossier';
const END_TS = START_TS + 168 * HOUR_MS;
const POSTS = 42;

let harness: Harness;
before(async () => {
  harness = await startHarness();
  await fill(harness);
  harness.clock.step(END_TS + 8 * HOUR_MS - harness.clock.now());
});
after(() => harness.close());

/**
 * 42 posts and 2 replies to others. The oracle stalls at 38 posts, imports the rest six hours after the
 * close, and also counts one reply. The market first settled at <40.
 */
async function fill({ store }: Harness): Promise<void> {
  await store.events.upsert([sampleEvent({ window: { startTs: START_TS, endTs: END_TS } })]);
  const posts = Array.from({ length: POSTS }, (_, i) =>
    samplePost({
      ...{ postId: `p${i}`, rootPostId: `p${i}`, createdTs: START_TS + i * 4 * HOUR_MS, firstSource: 'x' },
      ...{ firstSeenTs: i === POSTS - 1 ? END_TS + HOUR_MS : START_TS + i * 4 * HOUR_MS + 500 },
      ...{ deletedTs: i === 3 ? START_TS + 50 * HOUR_MS : null },
    }),
  );
  const reply = (postId: string) =>
    samplePost({
      postId,
      rootPostId: postId,
      createdTs: START_TS + HOUR_MS,
      isReply: true,
      isCounted: false,
    });
  await store.posts.recordCaptures([...posts, reply('r0'), reply('r1')]);
  await store.posts.recordCaptures([samplePost({ postId: 'after', rootPostId: 'after', createdTs: END_TS })]);
  const listing = (postId: string, createdTs: number, importedTs: number) => ({
    ...{ postId, createdTs, importedTs, listedTs: importedTs + 1 },
  });
  await store.oraclePosts.record('a', [
    ...posts.map(({ postId, createdTs }, i) =>
      listing(postId, createdTs, i < 38 ? createdTs + 60_000 : END_TS + 6 * HOUR_MS),
    ),
    listing('r0', START_TS + HOUR_MS, START_TS + 2 * HOUR_MS),
  ]);
  const count = (total: number, observedTs: number) =>
    store.counts.record([{ eventId: 101, feed: 'oracle', count: total, observedTs }]);
  await count(20, START_TS + 80 * HOUR_MS);
  await count(39, END_TS - HOUR_MS);
  await count(43, END_TS + 6 * HOUR_MS);
  const settlement = { eventId: 101, accountId: 'a' };
  await store.settlements.record({
    ...{ ...settlement, finalCount: 39, winningLabel: '<40', source: 'market', settledTs: END_TS + HOUR_MS },
  });
  await store.settlements.record({
    ...{
      ...settlement,
      finalCount: 43,
      winningLabel: '40+',
      source: 'oracle',
      settledTs: END_TS + 7 * HOUR_MS,
    },
  });
}

interface Signed {
  dossier: Record<string, unknown> & { explanation: string[]; posts?: Record<string, unknown>[] };
  signature: Signature;
}

async function read(key?: string): Promise<Signed> {
  const { status, json } = await harness.call(PATH, key === undefined ? {} : { key });
  assert.equal(status, 200);
  return json.data;
}

describe('an event dossier', () => {
  it('explains why the event settled this way', async () => {
    const { dossier } = await read();
    assert.deepEqual(dossier.explanation.slice(1), [
      'This instance recorded 44 posts from that time and counts 42.',
      'The counted posts were first seen: 42 independently of the oracle.',
      'Not counted: 2 (a reply does not count).',
      '1 counted post was deleted later.',
      'We first saw 1 of the counted posts after the close.',
      'The last new oracle count that we read by the close is 39 (2026-11-09 16:00 UTC).',
      'The next that we read is 43 (2026-11-09 23:00 UTC, 6 h after the close): up 4.',
      'The last oracle count that we read is 1 above ours.',
      'The oracle imported 5 posts from this window an hour or more late, 4 of them after the close.',
      'The oracle’s list lacks 0 posts that we count and has 1 that we do not.',
      'replies to others: counted by us 0, by the oracle 1.',
      'It settled at 43 by the oracle’s count; bucket 40+ won.',
      'It was revised; first (2026-11-09 18:00 UTC): the market paid <40; the count 39 is our estimate.',
    ]);
  });

  it('shows posts, counts by rule and disagreements only to PRO callers', async () => {
    const { dossier: open } = await read();
    assert.deepEqual(
      [open.posts, open.disagreements, open.counts_by_rule],
      [undefined, undefined, undefined],
    );
    const { dossier } = await read(harness.keys.PRO);
    assert.equal(dossier.posts!.length, POSTS + 2);
    const found = dossier.posts!.find(({ tweet_id }) => tweet_id === 'p41')!;
    assert.deepEqual([found.first_source, found.verdict], ['x', 'a post counts']);
    assert.equal(found.oracle_imported_ts, END_TS + 6 * HOUR_MS);
    assert.deepEqual(dossier.disagreements, [
      { tweet_id: 'r0', created_ts: START_TS + HOUR_MS, what: 'in the oracle’s list, not counted here' },
    ]);
    const byRule = dossier.counts_by_rule as { rule: string; count: number }[];
    assert.deepEqual(
      byRule.map(({ count }) => count),
      [42, 41, 44, 42, 42, 42],
    );
  });

  it("is signed by the instance's key, which is created once", async () => {
    const { dossier, signature } = await read(harness.keys.PRO);
    const { json } = await harness.call('/instance-key');
    assert.equal(json.data.public_key, signature.public_key);
    const { public_key: knownKey } = json.data;
    assert.equal(await isAcceptedAsDocumented({ dossier, signature }, knownKey), true);
    const altered = { ...dossier, own_count: 43 };
    assert.equal(await isAcceptedAsDocumented({ dossier: altered, signature }, knownKey), false);
    assert.equal(await isAcceptedAsDocumented({ dossier, signature }, createKeyPair().publicKey), false);
  });

  it('has a dashboard page', async () => {
    const page = await harness.call('//dossier/account_a/101');
    assert.deepEqual([page.status, page.headers.location], [302, '/#/event/account_a/101/dossier']);
  });

  it('is not found under another account', async () => {
    assert.equal((await harness.call('/history/account_b/101/dossier')).status, 404);
    assert.equal((await harness.call('/history/account_a/x/dossier')).status, 422);
  });
});
