import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleEvent } from '../../../test/store/samples.ts';
import { describeDisputes } from '../../domain/counted-kinds.ts';
import { MAIN_FEED_RULE } from '../../domain/counting-rule.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { Settlement } from '../../store/ports.ts';
import { type ContractReaderOptions, createContractReader } from './contract-inputs.ts';

const NOW_TS = Date.UTC(2026, 10, 16);
const STRICT = { ...MAIN_FEED_RULE, deletedPosts: false };
const OWN_POSTS = { ...MAIN_FEED_RULE, reposts: false };

function contract(eventId: number, rule = STRICT, endTs = NOW_TS + 2 * DAY_MS): MarketEvent {
  const [low, high] = sampleEvent().buckets;
  return sampleEvent({
    eventId,
    accountId: 'b',
    window: { startTs: endTs - 7 * DAY_MS, endTs },
    buckets: [
      { ...low!, label: '<10', hi: 9 },
      { ...high!, label: '10+', lo: 10 },
    ],
    terms: { venue: 'kalshi', settlementSource: 'rollcall', countingRule: rule },
  });
}

/** A store with one post an hour, every fourth deleted after 30 minutes, and the given settled contracts. */
function open(past: { event: MarketEvent; finalCount: number; winningLabel: string }[] = []) {
  const reads: string[] = [];
  const lives = Array.from({ length: 59 * 24 }, (_, i) => {
    const createdTs = NOW_TS - (i + 1) * HOUR_MS;
    return { createdTs, deletedTs: i % 4 === 0 ? createdTs + 30 * MINUTE_MS : null };
  });
  const store = {
    posts: {
      countCounted: async () => 1000,
      countByRule: async () => 700,
      async listDeletionTimes(_: string, fromTs: number) {
        reads.push('deletions');
        return lives.filter(({ createdTs }) => createdTs >= fromTs);
      },
    },
    events: { list: async () => past.map(({ event }) => event) },
    settlements: {
      async latest() {
        reads.push('settlements');
        return past.map(
          ({ event, finalCount, winningLabel }): Settlement => ({
            eventId: event.eventId,
            accountId: 'b',
            finalCount,
            winningLabel,
            source: 'oracle',
            revision: 1,
            settledTs: NOW_TS,
          }),
        );
      },
    },
  } as unknown as ContractReaderOptions['store'];
  return {
    reads,
    store,
    reader: createContractReader({ accountId: 'b', oraclePlatform: 'TRUTH_SOCIAL', store }),
  };
}

describe('contract inputs', () => {
  it("start from the venue's prior", async () => {
    const { terms: _, ...first } = contract(1);
    const { reader } = open();
    assert.deepEqual(await reader.read(first, MAIN_FEED_RULE, NOW_TS), { changeRate: 0.29 });
    assert.equal((await reader.read(contract(2), MAIN_FEED_RULE, NOW_TS)).changeRate, 0.03);
  });

  it("dispute replies in own threads if the oracle's totals lack some of them", async () => {
    const window = { startTs: NOW_TS - 9 * DAY_MS, endTs: NOW_TS - 2 * DAY_MS };
    const { terms: _, ...event } = { ...contract(7), window };
    const replies = Array.from({ length: 4 }, (_, i) => {
      const createdTs = window.startTs + i * HOUR_MS;
      return { postId: String(i), createdTs, isOwnThread: true, isCounted: true };
    });
    const listed = ['0', '1'].map((postId) => ({ postId }));
    const learnFrom = async (finalCount: number) => {
      const { store } = open([{ event, finalCount, winningLabel: '10+' }]);
      const posts = { ...store.posts, listSelfReplies: async () => replies };
      const oraclePosts = { list: async () => listed } as unknown as typeof store.oraclePosts;
      const settled = { ...store, posts, oraclePosts };
      return createContractReader({ accountId: 'b', oraclePlatform: 'X', store: settled });
    };
    const lesson = await (await learnFrom(998)).readKinds(MAIN_FEED_RULE, NOW_TS);
    assert.deepEqual(describeDisputes(lesson), [
      'replies in own threads: counted by us 4, by the oracle 2 (1 settled windows)',
    ]);
    const disputed = await (await learnFrom(998)).readDisputed(MAIN_FEED_RULE, NOW_TS);
    assert.ok(disputed!.ownRejected > 0.15 && disputed!.ownThreadShare === 0.004);
  });

  it('learn how often the venue paid a bucket other than the counted one', async () => {
    const past = Array.from({ length: 20 }, (_, i) => ({
      event: contract(10 + i, STRICT, NOW_TS - (i + 1) * DAY_MS),
      finalCount: 12,
      winningLabel: i < 5 ? '<10' : '10+',
    }));
    const { reader } = open(past);
    const { changeRate } = await reader.read(contract(2), MAIN_FEED_RULE, NOW_TS);
    assert.ok(Math.abs(changeRate - (0.03 * 20 + 5) / 40) < 1e-12);
    const { terms: _, ...first } = contract(1);
    assert.equal(
      (await reader.read(first, MAIN_FEED_RULE, NOW_TS)).changeRate,
      0.29,
      "excludes the other venue's settlements",
    );
  });

  it('thin future and existing posts if deleted posts do not count', async () => {
    const { thinning } = await open().reader.read(contract(2), MAIN_FEED_RULE, NOW_TS);
    // Three in four posts survive deletion, and the rule counts seven in ten by kind.
    assert.ok(Math.abs(thinning!.comingKept - 0.75 * 0.7) < 0.02, `${thinning!.comingKept}`);
    const standing = thinning!.standing.reduce((sum, { posts }) => sum + posts, 0);
    assert.equal(standing, (5 * 24 * 3) / 4, 'deleted posts in the window are excluded');
  });

  it('thin posts only by kind if deleted posts count', async () => {
    const { thinning } = await open().reader.read(contract(2, OWN_POSTS), MAIN_FEED_RULE, NOW_TS);
    assert.ok(Math.abs(thinning!.comingKept - 0.7) < 1e-9);
    assert.ok(thinning!.standing.every(({ kept }) => kept === 1));
  });

  it('are reloaded after ten minutes', async () => {
    const { reader, reads } = open();
    for (const minute of [0, 9, 11])
      await reader.read(contract(2), MAIN_FEED_RULE, NOW_TS + minute * MINUTE_MS);
    assert.equal(reads.filter((what) => what === 'settlements').length, 2);
  });
});
