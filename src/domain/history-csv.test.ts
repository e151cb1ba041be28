import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ColumnMapping, HISTORY_COLUMNS, parseHistoryRow, readHistoryFile } from './history-csv.ts';

function readOne(text: string, mapping?: ColumnMapping) {
  const file = readHistoryFile(text, mapping);
  return parseHistoryRow(file.rows[0]!, file);
}

const parseLine = (line: string) => readOne(`${HISTORY_COLUMNS.join(',')}\n${line}`);

describe('history file', () => {
  it('accepts the header in any case, with a byte-order mark and a carriage return', () => {
    const header = '\uFEFFTweet_ID, created_ts,is_reply,is_quote,is_retweet,is_counted\r\n';
    assert.match(readHistoryFile(header).columns, /^columns: tweet_id from "Tweet_ID", created_ts/);
  });

  it('recognises common headers in any order and reports the columns used', () => {
    const text = 'text,Created At,ID,retweet\n"a, ""b""",2024-04-19 00:01:40,1781,true';
    assert.equal(
      readHistoryFile(text).columns,
      'columns: tweet_id from "ID", created_ts from "Created At", is_reply unknown, is_quote unknown, is_retweet from "retweet", is_counted derived (all but replies)',
    );
    const row = readOne(text);
    assert.deepEqual(
      [row.postId, row.createdTs, row.isRetweet],
      ['1781', Date.UTC(2024, 3, 19, 0, 1, 40), true],
    );
  });

  it('uses the given mapping', () => {
    const mapping = { tweet_id: 'key', created_ts: 'Posted at' };
    assert.equal(readOne('id;key;posted at\n7;8;2024-04-19', mapping).postId, '8');
    assert.throws(
      () => readHistoryFile('id,date', { tweet_id: 'key' }),
      /line 1: the header has no column "key"/,
    );
    for (const header of ['id,text', ''])
      assert.throws(() => readHistoryFile(header), /line 1: no column for \w+; pass --columns/);
  });

  it('parses ISO times, as UTC if they have no zone', () => {
    const read = (time: string) => parseLine(`1,${time},,,,`).createdTs;
    const ts = Date.UTC(2024, 3, 19, 12, 30);
    for (const time of ['2024-04-19T12:30Z', '2024-04-19 12:30', '2024-04-19T14:30:00.000+02:00', String(ts)])
      assert.equal(read(time), ts, time);
    assert.equal(read('2024-04-19'), Date.UTC(2024, 3, 19));
  });

  it('treats a blank flag as unknown', () => {
    assert.deepEqual(parseLine('1781110883072041040,1713484900621,1,,0,0'), {
      postId: '1781110883072041040',
      createdTs: 1713484900621,
      isReply: true,
      isQuote: null,
      isRetweet: false,
      isCounted: false,
    });
  });

  it('derives a blank verdict: a post counts unless it is a reply', () => {
    assert.equal(parseLine('1,1713484900621,1,,,').isCounted, false);
    assert.equal(parseLine('1,1713484900621,0,,,').isCounted, true);
    assert.equal(parseLine('1,1713484900621,,,,').isCounted, true);
  });

  it('keeps an explicit verdict even if the flags contradict it', () => {
    assert.equal(parseLine('1,1713484900621,1,,,1').isCounted, true);
  });

  for (const [line, problem] of [
    ['1,1713484900621,1,,0', /line 2: expected 6 fields/],
    ['1,yesterday,1,,0,0', /line 2: created_ts \(column 2\) must be/],
    ['1,-5,1,,0,0', /line 2: created_ts/],
    ['1,1713484900,1,,0,0', /line 2: created_ts/],
    ['1,1713484900621,maybe,,0,0', /line 2: is_reply/],
    [',1713484900621,1,,0,0', /line 2: tweet_id/],
  ] as const) {
    it(`reports the line number of ${line}`, () => {
      assert.throws(() => parseLine(line), problem);
    });
  }
});
