// Dossiers of 200 settled events with sources, deletions, readings and revisions in every order: each sentence is
// compared with the store, by formulas that do not come from the dossier's code.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CapturedPost } from '../../src/domain/post.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createRandom, type Random } from '../../src/runtime/random.ts';
import type { Store } from '../../src/store/ports.ts';
import { sampleEvent } from '../store/samples.ts';
import { NOW_TS } from './fixture.ts';
import { type Harness, startHarness } from './harness.ts';

const EVENTS = 200;
const FIRST_ID = 700_000;
const SOURCES = ['x', 'twitterapi', 'oracle', 'oracle-2', undefined];
const time = (ts: number) => `${new Date(ts).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function windowOf(index: number) {
  const startTs = NOW_TS - (EVENTS + 10 - index) * DAY_MS;
  return { startTs, endTs: startTs + DAY_MS };
}

async function settle(store: Store, index: number, random: Random): Promise<void> {
  const [eventId, window, accountId] = [FIRST_ID + index, windowOf(index), 'a'];
  const chance = (share: number) => random.uniform() < share;
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random.uniform() * values.length)]!;
  const ahead = (fromTs: number, withinMs: number) => fromTs + Math.floor(random.uniform() * withinMs);
  await store.events.upsert([sampleEvent({ eventId, window })]);
  const posts = Array.from({ length: Math.floor(random.uniform() * 60) }, (_, i): CapturedPost => {
    const createdTs = ahead(window.startTs, DAY_MS);
    const [postId, isReply, firstSource] = [String(index * 1_000 + i + 1), chance(0.2), pick(SOURCES)];
    return {
      ...{ accountId, postId, rootPostId: postId, createdTs, text: null, isReply, isQuote: false },
      ...{ isRetweet: !isReply && chance(0.3), isSelfReply: false, isCommunity: false, isCounted: !isReply },
      ...{ firstSeenTs: ahead(createdTs, chance(0.2) ? 2 * DAY_MS : MINUTE_MS) },
      ...{ deletedTs: chance(0.1) ? createdTs + HOUR_MS : null, ...(firstSource && { firstSource }) },
    };
  });
  if (posts.length > 0) await store.posts.recordCaptures(posts);
  const listed = chance(0.3) ? [] : posts.filter(({ isReply }) => (isReply ? chance(0.05) : chance(0.95)));
  const toListing = ({ postId, createdTs }: { postId: string; createdTs: number }) => ({
    ...{ postId, createdTs, importedTs: chance(0.1) ? null : ahead(createdTs, 3 * HOUR_MS) },
    listedTs: createdTs + HOUR_MS,
  });
  const unseen = chance(0.2) ? [{ postId: `${index}999`, createdTs: window.startTs }] : [];
  if (listed.length > 0) await store.oraclePosts.record(accountId, [...listed, ...unseen].map(toListing));
  for (const feed of ['oracle', 'ui'] as const) {
    const fromTs = chance(0.2) ? window.endTs + 1 : window.startTs;
    let observedTs = fromTs;
    for (let left = Math.floor(random.uniform() * 4); left > 0; left--) {
      observedTs = ahead(observedTs + MINUTE_MS, DAY_MS);
      await store.counts.record([{ eventId, feed, count: Math.floor(random.uniform() * 60), observedTs }]);
    }
  }
  for (let revision = 0; revision < (chance(0.2) ? 2 : 1); revision++)
    await store.settlements.record({
      ...{ eventId, accountId, finalCount: Math.floor(random.uniform() * 60) + revision },
      ...{ winningLabel: pick(['<40', '40+', null]), source: pick(['oracle', 'market']) },
      settledTs: window.endTs + (1 + revision) * HOUR_MS,
    });
}

/** What the store says, read without the dossier's code. */
async function readFacts(store: Store, index: number) {
  const [eventId, { startTs, endTs }] = [FIRST_ID + index, windowOf(index)];
  const posts = await store.posts.listPage('a', {
    fromTs: startTs,
    untilTs: endTs,
    limit: 1_000,
    after: null,
  });
  const listings = await store.oraclePosts.list('a', startTs, endTs);
  const [oracle, ui] = await Promise.all([
    store.counts.history(eventId, 'oracle'),
    store.counts.history(eventId, 'ui'),
  ]);
  const settlements = await store.settlements.history(eventId);
  const counted = posts.filter(({ isCounted }) => isCounted);
  const listedIds = new Set(listings.map(({ postId }) => postId));
  const known = new Set(posts.map(({ postId }) => postId));
  return {
    ...{ startTs, endTs, posts, listings, oracle, ui, settlements, counted, listedIds, known },
    isFrom: (name: RegExp) => counted.filter(({ firstSource = '' }) => name.test(firstSource)).length,
  };
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

/** Every kind of sentence: when it must appear, and the words that the store supports. */
const SENTENCES: [RegExp, (facts: Facts) => boolean, (facts: Facts) => (string | number)[]][] = [
  [/^The contract counts .*, from (.*) until (.*)\.$/, () => true, (f) => [time(f.startTs), time(f.endTs)]],
  [
    /^This instance recorded (\d+) posts? from that time and counts (\d+)\.$/,
    () => true,
    (f) => [f.posts.length, f.counted.length],
  ],
  [
    /^The counted posts were first seen: (.*)\.$/,
    (f) => f.counted.length > 0,
    (f) => [
      [
        [f.isFrom(/^(x|twitterapi)$/), 'independently of the oracle'],
        [f.isFrom(/^oracle/), 'in the oracle’s list'],
        [f.isFrom(/^$/), 'at a source that was not recorded'],
      ]
        .filter(([count]) => count !== 0)
        .map((part) => part.join(' '))
        .join(', '),
    ],
  ],
  [
    /^Not counted: (\d+) \(a reply does not count\)\.$/,
    (f) => f.posts.some(({ isReply }) => isReply),
    (f) => [f.posts.filter(({ isReply }) => isReply).length],
  ],
  [
    /^(\d+) counted posts? (?:was|were) deleted later\.$/,
    (f) => f.counted.some(({ deletedTs }) => deletedTs !== null),
    (f) => [f.counted.filter(({ deletedTs }) => deletedTs !== null).length],
  ],
  [
    /^We first saw (\d+) of the counted posts after the close\.$/,
    (f) => f.counted.some(({ firstSeenTs }) => firstSeenTs >= f.endTs),
    (f) => [f.counted.filter(({ firstSeenTs }) => firstSeenTs >= f.endTs).length],
  ],
  [/^No oracle count is recorded\.$/, (f) => f.oracle.length === 0, () => []],
  [
    /^At the close the oracle had counted (\d+), unchanged since (.*)\.$/,
    (f) => before_(f).length > 0,
    (f) => [before_(f).at(-1)!.count, time(before_(f).at(-1)!.observedTs)],
  ],
  [
    /^The oracle has not changed its count since\.$/,
    (f) => before_(f).length > 0 && after_(f).length === 0,
    () => [],
  ],
  [
    /^The oracle (added \d+|removed \d+) after the close, the last one ([\d.]+) h later \((.*)\), and ended at (\d+)\.$/,
    (f) => before_(f).length > 0 && after_(f).length > 0,
    (f) => {
      const last = after_(f).at(-1)!;
      const change = last.count - before_(f).at(-1)!.count;
      const hours = Math.round((10 * (last.observedTs - f.endTs)) / HOUR_MS) / 10;
      const verb = change >= 0 ? `added ${change}` : `removed ${-change}`;
      return [verb, hours, time(last.observedTs), last.count];
    },
  ],
  [
    /^We did not read the oracle before the close\. It had counted (\d+) when we first did \((.*?)\)(?: and ended at (\d+))?\.$/,
    (f) => before_(f).length === 0 && after_(f).length > 0,
    (f) => {
      const [first, last] = [after_(f)[0]!, after_(f).at(-1)!];
      return [first.count, time(first.observedTs), last.count === first.count ? 'undefined' : last.count];
    },
  ],
  [
    /^The oracle’s last count and ours agree\.$/,
    (f) => f.oracle.at(-1)?.count === f.counted.length,
    () => [],
  ],
  [
    /^The oracle’s last count is (\d+) (above|below) ours\.$/,
    (f) => f.oracle.length > 0 && f.oracle.at(-1)!.count !== f.counted.length,
    (f) => {
      const more = f.oracle.at(-1)!.count - f.counted.length;
      return [Math.abs(more), more > 0 ? 'above' : 'below'];
    },
  ],
  [
    /^The oracle’s list of posts was not recorded for this window\.$/,
    (f) => f.listings.length === 0,
    () => [],
  ],
  [
    /^The oracle imported (\d+) posts? from this window an hour or more late, (\d+) of them after the close\.$/,
    (f) => late(f).length > 0,
    (f) => [late(f).length, late(f).filter((ts) => ts > f.endTs).length],
  ],
  [
    /^The oracle’s list contains exactly the posts we count\.$/,
    (f) => f.listings.length > 0 && lacking(f) + surplus(f) === 0,
    () => [],
  ],
  [
    /^The oracle’s list lacks (\d+) posts? that we count and has (\d+) that we do not\.$/,
    (f) => f.listings.length > 0 && lacking(f) + surplus(f) > 0,
    (f) => [lacking(f), surplus(f)],
  ],
  [
    /^The market page’s last count was (\d+), first read (.*)\.$/,
    (f) => f.ui.length > 0,
    (f) => [f.ui.at(-1)!.count, time(f.ui.at(-1)!.observedTs)],
  ],
  [
    /^It settled at (\d+) by the (oracle’s count|market’s resolution); bucket (.*) won\.$/,
    () => true,
    ({ settlements }) => {
      const { finalCount, source, winningLabel } = settlements.at(-1)!;
      return [
        finalCount,
        source === 'oracle' ? 'oracle’s count' : 'market’s resolution',
        winningLabel ?? 'unknown',
      ];
    },
  ],
  [
    /^It was revised: first (\d+) \((.*)\), (.*)\.$/,
    ({ settlements }) => settlements.length > 1,
    ({ settlements: [first] }) => [
      first!.finalCount,
      first!.winningLabel ?? 'unknown',
      time(first!.settledTs),
    ],
  ],
  [
    /^The market paid (.*), although the count falls in (.*)\.$/,
    ({ settlements }) => {
      const { finalCount, winningLabel } = settlements.at(-1)!;
      return winningLabel !== null && winningLabel !== (finalCount < 40 ? '<40' : '40+');
    },
    ({ settlements }) => {
      const { finalCount, winningLabel } = settlements.at(-1)!;
      return [winningLabel!, finalCount < 40 ? '<40' : '40+'];
    },
  ],
];

const before_ = ({ oracle, endTs }: Facts) => oracle.filter(({ observedTs }) => observedTs <= endTs);
const after_ = ({ oracle, endTs }: Facts) => oracle.filter(({ observedTs }) => observedTs > endTs);
const late = ({ listings, known }: Facts) =>
  listings.flatMap(({ postId, createdTs, importedTs }) =>
    known.has(postId) && importedTs !== null && importedTs - createdTs >= HOUR_MS ? [importedTs] : [],
  );
const lacking = ({ counted, listedIds }: Facts) =>
  counted.filter(({ postId }) => !listedIds.has(postId)).length;
const surplus = ({ listings, counted }: Facts) => {
  const ids = new Set(counted.map(({ postId }) => postId));
  return listings.filter(({ postId }) => !ids.has(postId)).length;
};

/** "originals: counted by us 3, by the oracle 2": inferred from counts, so only our side can be compared. */
const KIND = /^([a-z][^:]*): counted by us (\d+), by the oracle \d+(?: to \d+)?\.$/i;

describe('dossiers of 200 settled events', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
    const random = createRandom(21);
    for (let i = 0; i < EVENTS; i++) await settle(harness.store, i, random);
  });
  after(() => harness.close());

  it('say nothing that the store does not say, and leave nothing out', async () => {
    const seen = new Set<RegExp>();
    for (let i = 0; i < EVENTS; i++) {
      const facts = await readFacts(harness.store, i);
      const path = `/history/account_a/${FIRST_ID + i}/dossier`;
      const { json } = await harness.call(path, { key: harness.keys.INTERNAL });
      const left = new Set<string>(json.data.dossier.explanation);
      for (const [pattern, isDue, wordsOf] of SENTENCES) {
        const found = [...left].filter((sentence) => pattern.test(sentence));
        assert.equal(found.length, isDue(facts) ? 1 : 0, `event ${i}: ${pattern}`);
        if (!isDue(facts)) continue;
        assert.deepEqual(
          pattern.exec(found[0]!)!.slice(1).map(String),
          wordsOf(facts).map(String),
          `event ${i}`,
        );
        left.delete(found[0]!);
        seen.add(pattern);
      }
      for (const sentence of left) {
        const [, kind, ours] =
          KIND.exec(sentence) ?? assert.fail(`event ${i}: unknown sentence: ${sentence}`);
        const own = facts.counted.filter(({ isRetweet }) => isRetweet === /repost/.test(kind!)).length;
        assert.equal(Number(ours), /repl/.test(kind!) ? 0 : own, sentence);
      }
    }
    assert.deepEqual(
      SENTENCES.filter(([pattern]) => !seen.has(pattern)).map(([pattern]) => pattern),
      [],
      'every kind of sentence occurs',
    );
  });
});
