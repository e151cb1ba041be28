import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseGaps } from './read-history.ts';

describe('gap file', () => {
  it('has a start and an end per line, with or without a header', () => {
    const gaps = [
      { startTs: 1, endTs: 5 },
      { startTs: 7, endTs: 9 },
    ];
    assert.deepEqual(parseGaps('1,5\n7,9\n'), gaps);
    assert.deepEqual(parseGaps('start_ts,end_ts\n1,5\n\n7,9'), gaps);
  });

  it('is rejected with the line number of the error', () => {
    for (const line of ['5,1', '1', 'x,2', '1,2,3', '1.5,2'])
      assert.throws(() => parseGaps(`1,2\n${line}`), /line 2: /);
  });
});
