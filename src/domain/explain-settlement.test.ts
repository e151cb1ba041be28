import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleEvent, samplePost } from '../../test/store/samples.ts';
import { MAIN_FEED_RULE } from './counting-rule.ts';
import { compileDossier } from './dossier.ts';
import type { DossierInput } from './explain-settlement.ts';
import { HOUR_MS } from './units.ts';

const END_TS = Date.UTC(2026, 8, 24, 16);
const EVENT = sampleEvent({ window: { startTs: END_TS - 48 * HOUR_MS, endTs: END_TS } });

const POSTS = ['p0', 'p1', 'p2'].map((postId) => {
  const createdTs = END_TS - 10 * HOUR_MS;
  const own = { postId, rootPostId: postId, createdTs, firstSeenTs: createdTs, firstSource: 'x' };
  return samplePost({ ...own, deletedTs: null });
});
const LISTINGS = POSTS.map(({ postId, createdTs }) => {
  return { postId, createdTs, importedTs: createdTs, listedTs: createdTs };
});
const SETTLED = { finalCount: 3, winningLabel: '<40', source: 'oracle', revision: 0, settledTs: END_TS };

const BASE: DossierInput = {
  ...{ event: EVENT, compiledTs: END_TS + 200 * HOUR_MS, rule: MAIN_FEED_RULE, posts: POSTS },
  ...{ listings: LISTINGS, oracle: [{ ts: END_TS - HOUR_MS, count: 3 }], ui: [], settlements: [SETTLED] },
};
const BEFORE = compileDossier(BASE).explanation;
const EDIT = { ...POSTS[0]!, postId: 'p3', rootPostId: 'p3', isCounted: false };
const VENUE_RULE = { ...MAIN_FEED_RULE, deletedPosts: false };

const edit = (at: number, change: object) =>
  POSTS.map((post, i) => (i === at ? { ...post, ...change } : post));
const { firstSource: _, ...withoutSource } = POSTS[0]!;
const [first, ...others] = LISTINGS;

/** A change of the data, and the sentences that it adds. */
const CHANGES: Record<string, [Partial<DossierInput>, string[]]> = {
  'a post from the oracle': [
    { posts: edit(0, { firstSource: 'oracle' }) },
    ['The counted posts were first seen: 2 independently of the oracle, 1 in the oracle’s list.'],
  ],
  'a post from a second oracle': [
    { posts: edit(0, { firstSource: 'oracle-2' }) },
    ['The counted posts were first seen: 2 independently of the oracle, 1 in the oracle’s list.'],
  ],
  'all posts from the oracle after the close': [
    { posts: POSTS.map((post) => ({ ...post, firstSource: 'oracle', firstSeenTs: END_TS })) },
    [
      'The counted posts were first seen: 3 in the oracle’s list.',
      'We first saw 3 of the counted posts after the close.',
    ],
  ],
  'a post without a recorded source': [
    { posts: [withoutSource, ...POSTS.slice(1)] },
    [
      'The counted posts were first seen: 2 independently of the oracle, 1 at a source that was not recorded.',
    ],
  ],
  'a deleted post': [{ posts: edit(0, { deletedTs: END_TS }) }, ['1 counted post was deleted later.']],
  'a reply': [
    { posts: edit(0, { isReply: true, isCounted: false }) },
    [
      'This instance recorded 3 posts from that time and counts 2.',
      'The counted posts were first seen: 2 independently of the oracle.',
      'Not counted: 1 (a reply does not count).',
      'The last oracle count that we read is 1 above ours.',
      'The oracle’s list lacks 0 posts that we count and has 1 that we do not.',
      'replies to others: counted by us 0, by the oracle 1.',
    ],
  ],
  "a reply to itself in another's thread": [
    {
      posts: edit(0, { isReply: true, isSelfReply: true, conversation: 'other', isCounted: false }),
      listings: others,
      oracle: [{ ts: END_TS - HOUR_MS, count: 2 }],
    },
    [
      'This instance recorded 3 posts from that time and counts 2.',
      'The counted posts were first seen: 2 independently of the oracle.',
      "Not counted: 1 (a reply to itself in another's thread does not count).",
      'The last new oracle count that we read by the close is 2 (2026-09-24 15:00 UTC).',
    ],
  ],
  'a rule without replies to itself': [
    {
      rule: { ...MAIN_FEED_RULE, selfReplies: false },
      posts: edit(0, { isReply: true, isSelfReply: true, conversation: 'own', isCounted: false }),
      listings: others,
      oracle: [{ ts: END_TS - HOUR_MS, count: 2 }],
    },
    [
      'The contract counts posts, quotes, reposts; deleted posts count, from 2026-09-22 16:00 UTC until 2026-09-24 16:00 UTC.',
      'This instance recorded 3 posts from that time and counts 2.',
      'The counted posts were first seen: 2 independently of the oracle.',
      'Not counted: 1 (a reply to itself does not count).',
      'The last new oracle count that we read by the close is 2 (2026-09-24 15:00 UTC).',
    ],
  ],
  'an oracle that counts more after the close': [
    { oracle: [...BASE.oracle, { ts: END_TS + 2 * HOUR_MS, count: 5 }], listings: [] },
    [
      'The next that we read is 5 (2026-09-24 18:00 UTC, 2 h after the close): up 2.',
      'The last oracle count that we read is 2 above ours.',
      'The oracle’s list of posts was not recorded for this window.',
    ],
  ],
  'an oracle that was not read for 40 hours before the close': [
    {
      oracle: [
        { ts: END_TS - 40 * HOUR_MS, count: 1 },
        { ts: END_TS + 5 * HOUR_MS, count: 3 },
      ],
    },
    [
      'The last new oracle count that we read by the close is 1 (2026-09-23 00:00 UTC).',
      'The next that we read is 3 (2026-09-24 21:00 UTC, 5 h after the close): up 2.',
    ],
  ],
  'an oracle that takes a rise back': [
    {
      oracle: [
        ...BASE.oracle,
        { ts: END_TS + 2 * HOUR_MS, count: 5 },
        { ts: END_TS + 3 * HOUR_MS, count: 3 },
      ],
    },
    [
      'The next that we read is 5 (2026-09-24 18:00 UTC), and the last is 3 (2026-09-24 19:00 UTC, 3 h after the close): up 2, down 2.',
    ],
  ],
  'an oracle with a fall as its last change': [
    {
      oracle: [
        ...BASE.oracle,
        { ts: END_TS + 2 * HOUR_MS, count: 8 },
        { ts: END_TS + 9 * HOUR_MS, count: 5 },
      ],
    },
    [
      'The next that we read is 8 (2026-09-24 18:00 UTC), and the last is 5 (2026-09-25 01:00 UTC, 9 h after the close): up 5, down 3.',
      'The last oracle count that we read is 2 above ours.',
      'Of the oracle’s list we recorded 3 posts, and it counted 5, so we do not compare the lists.',
    ],
  ],
  'an oracle that was first read after the close': [
    { oracle: [{ ts: END_TS + 100 * HOUR_MS, count: 3 }] },
    ['We recorded no oracle count by the close; the first is 3 (2026-09-28 20:00 UTC).'],
  ],
  'an oracle that was read twice after the close': [
    {
      oracle: [
        { ts: END_TS + HOUR_MS, count: 2 },
        { ts: END_TS + 2 * HOUR_MS, count: 3 },
      ],
    },
    [
      'We recorded no oracle count by the close; the first is 2 (2026-09-24 17:00 UTC), and the last is 3 (2026-09-24 18:00 UTC).',
    ],
  ],
  'no oracle count': [
    { oracle: [] },
    [
      'No oracle count is recorded.',
      'Of the oracle’s list we recorded 3 posts, but no oracle count is recorded, so we do not compare the lists.',
    ],
  ],
  'an open window': [
    { compiledTs: END_TS - 1, settlements: [] },
    [
      'The window is still open; the last new oracle count that we read is 3 (2026-09-24 15:00 UTC).',
      'No settlement is recorded.',
    ],
  ],
  'a window that has not begun': [
    {
      ...{ compiledTs: END_TS - 100 * HOUR_MS, posts: [], listings: [], settlements: [] },
      oracle: [{ ts: END_TS - 110 * HOUR_MS, count: 0 }],
    },
    [
      'This instance recorded 0 posts from that time and counts 0.',
      'The window has not begun; the last new oracle count that we read is 0 (2026-09-20 02:00 UTC).',
      'The oracle’s list of posts was not recorded for this window.',
      'No settlement is recorded.',
    ],
  ],
  'no list': [{ listings: [] }, ['The oracle’s list of posts was not recorded for this window.']],
  'a post missing from the list': [
    { listings: others, oracle: [{ ts: END_TS - HOUR_MS, count: 2 }] },
    [
      'The last new oracle count that we read by the close is 2 (2026-09-24 15:00 UTC).',
      'The last oracle count that we read is 1 below ours.',
      'The oracle’s list lacks 1 post that we count and has 0 that we do not.',
      'posts: counted by us 3, by the oracle 2.',
    ],
  ],
  'a list of which two posts were not recorded': [
    { listings: LISTINGS.slice(0, 1) },
    ['Of the oracle’s list we recorded 1 post, and it counted 3, so we do not compare the lists.'],
  ],
  'an oracle that counted more than its recorded list': [
    { oracle: [{ ts: END_TS - HOUR_MS, count: 9 }] },
    [
      'The last new oracle count that we read by the close is 9 (2026-09-24 15:00 UTC).',
      'The last oracle count that we read is 6 above ours.',
      'Of the oracle’s list we recorded 3 posts, and it counted 9, so we do not compare the lists.',
    ],
  ],
  'an oracle that dropped a post from its list': [
    { oracle: [...BASE.oracle, { ts: END_TS + 2 * HOUR_MS, count: 2 }] },
    [
      'The next that we read is 2 (2026-09-24 18:00 UTC, 2 h after the close): down 1.',
      'The last oracle count that we read is 1 below ours.',
      'We recorded 3 posts that the oracle has listed, more than its last count of 2, so we do not compare the lists.',
    ],
  ],
  'a late import': [
    { listings: [{ ...first!, importedTs: END_TS + 1 }, ...others] },
    ['The oracle imported 1 post from this window an hour or more late, 1 of them after the close.'],
  ],
  'a count on the market page': [
    { ui: [{ ts: END_TS, count: 4 }] },
    ['The last new count that we read on the market page is 4 (2026-09-24 16:00 UTC).'],
  ],
  'a revision of the winner': [
    { settlements: [SETTLED, { ...SETTLED, winningLabel: '40+', revision: 1 }] },
    [
      'It settled at 3 by the oracle’s count; bucket 40+ won.',
      'It was revised; first (2026-09-24 16:00 UTC): 3 by the oracle’s count; bucket <40 won.',
      'The market paid 40+, although the count falls in <40.',
    ],
  ],
  'a result that only the market gave': [
    { settlements: [{ ...SETTLED, finalCount: 40, winningLabel: '40+', source: 'market' }] },
    ['The market paid 40+; the count 40 is our estimate.'],
  ],
  'an estimate that the oracle revised': [
    {
      settlements: [
        { ...SETTLED, finalCount: 5, source: 'market' },
        { ...SETTLED, revision: 1 },
      ],
    },
    ['It was revised; first (2026-09-24 16:00 UTC): the market paid <40; the count 5 is our estimate.'],
  ],
  'an unknown winner': [
    { settlements: [{ ...SETTLED, winningLabel: null }] },
    ['It settled at 3 by the oracle’s count; the winning bucket is not recorded.'],
  ],
  'a deleted version of an edited post': [
    { posts: [...POSTS, { ...EDIT, isVersion: true, deletedTs: END_TS }] },
    [
      'This instance recorded 4 posts from that time and counts 3.',
      'Not counted: 1 (another version of this post was recorded).',
    ],
  ],
  'a deleted post that may be an edit': [
    { posts: [...POSTS, { ...EDIT, isDoubtful: true, deletedTs: END_TS }] },
    [
      'This instance recorded 4 posts from that time and counts 3.',
      'Not counted: 1 (it may be another version of a post).',
    ],
  ],
  'a deleted post that was recorded as not counted': [
    { posts: [...POSTS, { ...EDIT, deletedTs: END_TS }] },
    [
      'This instance recorded 4 posts from that time and counts 3.',
      'Not counted: 1 (it was recorded as not counted).',
    ],
  ],
  "another venue's contract on Roll Call, without deleted posts": [
    {
      event: { ...EVENT, terms: { venue: 'kalshi', countingRule: VENUE_RULE, settlementSource: 'rollcall' } },
      ...{ rule: VENUE_RULE, listings: [] },
      posts: [
        ...['rollcall', 'rollcall-2', 'oracle'].map((firstSource, i) => ({ ...POSTS[i]!, firstSource })),
        { ...EDIT, isCounted: true, deletedTs: END_TS },
      ],
    },
    [
      'The contract counts posts, quotes, reposts, replies in own threads; deleted posts do not count, from 2026-09-22 16:00 UTC until 2026-09-24 16:00 UTC.',
      'This instance recorded 4 posts from that time and counts 3.',
      'The counted posts were first seen: 1 independently of the oracle, 2 in the oracle’s list.',
      'Not counted: 1 (deleted posts do not count).',
      'The oracle’s list of posts was not recorded for this window.',
    ],
  ],
};

describe('settlement explanation', () => {
  for (const [name, [change, added]] of Object.entries(CHANGES)) {
    it(`changes with ${name}`, () => {
      const { explanation } = compileDossier({ ...BASE, ...change });
      assert.deepEqual(
        explanation.filter((sentence) => !BEFORE.includes(sentence)),
        added,
      );
    });
  }
});
