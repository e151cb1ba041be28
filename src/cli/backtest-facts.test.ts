import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runFactsBacktest } from './backtest-facts.ts';
import { memoryIo } from './memory-files.test-support.ts';

const POSTS = `tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted
1,1700000010000,0,0,0,1
2,1700000030500,0,0,0,1
3,1700000035000,1,0,0,0
`;
const TRADES = `ts,start_ts,end_ts,lo,hi,side,price,shares
1700000036000,1700000000000,1700001000000,0,1,yes,0.2,10
1700000400000,1700000000000,1700001000000,0,1,no,0.9,10
1700000500000,1700000000000,1700001000000,2,,yes,0.5,10
`;

async function facts(trades: string): Promise<string> {
  const { out, io } = memoryIo({ posts: POSTS, trades });
  await runFactsBacktest(['--facts', '--posts', 'posts', '--trades', 'trades'], io, {} as never);
  return out.printed;
}

describe('backtest --facts', () => {
  it('adds up trades that contradict the count, by delay', async () => {
    assert.match(await facts(TRADES), /a\s+1\s+2\s+0\s+3\.00\s+3\.00\s+1\.00\s+1\.00\s+1\.00\s+1\.00/);
  });

  it('names the line and the field of a bad trade', async () => {
    await assert.rejects(
      facts(TRADES.replace('no,0.9', 'no,1.9')),
      /trades, line 3: price is not between 0 and 1/,
    );
    await assert.rejects(facts(TRADES.replace('shares', 'size')), /missing column shares/);
  });
});
