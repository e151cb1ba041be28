import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MICRO } from '../../domain/units.ts';
import type { BookEntry, BookedFill } from '../books/books.ts';
import type { Intent } from '../journal/journal.ts';
import { describeReport, fillsCsv } from './describe-report.ts';
import { makeReport } from './report.ts';

const START: BookEntry = { kind: 'start', ts: 0, cashMicro: 500 * MICRO };
const MINUTE_MS = 60_000;

function fill(changes: Partial<BookedFill>): BookedFill {
  const order = {
    orderId: 'o',
    tokenId: 't',
    action: 'BUY',
    pricePips: 4000,
    sizeMicro: 10 * MICRO,
  } as const;
  const fees = { feeUsdMicro: 0, feeSharesMicro: 0 };
  return { fillId: 'f', ...order, isTaker: true, status: 'confirmed', ts: 1, ...fees, ...changes };
}

/** A small generator with a seed, so that a failure can be repeated. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function playDay(seed: number) {
  const dice = createDice(seed);
  const held = new Map<string, number>();
  const fills: BookedFill[] = [];
  for (let step = 1; step <= 30; step++) {
    const tokenId = `t${dice(4)}`;
    const has = held.get(tokenId) ?? 0;
    const action = has > 0 && dice(2) === 0 ? 'SELL' : 'BUY';
    const sizeMicro = action === 'SELL' ? 1 + dice(has) : 1 + dice(20 * MICRO);
    const status = (['confirmed', 'provisional', 'failed'] as const)[dice(3)]!;
    const feeSharesMicro = action === 'BUY' ? dice(Math.ceil(sizeMicro / 10)) : 0;
    const change = action === 'BUY' ? sizeMicro - feeSharesMicro : -sizeMicro;
    if (status !== 'failed') held.set(tokenId, has + change);
    const pricePips = 1 + dice(9999);
    const paid = { pricePips, sizeMicro, feeSharesMicro, feeUsdMicro: dice(1000) };
    fills.push(fill({ fillId: String(step), tokenId, action, status, ts: step * 1000, ...paid }));
  }
  const marks = new Map([...held.keys()].filter(() => dice(4) > 0).map((id) => [id, dice(10_000)]));
  return { fills, held, priced: { ts: 31_000, marks } };
}

describe('trading report', () => {
  it('adds up: cash and positions at the market minus the start are the profit', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const { fills, held, priced } = playDay(seed);
      const report = makeReport({ intents: [], fills, entries: [START], equity: [], priced });
      const near = (a: number, b: number, what: string) =>
        assert.ok(Math.abs(a - b) < 1e-6, `seed ${seed}: ${what}: ${a}, not ${b}`);
      near(report.cashUsd + report.positionsUsd - report.startUsd, report.profitUsd, 'profit');
      near(report.realisedUsd + report.positionsUsd - report.openCostUsd, report.profitUsd, 'realised');
      assert.ok(report.maxDrawdownUsd >= -report.profitUsd - 1e-6, `seed ${seed}: drawdown`);
      if ([...held].every(([id, micro]) => micro === 0 || priced.marks.has(id))) {
        const valued = [...held].map(([id, micro]) =>
          Math.round((micro * (priced.marks.get(id) ?? 0)) / 10_000),
        );
        near(report.positionsUsd, valued.reduce((a, b) => a + b, 0) / MICRO, 'positions');
      }
    }
  });

  it('shows figures that add up to the cent', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const { fills, priced } = playDay(seed);
      const text = describeReport(makeReport({ intents: [], fills, entries: [START], equity: [], priced }));
      const cents = (pattern: RegExp) => Math.round(100 * Number(pattern.exec(text)![1]));
      const [start, cash] = [cents(/^Starting capital +(\S+)/m), cents(/^Cash +(\S+)/m)];
      assert.equal(cash + cents(/plus (\S+) USD in pos/) - start, cents(/^Profit +(\S+)/m), text);
    }
  });

  it('exports text that a spreadsheet or a terminal would run as plain text', () => {
    const bucket = '=HYPERLINK("https://evil.example")\u001b[2J';
    const csv = fillsCsv([fill({})], [{ orderId: 'o', bucket, account: '\t+1', outcome: '-1' } as Intent]);
    const row = csv.split('\n')[1]!;
    assert.match(row, /,' \+1,,"'=HYPERLINK\(""https:\/\/evil\.example""\) \[2J",'-1,BUY,/);
  });

  it('counts a loss on open positions as drawdown, and values them at the bid', () => {
    const priced = { ts: 2, marks: new Map([['t', 1920]]) };
    const report = makeReport({ intents: [], fills: [fill({})], entries: [START], equity: [], priced });
    assert.deepEqual([report.positionsUsd, report.profitUsd, report.maxDrawdownUsd], [1.92, -2.08, 2.08]);
  });

  it('calls no fill phantom before a later trade could have confirmed it', () => {
    const read = (minutes: number) => {
      const priced = { ts: minutes * MINUTE_MS, marks: new Map() };
      const fills = [fill({ isPhantom: true })];
      return describeReport(makeReport({ intents: [], fills, entries: [START], equity: [], priced }));
    };
    assert.match(read(9), /Phantom fills +not decided yet/);
    assert.match(read(11), /Phantom fills +100\.0 % of dollars spent/);
  });
});
