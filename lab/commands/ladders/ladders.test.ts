import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryIo } from '../../../src/cli/memory-files.test-support.ts';
import { DAY_MS } from '../../../src/domain/units.ts';
import { readLadderFiles } from './read-ladder-files.ts';

const START = Date.UTC(2025, 10, 11, 17);
const END = START + 7 * DAY_MS;
const HEADER = 'event,window_start_ts,window_end_ts,bucket_lo,bucket_hi,ts,yes_price,is_full_ladder';
const row = (lo: number, hi: number | '', ts: number, price: number | string, name = 'a-1', end = END) =>
  `${name},${START},${end},${lo},${hi},${ts},${price},0`;
const PRICES = [row(40, 59, START, 0.6), row(80, 99, START, 0.1), row(40, 59, START + DAY_MS, 0.7)];
const POSTS =
  'tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted\n1973271273880117353,1759299507957,1,0,0,0\n1973272264029380799,1759299744027,0,1,0,1\n';

function read(prices: readonly string[], outcomes = 'a-1,45,40-59', posts = POSTS) {
  const { io } = memoryIo({
    prices: [HEADER, ...prices].join('\r\n'),
    outcomes: `event,final_count,winning_bucket\n${outcomes}\n`,
    posts,
  });
  return readLadderFiles({ prices: 'prices', outcomes: 'outcomes', posts: ['posts'], accountId: 'a' }, io);
}

describe('files of real ladders', () => {
  it('become whole ladders with prices only where the file has them', () => {
    const { past, remarks } = read(PRICES);
    const [ladder] = past.ladders;
    assert.deepEqual(
      ladder!.ranges.map(({ label }) => label),
      ['<40', '40-59', '60-79', '80-99', '100+'],
    );
    assert.deepEqual(
      ladder!.points.map((points) => points.length),
      [0, 2, 0, 1, 0],
    );
    assert.deepEqual(ladder!.outcome, { finalCount: 45, winner: 1 });
    assert.deepEqual(
      past.posts.map(({ kind }) => kind),
      ['reply', 'quote'],
    );
    assert.deepEqual(remarks, []);
  });

  it('may lack outcomes or the price of the winner', () => {
    assert.equal(read(PRICES, '').past.ladders[0]!.outcome, null);
    assert.match(read(PRICES, '').remarks[0]!, /no outcome/);
    const { ranges, outcome } = read(PRICES, 'a-1,125,120-139').past.ladders[0]!;
    assert.equal(ranges[outcome!.winner]!.label, '120-139');
  });

  for (const [what, prices, problem, outcomes, posts] of [
    ['a price above one', [row(40, 59, START, 1.5)], /prices, line 2: yes_price is not between 0 and 1/],
    ['an empty price', [row(40, 59, START, '')], /line 2: yes_price/],
    ['a missing field', [...PRICES, 'a-1,1,2'], /line 5: 3 fields, but the header has 8/],
    ['a time that is no number', ['a-1,x,2,0,1,2,0.5,0'], /line 2: window_start_ts is not a whole number/],
    ['two windows', [...PRICES, row(0, 19, 1, 0.5, 'a-1', END + 1)], /line 5: a-1 has another window/],
    ['two names', [...PRICES, row(0, 19, 1, 0.5, 'a-2')], /line 5: a-2 has the same window as a-1/],
    ['a price twice', [...PRICES, PRICES[0]!], /line 5: this bucket has a price at this time/],
    ['overlapping buckets', [...PRICES, row(50, 69, START, 0.1)], /a-1: .* overlap/],
    ['a strange outcome', PRICES, /outcomes, line 2: winning_bucket is not a range/, 'a-1,45,many'],
    ['a strange post', PRICES, /posts, line 2/, 'a-1,45,40-59', POSTS.replace('1759299507957', 'soon')],
  ] as const) {
    it(`name the line with ${what}`, () => {
      assert.throws(() => read(prices, outcomes, posts), problem);
    });
  }
});
