import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import { createRandom } from '../runtime/random.ts';
import { runMarketBacktest } from './backtest-market.ts';
import { memoryIo } from './memory-files.test-support.ts';

const START_TS = Date.UTC(2025, 0, 7, 17);
const HEADER = 'ts,start_ts,end_ts,bucket,lo,hi,price_yes,ask,bid,size';

describe('followed advice', () => {
  it('profits from a market that prices every bucket the same', () => {
    const { printed, bets } = runSignals(evenPrices(8));
    assert.match(printed, /followed advice on 32 complete ladders from 8 events/);
    const profit = bets.reduce((sum, bet) => sum + bet.pnlUsd, 0);
    assert.ok(profit > 0, `profit ${profit}`);
    assert.ok(bets.every((bet) => bet.stakeUsd <= 50));
  });

  it('follows advice to buy No, and sells on an exit signal', () => {
    const { bets } = runSignals(dearPrices(), '--leads', '24,72', '--model-weight', '1');
    assert.ok(bets.some((bet) => bet.side === 'No' && bet.soldFor === null && bet.pnlUsd > 0));
    const sold = bets.filter((bet) => bet.soldFor !== null);
    assert.notEqual(sold.length, 0);
    for (const { pnlUsd, soldFor, stakeUsd } of sold)
      assert.ok(Math.abs(pnlUsd - soldFor! + stakeUsd) < 1e-6);
  });

  it('accepts prices stamped seconds after the horizon, and rejects lead times missing from the file', () => {
    const late = evenPrices(2).replaceAll(/^(\d{13}),/gm, (_, ts) => `${Number(ts) + 5_000},`);
    assert.match(printSignals(late, '--leads', '24'), /2 complete ladders from 2 events/);
    assert.throws(
      () => printSignals(late, '--leads', '150'),
      /No prices 150 h .* The file has 6, 24, 48, 72 h/,
    );
  });

  it('ignores prices more than an hour old, and reports the age of the prices it used', () => {
    const moved = (minutes: number) =>
      evenPrices(2).replaceAll(/^(\d{13}),/gm, (_, ts) => `${Number(ts) - minutes * 60_000},`);
    assert.match(printSignals(moved(40), '--leads', '24'), /24 h: prices up to 40 min old/);
    assert.throws(
      () => printSignals(moved(61), '--leads', '24'),
      /No prices 24 h before an event ends, or up to 1 h earlier/,
    );
    assert.match(printSignals(evenPrices(2), '--leads', '5,24'), /5 h: prices up to 60 min old/);
    assert.match(printSignals(evenPrices(2), '--leads', '24,30'), /30 h: no prices up to 1 h old; skipped/);
  });

  it('reports which required flag is missing', () => {
    assert.throws(() => runMarketBacktest(['--posts', 'p'], memoryIo({}).io), /--prices is missing/);
  });
});

describe('market backtest', () => {
  const files: Record<string, string> = {
    posts: pretendPosts(120),
    prices: evenPrices(8),
    oracle: `start_ts,end_ts,count\n${START_TS},${START_TS + 7 * DAY_MS},900\n`,
  };

  function compare(...more: string[]): string {
    const { out, io } = memoryIo(files);
    runMarketBacktest(['--posts', 'posts', '--prices', 'prices', '--leads', '6,24,48,72', ...more], io);
    return out.printed;
  }

  /** Parses the totals row: number of ladders, then market, model and blend scores. */
  function readTotals(printed: string): number[] {
    const row = printed.split('\n').find((line) => /\ball\b/.test(line) && /\d\.\d{3}/.test(line)) ?? '';
    return (row.match(/\d+(\.\d+)?/g) ?? []).map(Number).toSpliced(1, 1).slice(0, 4);
  }

  it('scores model, market and blend on the same ladders, with the model ahead of an uninformed market', () => {
    const [ladders, market, model, blended] = readTotals(compare());
    assert.equal(ladders, 32);
    assert.ok(
      model! < blended! && blended! < market!,
      `model ${model}, blended ${blended}, market ${market}`,
    );
  });

  it('says why buckets were not traded, what the events teach, and writes every ladder', () => {
    const { out, io } = memoryIo({ ...files, prices: dearPrices() });
    const args = ['--posts', 'posts', '--prices', 'prices', '--leads', '24,72', '--fee-rate', '0.9'];
    runMarketBacktest([...args, '--ndjson', 'ladders'], io);
    assert.match(out.printed, /buckets +not traded because\n +\d+ +\w+/);
    assert.match(out.printed, /share of the prior +100 % +\d+ %/);
    assert.match(out.printed, /the events alone/);
    const lines = out.files
      .ladders!.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines.length, 2);
    assert.equal(lines[0].prices.length, lines[0].model.length);
  });

  it('settles by oracle counts, and reports differences from the history', () => {
    const printed = compare('--oracle', 'oracle');
    assert.match(printed, /oracle/);
    const [, , byHistory] = readTotals(compare());
    const [, , byOracle] = readTotals(printed);
    assert.ok(byOracle! > byHistory!, 'an unpredictable count should make every score worse');
  });
});

/** One week in which the top bucket, far above the count, is expensive at 72 h and more so at 24 h. */
function dearPrices(): string {
  const endTs = START_TS + 7 * DAY_MS;
  const lines = [72, 24].flatMap((hours) =>
    [0, 100, 160, 220, 280, 340].map((lo) => {
      const dear = hours === 72 ? 0.3 : 0.7;
      const price = lo === 340 ? dear : (1 - dear) / 5;
      const [label, hi] = lo === 340 ? ['340+', ''] : [`${lo}`, lo === 0 ? 99 : lo + 59];
      const book = `${price.toFixed(3)},${(price + 0.01).toFixed(3)},${(price - 0.01).toFixed(3)},1000`;
      return `${endTs - hours * HOUR_MS},${START_TS},${endTs},${label},${lo},${hi},${book}`;
    }),
  );
  return [HEADER, ...lines].join('\n');
}

interface WrittenBet {
  side: string;
  pnlUsd: number;
  stakeUsd: number;
  soldFor: number | null;
}

function runSignals(prices: string, ...flags: string[]): { printed: string; bets: WrittenBet[] } {
  const { out, io } = memoryIo({ posts: pretendPosts(120), prices });
  const args = ['--posts', 'posts', '--prices', 'prices', '--ndjson', 'out', ...flags];
  runMarketBacktest(args, io);
  const lines = out.files.out!.split('\n').filter(Boolean);
  return { printed: out.printed, bets: lines.flatMap((line) => JSON.parse(line).bets) };
}

const printSignals = (prices: string, ...flags: string[]) => runSignals(prices, ...flags).printed;

/** About 30 counted posts a day. */
function pretendPosts(days: number): string {
  const random = createRandom(9);
  const lines = ['tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted'];
  let ts = START_TS - (days - 60) * DAY_MS;
  const endTs = ts + days * DAY_MS;
  while ((ts += Math.ceil(-Math.log(1 - random.uniform()) * 48 * 60_000)) < endTs)
    lines.push(`${ts},${ts},0,0,0,1`);
  return `${lines.join('\n')}\n`;
}

/** Weekly events with buckets of 20 from 100 to 320, all at the same price. */
function evenPrices(events: number): string {
  const lines = [HEADER];
  for (let e = 0; e < events; e++) {
    const startTs = START_TS + e * 5 * DAY_MS;
    const endTs = startTs + 7 * DAY_MS;
    for (const hours of [72, 48, 24, 6]) {
      for (let lo = 0; lo <= 320; lo += lo === 0 ? 100 : 20) {
        const [label, hi] =
          lo === 0 ? ['<100', 99] : lo === 320 ? ['320+', ''] : [`${lo}-${lo + 19}`, lo + 19];
        lines.push(`${endTs - hours * HOUR_MS},${startTs},${endTs},${label},${lo},${hi},0.08,0.09,0.07,1000`);
      }
    }
  }
  return lines.join('\n');
}
