// Settled events drawn at random, as what happened: posts, edits, readings, lists and results. They are stored step
// by step, as the service would.

import { MAIN_FEED_RULE } from '../../src/domain/counting-rule.ts';
import type { CapturedPost } from '../../src/domain/post.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import type { Random } from '../../src/runtime/random.ts';
import type { Store } from '../../src/store/ports.ts';
import { sampleEvent } from '../store/samples.ts';
import { NOW_TS } from './fixture.ts';

export const EVENTS = 200;
const FIRST_ID = 700_000;
const SOURCES = ['x', 'twitterapi', 'oracle', 'oracle-2', 'rollcall', undefined];
const VENUE_TERMS = {
  ...{ venue: 'kalshi', settlementSource: 'rollcall' },
  countingRule: { ...MAIN_FEED_RULE, deletedPosts: false },
};

/** What happened to a post: a version is linked to `edited` later, and a repeat may be an edit. */
export interface RawPost {
  id: string;
  is: 'post' | 'repost' | 'reply' | 'version' | 'repeat';
  edited?: string;
  createdTs: number;
  seenTs: number;
  deletedTs: number | null;
  source: string | undefined;
}

export interface Reading {
  ts: number;
  count: number;
}

/** Either the oracle's count is known, or only the bucket that the market paid. */
export interface RawResult {
  ts: number;
  oracleCount: number | null;
  paid: string | null;
  estimate: number;
}

export interface RawEvent {
  eventId: number;
  startTs: number;
  endTs: number;
  isSecondVenue: boolean;
  posts: RawPost[];
  /** Every reading, also those that repeated a count. */
  oracle: Reading[];
  page: Reading[];
  /** What we recorded of the first venue's list. */
  list: { id: string; createdTs: number; importedTs: number | null }[];
  results: RawResult[];
}

export function drawEvent(index: number, random: Random): RawEvent {
  const startTs = NOW_TS - (EVENTS + 10 - index) * DAY_MS;
  const endTs = startTs + DAY_MS;
  const chance = (share: number) => random.uniform() < share;
  const below = (limit: number) => Math.floor(random.uniform() * limit);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const posts = Array.from({ length: below(40) }, (_, i): RawPost => {
    const createdTs = startTs + below(DAY_MS);
    return {
      ...{ id: String(index * 1_000 + i + 1), createdTs, source: pick(SOURCES) },
      is: chance(0.1) ? 'repeat' : chance(0.2) ? 'reply' : chance(0.3) ? 'repost' : 'post',
      seenTs: createdTs + below(chance(0.2) ? 2 * DAY_MS : MINUTE_MS),
      deletedTs: chance(0.1) ? createdTs + HOUR_MS : null,
    };
  });
  const edited = posts.filter((post) => post.is === 'post' && chance(0.1));
  const versions = edited.map((post, i): RawPost => {
    return { ...post, is: 'version', edited: post.id, id: String(index * 1_000 + 500 + i) };
  });
  const readings = (): Reading[] => {
    let ts = chance(0.2) ? endTs + 1 : startTs;
    let count = below(60);
    return Array.from({ length: below(7) }, () => {
      ts += MINUTE_MS + below(DAY_MS / 2);
      if (chance(0.6)) count = below(60);
      return { ts, count };
    });
  };
  const list = posts
    .filter(({ is }) => (is === 'post' || is === 'repost' ? !chance(0.02) : is === 'reply' && chance(0.05)))
    .map(({ id, createdTs }) => ({ id, createdTs }));
  if (chance(0.2)) list.push({ id: `${index}999`, createdTs: startTs });
  const oracle = readings();
  // Half of the oracles end at the length of their list; of a third of the lists we recorded a part or nothing.
  if (chance(0.5) && oracle.length > 0) oracle.push({ ts: endTs + 3 * DAY_MS, count: list.length });
  const recorded = chance(0.7) ? list : list.slice(0, below(list.length + 1));
  const results = Array.from({ length: chance(0.2) ? 2 : 1 }, (_, i): RawResult => {
    const [isCounted, count] = [chance(0.5), below(60) + i];
    const bucket = count < 40 ? '<40' : '40+';
    return {
      ...{ ts: endTs + (1 + i) * HOUR_MS, oracleCount: isCounted ? count : null, estimate: count },
      paid: isCounted ? pick(['<40', '40+', null]) : bucket,
    };
  });
  return {
    ...{ eventId: FIRST_ID + index, startTs, endTs, isSecondVenue: chance(0.2), results },
    ...{ posts: [...posts, ...versions], oracle, page: readings() },
    list: recorded.map((one) => ({
      ...one,
      importedTs: chance(0.1) ? null : one.createdTs + below(3 * HOUR_MS),
    })),
  };
}

/** Stores the event as the service would, one step after another. */
export async function recordEvent(store: Store, event: RawEvent): Promise<void> {
  const [{ eventId, startTs, endTs }, accountId] = [event, 'a'];
  const terms = event.isSecondVenue ? { terms: VENUE_TERMS } : {};
  await store.events.upsert([sampleEvent({ eventId, window: { startTs, endTs }, ...terms })]);
  const captures = event.posts.map(toCapture);
  if (captures.length > 0) await store.posts.recordCaptures(captures);
  for (const [i, { id, edited }] of event.posts.entries()) {
    if (edited === undefined) continue;
    const linked = { isCounted: true, isDoubtful: false, rootPostId: edited, versionIds: [edited, id] };
    await store.posts.settleDoubts([{ ...captures[i]!, ...linked }]);
  }
  const listings = event.list.map(({ id: postId, createdTs, importedTs }) => {
    return { postId, createdTs, importedTs, listedTs: createdTs + HOUR_MS };
  });
  if (listings.length > 0) await store.oraclePosts.record(accountId, listings);
  for (const { ts, count } of event.oracle)
    await store.counts.record([{ eventId, feed: 'oracle', count, observedTs: ts }]);
  for (const { ts, count } of event.page)
    await store.counts.record([{ eventId, feed: 'ui', count, observedTs: ts }]);
  for (const { ts, oracleCount, paid, estimate } of event.results)
    await store.settlements.record({
      ...{ eventId, accountId, finalCount: oracleCount ?? estimate, winningLabel: paid },
      ...{ source: oracleCount === null ? 'market' : 'oracle', settledTs: ts },
    });
}

function toCapture({ id, is, createdTs, seenTs, deletedTs, source }: RawPost): CapturedPost {
  const isUnclear = is === 'version' || is === 'repeat';
  return {
    ...{ accountId: 'a', postId: id, rootPostId: id, createdTs, firstSeenTs: seenTs, deletedTs, text: null },
    ...{ isReply: is === 'reply', isRetweet: is === 'repost', isQuote: false, isSelfReply: false },
    ...{ isCommunity: false, isCounted: is === 'post' || is === 'repost' },
    ...(isUnclear && { isDoubtful: true }),
    ...(source && { firstSource: source }),
  };
}
