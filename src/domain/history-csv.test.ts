import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeLayout, HistoryLineError, parseHistoryLine, readHistoryHeader } from './history-csv.ts';

describe('history file', () => {
  it('accepts the header in any case, with a byte-order mark and a carriage return', () => {
    readHistoryHeader('tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted');
    readHistoryHeader('\uFEFFTweet_ID, created_ts,is_reply,is_quote,is_retweet,is_counted\r');
  });

  it('rejects a header without the required columns', () => {
    assert.throws(() => readHistoryHeader('id,text'), HistoryLineError);
    assert.throws(() => readHistoryHeader(''), /line 1/);
  });

  it('recognises common headers in any order and reports the columns used', () => {
    const layout = readHistoryHeader('text;Created At;ID;retweet'.replaceAll(';', ','));
    assert.equal(
      describeLayout(layout),
      'columns: tweet_id from "ID", created_ts from "Created At", is_reply unknown, is_quote unknown, is_retweet from "retweet", is_counted derived (all but replies)',
    );
    const row = parseHistoryLine('"a, ""b""",2024-04-19 00:01:40,1781,true', 2, layout);
    assert.deepEqual(
      [row.postId, row.createdTs, row.isRetweet],
      ['1781', Date.UTC(2024, 3, 19, 0, 1, 40), true],
    );
  });

  it('uses the given mapping', () => {
    const mapping = { tweet_id: 'key', created_ts: 'Posted at' };
    const layout = readHistoryHeader('id;key;posted at', mapping);
    assert.equal(parseHistoryLine('7;8;2024-04-19', 2, layout).postId, '8');
    assert.throws(
      () => readHistoryHeader('id,date', { tweet_id: 'key' }),
      /line 1: the header has no column "key"/,
    );
    assert.throws(() => readHistoryHeader('id,text'), /no column for created_ts; pass --columns/);
  });

  it('parses ISO times, as UTC if they have no zone', () => {
    const read = (time: string) => parseHistoryLine(`1,${time},,,,`, 2).createdTs;
    const ts = Date.UTC(2024, 3, 19, 12, 30);
    for (const time of ['2024-04-19T12:30Z', '2024-04-19 12:30', '2024-04-19T14:30:00.000+02:00', String(ts)])
      assert.equal(read(time), ts, time);
    assert.equal(read('2024-04-19'), Date.UTC(2024, 3, 19));
  });

  it('treats a blank flag as unknown', () => {
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

  it('keeps an explicit verdict even if the flags contradict it', () => {
    assert.equal(parseHistoryLine('1,1713484900621,1,,,1', 2).isCounted, true);
  });

  for (const [line, problem] of [
    ['1,1713484900621,1,,0', /line 7: expected 6 fields/],
    ['1,yesterday,1,,0,0', /line 7: created_ts \(column 2\) must be/],
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
