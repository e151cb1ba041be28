import assert from 'node:assert/strict';
import { isCountedUnder } from '../../src/domain/contract.ts';
import { type CountingRule, MAIN_FEED_RULE } from '../../src/domain/counting-rule.ts';
import { describeStore } from './engines.ts';
import { START_TS, samplePost } from './samples.ts';

const ALWAYS = { startTs: 0, endTs: START_TS * 2 };

describeStore('posts', (test) => {
  test('can be paged through in a time range, oldest first', async (store) => {
    const at = (postId: string, createdTs: number) => samplePost({ postId, rootPostId: postId, createdTs });
    await store.posts.recordCaptures([
      at('3', START_TS),
      at('1', START_TS),
      at('2', START_TS + 1),
      at('4', 0),
    ]);
    const range = { fromTs: START_TS, untilTs: START_TS + 2 };
    const first = await store.posts.listPage('a', { ...range, limit: 2, after: null });
    const rest = await store.posts.listPage('a', { ...range, limit: 2, after: first.at(-1)! });
    assert.deepEqual(
      [...first, ...rest].map((post) => post.postId),
      ['1', '3', '2'],
    );
    const before = await store.posts.listPage('a', { fromTs: 0, untilTs: 1, limit: 2, after: null });
    assert.equal(before[0]!.postId, '4');
  });

  test('are stored unchanged, once per id, within a call and across calls', async (store) => {
    const post = samplePost({ isReply: true, isSelfReply: true, isCounted: false });
    assert.deepEqual(await store.posts.recordCaptures([post, { ...post, text: 'again' }]), [post]);
    assert.deepEqual(await store.posts.recordCaptures([post]), []);
    assert.deepEqual(await store.posts.listRecent('a', 10, 0), [post]);
  });

  test('in an edit chain count once, even if a later version was reported as a separate post', async (store) => {
    const alone = samplePost({ postId: '21', rootPostId: '21' });
    const first = samplePost({ postId: '20', rootPostId: '20', isCounted: false, isDoubtful: true });
    const versionIds = ['20', '21', '22'];
    await store.posts.recordCaptures([alone, first]);
    const third = samplePost({ postId: '22', rootPostId: '20', versionIds });
    assert.deepEqual(await store.posts.recordCaptures([third]), []);
    const known = samplePost({ postId: '20', rootPostId: '20', versionIds });
    assert.deepEqual(await store.posts.settleDoubts([known]), [known]);
    const { accountId, createdTs } = alone;
    assert.equal(await store.posts.countCounted(accountId, createdTs, createdTs + 1), 1);
    const window = { startTs: createdTs, endTs: createdTs + 1 };
    const none = { counted: 0, uncounted: 0 };
    assert.deepEqual(await store.posts.countWindows(accountId, [window]), [{ real: 1, doubt: none }]);
  });

  test('that are versions of one edited post count once under every rule', async (store) => {
    const venue = { ...MAIN_FEED_RULE, deletedPosts: false };
    const all = { ...MAIN_FEED_RULE, replies: true };
    const versionIds = ['30', '31'];
    const edit = samplePost({ postId: '31', isCounted: false, isDoubtful: true });
    await store.posts.recordCaptures([samplePost({ postId: '30' }), edit]);
    const linked = { ...edit, isCounted: true, isDoubtful: false, rootPostId: '30', versionIds };
    await store.posts.settleDoubts([linked]);
    const countIn = async (rule: CountingRule) => [
      await store.posts.countByRule('a', ALWAYS.startTs, ALWAYS.endTs, rule),
      (await store.posts.countWindows('a', [ALWAYS], rule))[0]!.real,
      (await store.posts.listTimes('a', 0, rule)).isCounted.reduce((total, flag) => total + flag, 0),
      (await store.posts.listRecent('a', 10, 0)).filter((post) => isCountedUnder(rule, post)).length,
    ];
    for (const rule of [MAIN_FEED_RULE, venue, all]) assert.deepEqual(await countIn(rule), [1, 1, 1, 1]);
    const row = (await store.posts.listRecent('a', 10, 0)).find(({ postId }) => postId === '31')!;
    assert.deepEqual([row.isCounted, row.isDoubtful, row.isVersion], [false, undefined, true]);
    assert.deepEqual(await store.posts.listDoubtful('a', 0), []);
    assert.deepEqual(await store.posts.settleDoubts([linked]), []);
  });

  test('that are another version of a reply to itself are no replies that the rule excludes', async (store) => {
    const own = { isReply: true, isSelfReply: true, conversation: 'own' } as const;
    const edit = samplePost({ ...own, postId: '51', isCounted: false, isDoubtful: true });
    await store.posts.recordCaptures([samplePost({ ...own, postId: '50' }), edit]);
    const versionIds = ['50', '51'];
    await store.posts.settleDoubts([
      { ...edit, isCounted: true, isDoubtful: false, rootPostId: '50', versionIds },
    ]);
    const doubt = { counted: 0, uncounted: 0, ownThread: 1 };
    assert.deepEqual(await store.posts.countWindows('a', [ALWAYS]), [{ real: 1, doubt }]);
    assert.equal((await store.posts.listSelfReplies('a', 0)).length, 1);
  });

  test('in an edit chain count once', async (store) => {
    const first = samplePost({ postId: '10' });
    const edit = samplePost({ postId: '11', rootPostId: '10' });
    assert.deepEqual(await store.posts.recordCaptures([first]), [first]);
    assert.deepEqual(await store.posts.recordCaptures([edit]), []);
    const lateRoot = [
      samplePost({ postId: '21', rootPostId: '20' }),
      samplePost({ postId: '20', rootPostId: '20' }),
    ];
    assert.deepEqual(await store.posts.recordCaptures(lateRoot), [lateRoot[0]]);
  });

  test('are stored separately for each account', async (store) => {
    await store.posts.recordCaptures([samplePost(), samplePost({ accountId: 'b' })]);
    assert.equal(await store.posts.count('a'), 1);
    assert.equal(await store.posts.count('b'), 1);
  });

  test('are listed newest first, in pages', async (store) => {
    const posts = ['1', '2', '3', '4'].map((postId, i) =>
      samplePost({ postId, createdTs: START_TS + Math.floor(i / 2) }),
    );
    await store.posts.recordCaptures(posts);
    const ids = async (limit: number, offset: number) =>
      (await store.posts.listRecent('a', limit, offset)).map((post) => post.postId);
    assert.deepEqual(await ids(10, 0), ['4', '3', '2', '1']);
    assert.deepEqual(await ids(2, 1), ['3', '2']);
  });

  test('are counted by the rule in a half-open window', async (store) => {
    await store.posts.recordCaptures([
      samplePost({ postId: '1', createdTs: 1_000 }),
      samplePost({ postId: '2', createdTs: 2_000 }),
      samplePost({ postId: '3', createdTs: 2_500, isCounted: false }),
      samplePost({ postId: '4', createdTs: 3_000 }),
    ]);
    assert.equal(await store.posts.countCounted('a', 1_000, 3_000), 2);
  });

  test('can be read as columns in ascending time order', async (store) => {
    await store.posts.recordCaptures([
      samplePost({ postId: '3', createdTs: START_TS + 30 }),
      samplePost({ postId: '1', createdTs: START_TS - 1 }),
      samplePost({ postId: '2', createdTs: START_TS, isCounted: false }),
    ]);
    const times = await store.posts.listTimes('a', START_TS);
    assert.deepEqual([...times.createdTs], [START_TS, START_TS + 30]);
    assert.deepEqual([...times.isCounted], [0, 1]);
    const deletion = { accountId: 'a', postId: '3', deletedTs: START_TS + 40 };
    await store.posts.recordDeletions([deletion], false);
    const byRule = async (deletedPosts: boolean) => [
      ...(await store.posts.listTimes('a', START_TS, { ...MAIN_FEED_RULE, deletedPosts })).isCounted,
    ];
    assert.deepEqual(
      [await byRule(true), await byRule(false)],
      [
        [1, 1],
        [1, 0],
      ],
    );
    assert.equal((await store.posts.listTimes('b', 0)).createdTs.length, 0);
  });

  test('are marked deleted once, stay counted, and lose their text on request', async (store) => {
    await store.posts.recordCaptures([samplePost({ postId: '1' }), samplePost({ postId: '2' })]);
    const deletion = { accountId: 'a', postId: '1', deletedTs: START_TS + 5_000 };
    const unknown = { accountId: 'a', postId: '9', deletedTs: START_TS };
    assert.deepEqual(await store.posts.recordDeletions([deletion, unknown], true), [deletion]);
    assert.deepEqual(await store.posts.recordDeletions([deletion], true), []);
    const marked = (await store.posts.listRecent('a', 10, 0)).find((post) => post.postId === '1');
    assert.deepEqual(marked, samplePost({ postId: '1', deletedTs: deletion.deletedTs, text: null }));
    assert.equal(await store.posts.countCounted('a', 0, START_TS * 2), 2);
    assert.deepEqual(await store.posts.listStandingIds('a', 0), ['2']);
  });

  test('stay uncertain until a better source decides, which happens once', async (store) => {
    const doubtful = samplePost({ postId: '1', isDoubtful: true, firstSource: 'oracle' });
    const left = samplePost({ postId: '2', isDoubtful: true, isCounted: false });
    await store.posts.recordCaptures([doubtful, left, samplePost({ postId: '3' })]);
    const readDoubts = async () =>
      (await store.posts.countWindows('a', [ALWAYS, { startTs: 0, endTs: 1 }])).map(({ doubt }) => doubt);
    assert.deepEqual(await readDoubts(), [
      { counted: 1, uncounted: 1 },
      { counted: 0, uncounted: 0 },
    ]);
    assert.deepEqual((await store.posts.listDoubtful('a', 0)).map(({ postId }) => postId).sort(), ['1', '2']);
    const told = samplePost({ postId: '1', isReply: true, isCounted: false });
    assert.deepEqual(await store.posts.settleDoubts([told, samplePost({ postId: '3' })]), [told]);
    assert.deepEqual(await store.posts.settleDoubts([told]), []);
    const row = (await store.posts.listRecent('a', 10, 0)).find(({ postId }) => postId === '1');
    assert.deepEqual(row, { ...told, firstSource: 'oracle' });
    assert.deepEqual((await readDoubts())[0], { counted: 0, uncounted: 1 });
  });

  test('have a capture delay only if they were created after watching began', async (store) => {
    await store.posts.recordCaptures([
      samplePost({ postId: '1', createdTs: START_TS - 100_000, firstSeenTs: START_TS }),
      samplePost({ postId: '2', createdTs: START_TS + 10_000, firstSeenTs: START_TS + 13_000 }),
      samplePost({ postId: '3', createdTs: START_TS + 20_000, firstSeenTs: START_TS + 21_000 }),
    ]);
    assert.deepEqual(await store.posts.listCaptureDelays('a', 10), [1_000, 3_000]);
    assert.deepEqual(await store.posts.listCaptureDelays('a', 1), [1_000]);
  });

  test('are stored without NUL characters in their text', async (store) => {
    await store.posts.recordCaptures([samplePost({ text: 'a\0b' })]);
    assert.equal((await store.posts.listRecent('a', 1, 0))[0]?.text, 'ab');
  });

  test('can be imported by the thousand', async (store) => {
    const posts = Array.from({ length: 3_000 }, (_, i) =>
      samplePost({ postId: String(10_000 + i), createdTs: START_TS + i }),
    );
    assert.equal((await store.posts.recordCaptures(posts)).length, 3_000);
    assert.equal((await store.posts.recordCaptures(posts)).length, 0);
    assert.equal(await store.posts.count('a'), 3_000);
  });
});
