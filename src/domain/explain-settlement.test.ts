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
      'The oracle’s last count is 1 above ours.',
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
      'At the close the oracle had counted 2, unchanged since 2026-09-24 15:00 UTC.',
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
      'At the close the oracle had counted 2, unchanged since 2026-09-24 15:00 UTC.',
    ],
  ],
  'an oracle that counts more after the close': [
    { oracle: [...BASE.oracle, { ts: END_TS + 2 * HOUR_MS, count: 5 }] },
    [
      'The oracle added 2 after the close, the last one 2 h later (2026-09-24 18:00 UTC), and ended at 5.',
      'The oracle’s last count is 2 above ours.',
    ],
  ],
  'an oracle that was first read after the close': [
    { oracle: [{ ts: END_TS + 100 * HOUR_MS, count: 3 }] },
    [
      'We did not read the oracle before the close. It had counted 3 when we first did (2026-09-28 20:00 UTC).',
    ],
  ],
  'no oracle count': [{ oracle: [] }, ['No oracle count is recorded.']],
  'an open window': [
    { compiledTs: END_TS - 1, settlements: [] },
    [
      'The window is still open; the oracle has counted 3 since 2026-09-24 15:00 UTC.',
      'It has not settled yet.',
    ],
  ],
  'no list': [{ listings: [] }, ['The oracle’s list of posts was not recorded for this window.']],
  'a post missing from the list': [
    { listings: others },
    ['The oracle’s list lacks 1 post that we count and has 0 that we do not.'],
  ],
  'a late import': [
    { listings: [{ ...first!, importedTs: END_TS + 1 }, ...others] },
    ['The oracle imported 1 post from this window an hour or more late, 1 of them after the close.'],
  ],
  'a count on the market page': [
    { ui: [{ ts: END_TS, count: 4 }] },
    ['The market page’s last count was 4, first read 2026-09-24 16:00 UTC.'],
  ],
  'a revision by the market': [
    { settlements: [SETTLED, { ...SETTLED, winningLabel: '40+', source: 'market', revision: 1 }] },
    [
      'It settled at 3 by the market’s resolution; bucket 40+ won.',
      'It was revised: first 3 (<40), 2026-09-24 16:00 UTC.',
      'The market paid 40+, although the count falls in <40.',
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
