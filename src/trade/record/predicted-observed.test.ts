import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../runtime/random.ts';
import { checkResults, comparePredictions, findHalt, listStated } from './predicted-observed.ts';
import type { RecordedSignal } from './record.ts';
import { betOn } from './recorded-signal.test-support.ts';

function statedBet(
  eventId: number,
  winProbability: number,
  won: boolean,
  change: Partial<RecordedSignal> = {},
) {
  return betOn(eventId, { winProbability, marketPrice: winProbability - 0.05, won, ...change });
}

/** `count` events, of which every `each`-th wins. */
const season = (count: number, p: number, each: number) =>
  Array.from({ length: count }, (_, i) => statedBet(i, p, i % each === 0));

describe('predicted vs. observed', () => {
  it('has a row per edge kind, and one per probability class with bets', () => {
    const bets = [...season(20, 0.2, 5), statedBet(90, 0.97, true, { edgeKind: 'fact', strategy: 'BUY_NO' })];
    const rows = comparePredictions(bets, createRandom(1));
    assert.deepEqual(
      rows.map(({ edgeKind, probabilityClass, bets: count }) => [edgeKind, probabilityClass?.from, count]),
      [
        ['fact', undefined, 1],
        ['fact', 0.9, 1],
        ['structure', undefined, 0],
        ['model', undefined, 20],
        ['model', 0.1, 20],
      ],
    );
    const model = rows[3]!;
    assert.ok(Math.abs(model.predicted! - 0.2) < 1e-9 && Math.abs(model.observed! - 0.2) < 1e-9);
    assert.ok(model.expectedInterval!.lo <= 0.2 && model.expectedInterval!.hi >= 0.2);
    assert.ok(model.marketImplied! < model.predicted!);
  });

  it('omits strategies, unsettled bets and signals without a stated probability', () => {
    const left = [
      statedBet(1, 0.2, true, { strategy: 'TWO_BUCKET' }),
      statedBet(2, 0.2, true, { won: null }),
      statedBet(3, 0.2, true, { edgeKind: null }),
      statedBet(4, 0.2, true, { winProbability: null }),
    ];
    assert.deepEqual(listStated(left), []);
  });

  it('has a wider interval for bets that share an event', () => {
    const spread = checkResults(listStated(season(20, 0.5, 2)));
    const joined = checkResults(listStated(season(20, 0.5, 2).map((bet, i) => ({ ...bet, eventId: i % 5 }))));
    assert.ok(joined.leastWins < spread.leastWins);
  });
});

describe('model advice halt', () => {
  it('starts when far fewer bets are won than predicted, and says so', () => {
    assert.equal(findHalt(season(40, 0.3, 3)), null);
    const halt = findHalt(season(40, 0.3, 41).map((bet) => ({ ...bet, won: false })))!;
    assert.match(halt, /model advice halted: 0 of 40 bets won, 12\.0 expected/);
  });

  it('does not start after only a few events, or because of facts', () => {
    const lost = season(4, 0.9, 99).map((bet) => ({ ...bet, won: false }));
    assert.equal(findHalt(lost), null);
    const facts = season(40, 0.9, 99).map((bet) => ({ ...bet, won: false, edgeKind: 'fact' as const }));
    assert.equal(findHalt(facts), null);
  });
});
