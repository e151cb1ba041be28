import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeGap, measureGap, parseOracleCounts } from './oracle-file.ts';

describe('oracle count file', () => {
  it('is read by column name, in any column order', () => {
    assert.deepEqual(parseOracleCounts('count,start_ts,end_ts\n7,100,200\n\n'), [
      { window: { startTs: 100, endTs: 200 }, count: 7 },
    ]);
  });

  it('is rejected with the line number of the error', () => {
    assert.throws(() => parseOracleCounts('start_ts,end_ts\n1,2'), /line 1: missing column count/);
    assert.throws(() => parseOracleCounts('start_ts,end_ts,count\n1,2,3\n5,4,3'), /line 3: expected/);
    assert.throws(() => parseOracleCounts('start_ts,end_ts,count\n1,2,'), /line 2/);
  });

  it('shows whether a history matches the oracle', () => {
    const same = measureGap([{ history: 4, oracle: 4 }]);
    assert.match(describeGap(same), /matches the oracle in all 1 windows/);
    const other = measureGap([
      { history: 4, oracle: 4 },
      { history: 9, oracle: 6 },
    ]);
    assert.deepEqual(other, { windows: 2, differing: 1, meanDifference: 1.5 });
    assert.match(describeGap(other), /differs from the oracle in 1 of 2 windows, \+1\.50/);
  });
});
