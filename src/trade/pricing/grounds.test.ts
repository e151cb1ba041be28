import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FeedName, FeedStatus } from '../../domain/feed.ts';
import { describeDuration, findBlindness, type Grounds } from './grounds.ts';

const NOW_TS = 1_000_000_000;
const LIMIT_MS = 60_000;

function feed(name: FeedName, ageMs: number | null): FeedStatus {
  const updatedTs = ageMs === null ? null : NOW_TS - ageMs;
  return { feed: name, updatedTs, staleAfterMs: LIMIT_MS, problem: null };
}

function groundsWith(change: Partial<Grounds> = {}): Grounds {
  return {
    feeds: [feed('own', 0), feed('oracle', 0), feed('prices', 0), feed('forecast', 0)],
    oracleUpdatedTs: NOW_TS,
    forecastAsofTs: NOW_TS,
    isPastMissing: false,
    ...change,
  };
}

describe('advice inputs', () => {
  it('are sufficient when all are fresh', () => {
    assert.equal(findBlindness(groundsWith(), NOW_TS), null);
  });

  it("use an additional venue's own prices and counts for its events", () => {
    const feeds = [
      ...groundsWith().feeds,
      { ...feed('oracle', 0), venue: 'kalshi' },
      { ...feed('prices', LIMIT_MS + 1), venue: 'kalshi' },
    ];
    assert.equal(findBlindness(groundsWith({ feeds }), NOW_TS), null);
    const theirs = findBlindness(groundsWith({ feeds, venue: 'kalshi' }), NOW_TS);
    assert.equal(theirs, 'no advice: prices are 1 min old');
  });

  it('are stale one millisecond past the limit', () => {
    const prices = (ageMs: number) => findBlindness(groundsWith({ feeds: [feed('prices', ageMs)] }), NOW_TS);
    assert.equal(prices(LIMIT_MS), null);
    assert.equal(prices(LIMIT_MS + 1), 'no advice: prices are 1 min old');
  });

  for (const [name, what] of [
    ['own', 'no posts have been read yet'],
    ['prices', 'no prices have been read yet'],
  ] as const) {
    it(`are missing if ${what}`, () => {
      const blindness = findBlindness(groundsWith({ feeds: [feed(name, null)] }), NOW_TS);
      assert.equal(blindness, `no advice: ${what}`);
    });
  }

  it('are missing if the oracle responds but does not track this event', () => {
    const blindness = (ageMs: number | null) =>
      findBlindness(groundsWith({ feeds: [feed('oracle', ageMs)], oracleUpdatedTs: null }), NOW_TS);
    assert.equal(blindness(0), 'no advice: the oracle has no count for this event');
    assert.equal(blindness(null), 'no advice: the oracle has not responded yet');
  });

  it("use the age of the event's own count and forecast, not of the feed's last response", () => {
    const old = NOW_TS - 10 * LIMIT_MS;
    assert.match(
      findBlindness(groundsWith({ oracleUpdatedTs: old }), NOW_TS)!,
      /oracle's count is 10 min old/,
    );
    assert.match(findBlindness(groundsWith({ forecastAsofTs: old }), NOW_TS)!, /the forecast is 10 min old/);
  });

  it('are all listed when several are stale', () => {
    const feeds = [feed('own', null), feed('prices', 7_200_000)];
    assert.equal(
      findBlindness(groundsWith({ feeds }), NOW_TS),
      'no advice: no posts have been read yet, prices are 2 h old',
    );
  });

  it('do not include feeds that are not configured or not used for advice', () => {
    assert.equal(findBlindness(groundsWith({ feeds: [] }), NOW_TS), null);
    assert.equal(
      findBlindness(groundsWith({ feeds: [feed('ui', null), feed('market', null)] }), NOW_TS),
      null,
    );
  });

  it('are insufficient during backfill, even if feeds are fresh', () => {
    assert.match(findBlindness(groundsWith({ isPastMissing: true }), NOW_TS)!, /still being backfilled/);
  });
});

describe('formatted duration', () => {
  for (const [ms, words] of [
    [0, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [119 * 60_000, '119 min'],
    [120 * 60_000, '2 h'],
    [47 * 3_600_000, '47 h'],
    [48 * 3_600_000, '2 days'],
  ] as const) {
    it(`is ${words} for ${ms} ms`, () => assert.equal(describeDuration(ms), words));
  }
});
