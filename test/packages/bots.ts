// Both paper bots before the same ladder: the same orders, and the same sums on the way.

import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../scripts/packages/run-program.ts';
import { EXPECTED_ORDERS, startScriptedMarket } from './scripted-market.ts';

export interface Bot {
  program: string;
  args: string[];
  cwd: string;
}

interface Line {
  order: { bucket: string; side: string; outcome: string; price: number; size: number };
}

export async function checkBot({ program, args, cwd }: Bot, name: string): Promise<void> {
  const market = await startScriptedMarket();
  const book = join(cwd, `${name}.jsonl`);
  const env = { TALLYCAST_URL: market.url, BOOK: book, ONCE: '1', BANKROLL: '500' };
  const run = (more: Record<string, string> = {}) =>
    runProgram(program, args, { cwd, env: { ...env, ...more } });
  const settle = (winning_bucket: string) =>
    appendFileSync(book, `${JSON.stringify({ settlement: { event_id: 1, winning_bucket } })}\n`);
  try {
    await assert.rejects(run({ LIVE: '1' }), /live orders are yours to write/);
    assert.match(await run(), /^4 positions for 75\.00 USD; 0\.00 USD made so far$/m);
    assert.deepEqual(readOrders(book), EXPECTED_ORDERS);
    // The next start goes on from the book: there is no room left.
    assert.doesNotMatch(await run(), /on paper: /);
    // 62 shares of the winner and 50 that another lost; 75 USD had been paid. Then all is bought again.
    settle('per order');
    assert.match(await run(), /^4 positions for 75\.00 USD; 37\.00 USD made so far$/m);
    // 20 shares bought for 0.21 and sold for 0.30 less the fee of a cent.
    market.advise('exits');
    assert.match(await run(), /^3 positions for 70\.80 USD; 38\.60 USD made so far$/m);
    settle('the other side');
    market.advise('purchases');
    assert.match(await run(), /^4 positions for 75\.00 USD; -32\.20 USD made so far$/m);
    // What is lost beyond a tenth of the bankroll ends the buying.
    settle('the other side');
    const stopped = await run();
    assert.match(stopped, /^0 positions for 0\.00 USD; -107\.20 USD made so far$/m);
    assert.doesNotMatch(stopped, /on paper: /);
  } finally {
    market.close();
  }
}

function readOrders(book: string): unknown[] {
  const lines = readFileSync(book, 'utf8').trim().split('\n');
  return lines
    .map((line) => (JSON.parse(line) as Line).order)
    .map(({ bucket, side, outcome, price, size }) => [bucket, side, outcome, price, size]);
}
