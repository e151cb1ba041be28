import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evidenceOf, quoteOf } from '../../../test/support/priced-event.ts';
import type { FeedName, FeedStatus } from '../../domain/feed.ts';
import {
  describeDuration,
  findBlindness,
  type Grounds,
  type PriceableAccount,
  type PriceableEvent,
  priceEvent,
} from './price-event.ts';
import { priceableEvent } from './priceable-event.test-support.ts';

const NOW_TS = 1_000_000_000;

const stateWith = (change: Partial<PriceableEvent> = {}) =>
  priceableEvent(7, NOW_TS + 90_500, NOW_TS, change);

const BARE: PriceableAccount = { feeds: [], quotes: {}, jointFinals: null };

describe('pricing an event', () => {
  it('requires a forecast', () => {
    assert.equal(priceEvent(BARE, stateWith({ forecast: null }), NOW_TS), null);
  });

  it('includes forecast, counts and whole seconds left', () => {
    const priced = priceEvent(BARE, stateWith(), NOW_TS)!;
    assert.deepEqual(
      [priced.eventId, priced.p50, priced.modelSd, priced.oracleCount, priced.uiCount],
      [7, 21, 0.02, 11, 10],
    );
    assert.equal(priced.secondsRemaining, 90);
    assert.equal(priceEvent(BARE, stateWith(), NOW_TS + 1e9)!.secondsRemaining, 0);
  });

  it('gives each bucket its own probability and books, in ladder order', () => {
    const quotes = { '7-yes-20': quoteOf('7-yes-20', 0.5, 0.54), '7-no-0': quoteOf('7-no-0', 0.6, 0.7) };
    const { buckets } = priceEvent({ ...BARE, quotes }, stateWith(), NOW_TS)!;
    assert.deepEqual(
      buckets.map(({ modelProbability }) => modelProbability),
      [0.3, 0.7],
    );
    assert.equal(buckets[0]!.yesQuote, null);
    assert.equal(buckets[0]!.noQuote, quotes['7-no-0']);
    assert.equal(buckets[1]!.yesQuote, quotes['7-yes-20']);
  });

  it('uses the midpoint as price, or the listed price without a book', () => {
    const quotes = { '7-yes-20': quoteOf('7-yes-20', 0.5, 0.54) };
    const { buckets } = priceEvent({ ...BARE, quotes }, stateWith(), NOW_TS)!;
    assert.deepEqual(
      buckets.map(({ marketPrice }) => marketPrice),
      [0.3, 0.52],
    );
  });

  it('gives zero probability to a bucket that is not in the forecast', () => {
    const forecast = { ...stateWith().forecast!, bucketProbabilities: [1] };
    assert.equal(priceEvent(BARE, stateWith({ forecast }), NOW_TS)!.buckets[1]!.modelProbability, 0);
  });

  it("includes the account's edge evidence", () => {
    assert.equal(priceEvent(BARE, stateWith(), NOW_TS)!.evidence, undefined);
    const evidence = evidenceOf(0.6);
    assert.equal(priceEvent({ ...BARE, evidence }, stateWith(), NOW_TS)!.evidence, evidence);
  });

  it("includes the event's simulated paths if there are any", () => {
    const jointFinals = { eventIds: [3, 7], finals: [[1], [2, 3]] };
    assert.deepEqual(priceEvent({ ...BARE, jointFinals }, stateWith(), NOW_TS)!.finals, [2, 3]);
    assert.equal(
      priceEvent({ ...BARE, jointFinals: { eventIds: [3], finals: [[1]] } }, stateWith(), NOW_TS)!.finals,
      null,
    );
  });

  it('reports missing inputs', () => {
    const feeds = [{ feed: 'prices' as const, updatedTs: null, staleAfterMs: 1, problem: null }];
    assert.match(
      priceEvent({ ...BARE, feeds }, stateWith(), NOW_TS)!.blindness!,
      /no prices have been read yet/,
    );
    assert.match(
      priceEvent({ ...BARE, isPastMissing: true }, stateWith(), NOW_TS)!.blindness!,
      /still being backfilled/,
    );
    assert.equal(priceEvent(BARE, stateWith(), NOW_TS)!.blindness, null);
  });
});

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
