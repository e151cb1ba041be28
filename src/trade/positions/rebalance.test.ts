import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { eventOf, positionOf, pricedAt, RULES } from '../../../test/support/priced-event.ts';
import type { WalletPosition } from '../../domain/position.ts';
import { buildAccountSignals } from '../advice/signals.test-support.ts';
import type { PricedEvent } from '../types.ts';
import { rebalancePositions } from './rebalance.ts';

/** A cheap, an expensive and a fairly priced bucket. */
const event = eventOf([pricedAt(200, 0.5, 0.35), pricedAt(220, 0.1, 0.25), pricedAt(240, 0.4, 0.4)]);

function rebalance(
  held: WalletPosition[],
  thresholdUsd = 5,
  events: PricedEvent[] = [event],
  bankrollUsd = 10_000,
) {
  const signals = buildAccountSignals(events, bankrollUsd, RULES);
  return rebalancePositions(events, held, { bankrollUsd, signals, rules: RULES }, thresholdUsd);
}

describe('rebalancing', () => {
  it('lists every event, even without changes', () => {
    const other = eventOf([pricedAt(500, 0.5, 0.5), pricedAt(520, 0.5, 0.5)], { eventId: 2 });
    const found = rebalance([positionOf('yes-220', 100)], 5, [event, other]);
    assert.deepEqual(
      found.map(({ eventId, positions }) => [eventId, positions.length]),
      [
        [1, 1],
        [2, 0],
      ],
    );
  });

  it('sells an expensive position completely, and shows the price', () => {
    const [trim] = rebalance([positionOf('yes-220', 100)])[0]!.positions;
    assert.deepEqual(
      [trim!.action, trim!.currentValueUsd, trim!.targetValueUsd, trim!.adjustmentShares],
      ['TRIM', 25, 0, 100],
    );
    assert.match(trim!.reasons[0]!, /^Yes: model 10% against proceeds of .*bid 24¢/);
    assert.equal(trim!.reasons.at(-1), 'sell the whole position at the bid');
    assert.match(trim!.reasons.join(';'), /you hold .* the target is/);
  });

  it('reduces a fair position to a small bankroll, and gives that as the reason', () => {
    const [trim] = rebalance([positionOf('yes-240', 1_000)], 5, [event], 100)[0]!.positions;
    assert.deepEqual([trim!.action, trim!.currentValueUsd, trim!.targetValueUsd], ['TRIM', 400, 100]);
    assert.match(trim!.reasons[0]!, /worth more than the bankroll, so all are reduced/);
  });

  it('adds to a cheap position, and shows the price', () => {
    const [add] = rebalance([positionOf('yes-200', 10)])[0]!.positions;
    assert.equal(add!.action, 'ADD_MORE');
    assert.match(add!.reasons[0]!, /^Yes: model 50% against a cost of .*ask 36¢/);
    assert.ok(Number.isInteger(add!.adjustmentShares));
  });

  it('leaves a fair position unchanged, however low the threshold', () => {
    assert.deepEqual(rebalance([positionOf('yes-240', 100)], 0)[0]!.positions, []);
  });

  it('ignores changes below the threshold', () => {
    assert.equal(rebalance([positionOf('yes-220', 100)], 25)[0]!.positions.length, 1);
    assert.equal(rebalance([positionOf('yes-220', 100)], 25.01)[0]!.positions.length, 0);
  });

  it('reports a change from the current value to the target value', () => {
    const shares = fc.integer({ min: 1, max: 2_000 });
    fc.assert(
      fc.property(shares, shares, (cheap, dear) => {
        const held = [positionOf('yes-200', cheap), positionOf('yes-220', dear)];
        for (const advice of rebalance(held, 1)[0]!.positions) {
          const sign = advice.action === 'ADD_MORE' ? 1 : -1;
          const change = advice.targetValueUsd - advice.currentValueUsd;
          assert.ok(advice.adjustmentUsd >= 1);
          assert.ok(Math.abs(change - sign * advice.adjustmentUsd) < 0.011);
          assert.ok(Math.abs(advice.adjustmentShares * advice.currentPrice - advice.adjustmentUsd) < 0.006);
        }
      }),
    );
  });
});
