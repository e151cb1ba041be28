import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sampleEvent, samplePost, sampleQuote } from '../../test/store/samples.ts';
import { isInside, type MarketBucket, type MarketEvent } from '../domain/market-event.ts';
import type { CapturedPost } from '../domain/post.ts';
import { HOUR_MS } from '../domain/units.ts';
import { applyObservation, conditionOnCount } from './apply-observation.ts';
import {
  type AccountSnapshot,
  createEmptySnapshot,
  type Observation,
  RECENT_POST_LIMIT,
} from './snapshot.ts';

const NOW = 1_790_000_000_000;
const NO_DELAY = { medianMs: null, p90Ms: null, p99Ms: null, sampleSize: 0 };

const eventOf = (eventId: number, startTs: number, endTs: number) =>
  sampleEvent({ eventId, window: { startTs, endTs }, buckets: [] });

const postOf = (id: number, createdTs: number, isCounted = true) =>
  samplePost({ postId: String(id), createdTs, text: 'text', isReply: !isCounted, isCounted });

function apply(snapshot: AccountSnapshot, ...observations: Observation[]): AccountSnapshot {
  return observations.reduce(
    (state, observation) => applyObservation(state, observation, NOW).snapshot,
    snapshot,
  );
}

const empty = createEmptySnapshot('a', NOW, [
  { feed: 'own', updatedTs: null, staleAfterMs: 1000, problem: null },
]);
const captured = (posts: CapturedPost[]): Observation => ({
  kind: 'posts-captured',
  posts,
  captureDelay: NO_DELAY,
});
const listed = (events: MarketEvent[], realCounts: Record<number, number> = {}): Observation => ({
  kind: 'events-listed',
  events,
  realCounts,
});

const forecastOf = (eventId: number, bucketProbabilities: number[]): Observation => ({
  kind: 'forecasts-published',
  forecasts: [
    {
      eventId,
      asofTs: NOW,
      countSoFar: 90,
      p5: 91,
      p50: 100,
      p95: 120,
      bucketProbabilities,
      modelSd: 0.01,
      modelVersion: 'test',
      buildCommit: 'test',
    },
  ],
  activity: { asofTs: NOW, sleepProbability: 0, velocityCounted1h: 0, velocityAll1h: 0 },
  jointFinals: null,
});

describe('applyObservation', () => {
  it('counts a post in every half-open window that contains it, and in no other', () => {
    const first = eventOf(1, NOW, NOW + 10 * HOUR_MS);
    const second = eventOf(2, NOW + 5 * HOUR_MS, NOW + 20 * HOUR_MS);
    const third = eventOf(3, NOW, NOW + 5 * HOUR_MS);
    const listing = listed([first, second, third], { 1: 0, 2: 0, 3: 0 });
    const state = apply(empty, listing, captured([postOf(9, NOW + 5 * HOUR_MS)]));
    assert.deepEqual(
      state.events.map((each) => each.counters.real),
      [0, 1, 1],
    );
  });

  it('gives an empty window a count of 0 once posts have been read, and no count before', () => {
    const event = eventOf(1, NOW, NOW + HOUR_MS);
    const before = apply(empty, listed([event]));
    assert.deepEqual(before.events[0]!.counters, { real: null, oracle: null, ui: null });
    const heard = apply(before, captured([postOf(1, NOW - HOUR_MS)]));
    assert.equal(heard.events[0]!.counters.real, 0);
  });

  it('yields the same counts for any grouping and order of captures', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 40 * HOUR_MS }), { maxLength: 60 });
    fc.assert(
      fc.property(
        times,
        fc.integer({ min: 1, max: 7 }),
        fc.func(fc.boolean()),
        (offsets, groupSize, counts) => {
          const events = [
            eventOf(1, NOW, NOW + 30 * HOUR_MS),
            eventOf(2, NOW + 10 * HOUR_MS, NOW + 48 * HOUR_MS),
          ];
          const posts = offsets.map((offset, index) => postOf(index + 1, NOW + offset, counts(offset)));
          let state = apply(empty, listed(events, { 1: 0, 2: 0 }));
          for (let at = 0; at < posts.length; at += groupSize)
            state = apply(state, captured(posts.slice(at, at + groupSize)));
          for (const { event, counters } of state.events) {
            const truth = posts.filter(
              (post) => post.isCounted && isInside(event.window, post.createdTs),
            ).length;
            assert.equal(counters.real, truth);
          }
          assert.equal(state.totalPosts, posts.length);
          const ordered = state.recentPosts.every(
            (post, index) => index === 0 || state.recentPosts[index - 1]!.createdTs >= post.createdTs,
          );
          assert.ok(ordered && state.recentPosts.length <= RECENT_POST_LIMIT);
        },
      ),
    );
  });

  it('keeps a deleted post in the list and in the count', () => {
    const event = eventOf(1, NOW, NOW + HOUR_MS);
    const before = apply(empty, listed([event], { 1: 0 }), captured([postOf(1, NOW + 1)]));
    const after = apply(before, {
      kind: 'posts-deleted',
      deletions: [{ accountId: 'a', postId: '1', deletedTs: NOW + 9 }],
      isTextBlanked: false,
    });
    assert.equal(after.events[0]!.counters.real, 1);
    assert.equal(after.recentPosts[0]!.deletedTs, NOW + 9);
    assert.equal(after.recentPosts[0]!.text, 'text');
  });

  it('blanks the text of a deleted post if configured', () => {
    const before = apply(empty, captured([postOf(1, NOW)]));
    const after = apply(before, {
      kind: 'posts-deleted',
      deletions: [{ accountId: 'a', postId: '1', deletedTs: NOW }],
      isTextBlanked: true,
    });
    assert.equal(after.recentPosts[0]!.text, null);
  });

  it('never mutates its input', () => {
    const event = eventOf(1, NOW, NOW + HOUR_MS);
    const before = apply(empty, listed([event], { 1: 0 }));
    const copy = structuredClone(before);
    apply(before, captured([postOf(1, NOW)]), {
      kind: 'counts-read',
      feed: 'oracle',
      readings: [{ eventId: 1, count: 3 }],
      observedTs: NOW,
    });
    assert.deepEqual(before, copy);
  });

  it('ignores an older quote', () => {
    const quote = sampleQuote({ tokenId: 't', bid: 0.2, observedTs: NOW });
    const state = apply(
      empty,
      { kind: 'quotes-read', quotes: [quote] },
      { kind: 'quotes-read', quotes: [{ ...quote, bid: 0.1, observedTs: NOW - 1 }] },
    );
    assert.equal(state.quotes.t!.bid, 0.2);
  });

  it('drops an event a day after its end, not before', () => {
    const ended = eventOf(1, NOW - 40 * HOUR_MS, NOW - 23 * HOUR_MS);
    const longGone = eventOf(2, NOW - 60 * HOUR_MS, NOW - 25 * HOUR_MS);
    assert.deepEqual(
      apply(empty, listed([ended, longGone])).events.map((state) => state.event.eventId),
      [1],
    );
  });

  it('sets passed buckets to probability zero, even before the next forecast', () => {
    const ranges = [
      { lo: 0, hi: 99 },
      { lo: 100, hi: null },
    ];
    const buckets = ranges.map((range) => ({ ...range, label: String(range.lo) }) as MarketBucket);
    const event = { ...eventOf(1, NOW - HOUR_MS, NOW + HOUR_MS), buckets };
    const state = apply(empty, listed([event]), forecastOf(1, [0.5, 0.5]), {
      kind: 'counts-read',
      feed: 'oracle',
      readings: [{ eventId: 1, count: 100 }],
      observedTs: NOW,
    });
    assert.deepEqual(state.events[0]!.forecast!.bucketProbabilities, [0, 1]);
    assert.equal(state.events[0]!.forecast!.p5, 100);
  });

  it('increases its version with every observation', () => {
    assert.equal(apply(empty, captured([]), captured([])).version, empty.version + 2);
  });
});

const RANGES = [
  { lo: 0, hi: 19 },
  { lo: 20, hi: 39 },
  { lo: 40, hi: null },
];

describe('probabilities given a count', () => {
  it('are zero for a bucket the count has passed', () => {
    assert.deepEqual(conditionOnCount([0.0001, 0.4999, 0.5], RANGES, 20), [0, 0.4999 / 0.9999, 0.5 / 0.9999]);
  });

  it('are unchanged if no bucket was passed', () => {
    const estimated = [0, 0.5, 0.5];
    assert.equal(conditionOnCount(estimated, RANGES, 20), estimated);
  });

  it("move entirely to the count's bucket if all others are zero", () => {
    assert.deepEqual(conditionOnCount([1, 0, 0], RANGES, 25), [0, 1, 0]);
  });

  it('still sum to 1', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 0, max: 80 }),
        (weights, count) => {
          const sum = weights.reduce((total, w) => total + w, 0);
          const given = conditionOnCount(
            weights.map((w) => w / sum),
            RANGES,
            count,
          );
          assert.ok(Math.abs(given.reduce((total, p) => total + p, 0) - 1) < 1e-9);
        },
      ),
    );
  });
});
