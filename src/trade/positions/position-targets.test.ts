import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { first } from '../../../test/support/first.ts';
import { eventOf, positionOf, pricedAt, RULES } from '../../../test/support/priced-event.ts';
import type { WalletPosition } from '../../domain/position.ts';
import { buildAccountSignals } from '../advice/signals.test-support.ts';
import type { PricedEvent } from '../types.ts';
import { matchPositions } from './matched-position.ts';
import { computePositionTargets } from './position-targets.ts';

/** A cheap, an expensive and a fairly priced bucket. */
const event = eventOf([pricedAt(200, 0.5, 0.35), pricedAt(220, 0.1, 0.25), pricedAt(240, 0.4, 0.4)]);

function targetsOf(held: WalletPosition[], bankrollUsd = 10_000, of: PricedEvent = event): number[] {
  const signals = buildAccountSignals([of], bankrollUsd, RULES);
  return computePositionTargets(matchPositions([of], held), signals, bankrollUsd).map(
    ({ targetShares }) => targetShares,
  );
}

describe('position target', () => {
  it('equals the size advised without holdings if the verdict is BUY', () => {
    const { signals } = first(buildAccountSignals([event], 10_000, RULES));
    const wanted = signals.find(({ bucketLabel }) => bucketLabel === '200-219')!.suggestedShares;
    assert.ok(wanted > 10);
    assert.deepEqual(targetsOf([positionOf('yes-200', 10)]), [wanted]);
  });

  it('is at least the current holding', () => {
    assert.deepEqual(targetsOf([positionOf('yes-200', 5_000)]), [5_000]);
  });

  it('is zero if selling yields more than holding is worth', () => {
    assert.deepEqual(targetsOf([positionOf('yes-220', 40)]), [0]);
  });

  it('is the current holding inside the spread', () => {
    assert.deepEqual(targetsOf([positionOf('yes-240', 40)]), [40]);
  });

  it('is the current holding while advice is blocked or data is missing', () => {
    const stale = { ...event, blindness: 'prices stale for 5 min' };
    assert.deepEqual(targetsOf([positionOf('yes-220', 40)], 10_000, stale), [40]);
    const matched = matchPositions([event], [positionOf('yes-220', 40)]);
    assert.equal(computePositionTargets(matched, [], 10_000)[0]!.targetShares, 40);
  });

  it('is reduced if the wallet exceeds the bankroll', () => {
    const [shares] = targetsOf([positionOf('yes-240', 1_000)], 100);
    assert.ok(Math.abs(shares! * 0.4 - 100) < 1e-9);
  });

  it('never needs more cash than is available, and is never negative', () => {
    const amounts = fc.integer({ min: 1, max: 3_000 });
    fc.assert(
      fc.property(amounts, amounts, amounts, fc.integer({ min: 10, max: 20_000 }), (x, y, z, bankrollUsd) => {
        const held = [positionOf('yes-200', x), positionOf('yes-220', y), positionOf('yes-240', z)];
        const targets = targetsOf(held, bankrollUsd);
        const prices = [0.35, 0.25, 0.4];
        const heldUsd = held.reduce((sum, { shares }, i) => sum + shares * prices[i]!, 0);
        const boughtUsd = targets.reduce(
          (sum, target, i) => sum + Math.max(0, target - held[i]!.shares) * prices[i]!,
          0,
        );
        const soldUsd = targets.reduce(
          (sum, target, i) => sum + Math.max(0, held[i]!.shares - target) * prices[i]!,
          0,
        );
        assert.ok(targets.every((target) => target >= 0));
        assert.ok(boughtUsd <= Math.max(0, bankrollUsd - heldUsd + soldUsd) + 1e-6);
      }),
    );
  });
});
