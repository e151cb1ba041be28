import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdviceRecord } from '../api/records.ts';
import { findNearest } from './advice.ts';
import { contains, isPassed, parseBucketRange } from './bucket-range.ts';
import { describeAge, describeLag, describeOwn } from './deltas.ts';
import {
  formatCountdown,
  formatLength,
  formatPoints,
  formatShortDay,
  formatSigned,
  formatTime,
  formatUsd,
  initialOf,
  plural,
  readHour,
} from './format.ts';
import { getBrowserZone, getZoneName, setZone } from './zone.ts';

describe('lag text', () => {
  it('says whether a count is behind, equal or ahead', () => {
    assert.equal(describeLag('oracle', 3), 'oracle 3 behind');
    assert.equal(describeLag('oracle', 0), 'oracle matches');
    assert.equal(describeLag('page', -2), 'page 2 ahead');
    assert.equal(describeLag('page', null), 'page: no data yet');
  });

  it('gives the count of page and oracle when they differ from ours', () => {
    const others = { internal_delta: 0, market_oracle_counter: 1_319 };
    assert.equal(describeOwn(others), 'page and oracle: 1,319');
    assert.equal(describeOwn({ ...others, internal_delta: -2 }), 'page 2 behind oracle');
    assert.equal(describeOwn({ ...others, internal_delta: null }), 'includes posts deleted later');
  });

  it('says how old a count is', () => {
    const feed = { updated_ts: 1_000_000, age_s: 0, stale: false };
    assert.equal(describeAge(feed, 1_120_000), '2 min old');
    assert.equal(describeAge(feed, 1_000_500), 'just now');
    assert.equal(describeAge({ ...feed, updated_ts: null }, 0), 'no data yet');
  });
});

describe('the initial of an account', () => {
  it('distinguishes accounts with the default label, and skips the @ of a handle', () => {
    const labels = ['Account A', 'Account B', '@whitehouse', 'Élysée', '…'];
    assert.deepEqual(labels.map(initialOf), ['A', 'B', 'W', 'É', '#']);
  });
});

describe('number and duration formats', () => {
  it('stop a countdown at zero', () => {
    assert.equal(formatCountdown(2 * 86_400 + 3_661), '2 d 01:01:01');
    assert.equal(formatCountdown(59), '00:00:59');
    assert.equal(formatCountdown(-5), '00:00:00');
  });

  it('show a duration in at most two units', () => {
    assert.equal(formatLength(9_000), '9 s');
    assert.equal(formatLength(600_000), '10 min');
    assert.equal(formatLength(2.5 * 3_600_000), '2 h 30 min');
    assert.equal(formatLength(76 * 3_600_000), '3 d 4 h');
  });

  it('include the sign, except for zero', () => {
    assert.equal(formatSigned(-1.26, 1), '\u22121.3');
    assert.equal(formatPoints(0.0213), '+2.1');
    assert.equal(formatPoints(-0.00001), '0.0');
    assert.equal(formatUsd(-3.5), '\u2212$3.50');
    assert.equal(plural(1, 'post'), '1 post');
  });
});

describe('bucket labels', () => {
  it('map to the count axis', () => {
    assert.deepEqual(parseBucketRange('<40'), { lo: 0, hi: 39 });
    assert.deepEqual(parseBucketRange('40-64'), { lo: 40, hi: 64 });
    assert.deepEqual(parseBucketRange('40–64'), { lo: 40, hi: 64 });
    assert.deepEqual(parseBucketRange('1,240+'), { lo: 1240, hi: null });
    assert.equal(parseBucketRange('Other'), null);
    assert.equal(contains({ lo: 240, hi: null }, 900), true);
    assert.equal(contains({ lo: 0, hi: 39 }, 40), false);
  });

  it('are passed once the count is above them and the model rules them out', () => {
    assert.equal(isPassed('40-64', 64, 0), false);
    assert.equal(isPassed('40-64', 65, 0), true);
    assert.equal(isPassed('40-64', 65, undefined), true);
    assert.equal(isPassed('40-64', 65, 0.3), false);
    assert.equal(isPassed('40+', 65, 0), false);
  });
});

describe('chosen time zone', () => {
  it('applies to day, hour and time alike', () => {
    const ts = Date.UTC(2026, 0, 15, 3, 30);
    const read = () => [formatShortDay(ts), readHour(ts), formatTime(ts)];
    setZone('UTC');
    assert.deepEqual(read(), ['Thu 15', 3, '03:30']);
    setZone('America/New_York');
    assert.deepEqual(read(), ['Wed 14', 22, '22:30']);
    assert.equal(getZoneName(), 'America/New_York');
    setZone('local');
    assert.equal(getZoneName(), getBrowserZone());
  });

  it('counts midnight as hour 0', () => {
    setZone('UTC');
    assert.equal(readHour(Date.UTC(2026, 0, 15)), 0);
    setZone('local');
  });
});

describe('the buckets closest to a trade', () => {
  it('are those where the price would have to fall by the smallest share, not by the fewest cents', () => {
    const near = (bucket: string, market_price: number, act_at_side: 'Yes' | 'No', act_at_price: number) => ({
      ...{ bucket, market_price },
      advice: { verdict: 'NOTHING', act_at_side, act_at_price, abstain_reason: '' } as AdviceRecord,
    });
    const found = findNearest([
      near('lottery', 0.014, 'Yes', 0.003),
      near('likely', 0.42, 'No', 0.51),
      near('closest', 0.33, 'No', 0.61),
      near('almost sure', 0.02, 'No', 0.97),
    ]);
    assert.deepEqual(
      found.map(({ bucket }) => bucket),
      ['closest', 'likely', 'lottery'],
    );
  });
});
