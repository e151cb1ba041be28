import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkHistoryHeader, HistoryLineError, parseHistoryLine } from './history-csv.ts';

describe('history file', () => {
  it('accepts the header in any case, with a byte-order mark and a carriage return', () => {
    checkHistoryHeader('tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted');
    checkHistoryHeader('\uFEFFTweet_ID, created_ts,is_reply,is_quote,is_retweet,is_counted\r');
  });

  it('rejects another header', () => {
    assert.throws(() => checkHistoryHeader('id,created_ts'), HistoryLineError);
    assert.throws(() => checkHistoryHeader(''), /line 1/);
  });

  it('reads a blank flag as unknown', () => {
    assert.deepEqual(parseHistoryLine('1781110883072041040,1713484900621,1,,0,0', 2), {
      postId: '1781110883072041040',
      createdTs: 1713484900621,
      isReply: true,
      isQuote: null,
      isRetweet: false,
      isCounted: false,
    });
  });

  it('derives a blank verdict: a post counts unless it is a reply', () => {
    assert.equal(parseHistoryLine('1,1713484900621,1,,,', 2).isCounted, false);
    assert.equal(parseHistoryLine('1,1713484900621,0,,,', 2).isCounted, true);
    assert.equal(parseHistoryLine('1,1713484900621,,,,', 2).isCounted, true);
  });

  it('keeps a given verdict against the flags', () => {
    assert.equal(parseHistoryLine('1,1713484900621,1,,,1', 2).isCounted, true);
  });

  for (const [line, problem] of [
    ['1,1713484900621,1,,0', /line 7: expected 6 fields/],
    ['1,yesterday,1,,0,0', /line 7: created_ts/],
    ['1,-5,1,,0,0', /line 7: created_ts/],
    ['1,1713484900,1,,0,0', /line 7: created_ts/],
    ['1,1713484900621,maybe,,0,0', /line 7: is_reply/],
    [',1713484900621,1,,0,0', /line 7: tweet_id/],
  ] as const) {
    it(`reports the line number of ${line}`, () => {
      assert.throws(() => parseHistoryLine(line, 7), problem);
    });
  }
});
