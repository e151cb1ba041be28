import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FLAT, problemOf } from '../../../test/support/allocation.ts';
import { computeExpectedLogWealth } from '../../../test/support/growth.ts';
import { createRandom } from '../../runtime/random.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import { solveJointAllocation } from './joint-allocation.ts';
import { computeKellyFraction } from './kelly.ts';

/** Two correlated events with two buckets each, with both sides on offer. */
function pairOf(seed: number): AllocationProblem {
  const { uniform } = createRandom(seed);
  const together = 0.3 + 0.2 * uniform();
  const probabilities = Float64Array.from([together, 0.5 - together, 0.5 - together, together]);
  const holdings = [0, 1].flatMap((event) =>
    [0, 1].map((bucket) => {
      const price = 0.3 + 0.4 * uniform();
      return { ...FLAT, event, bucket, yesCost: price, yesNetBid: price - 0.02, yesShares: 20 * uniform() };
    }),
  );
  return {
    probabilities,
    winners: [Int32Array.from([0, 0, 1, 1]), Int32Array.from([0, 1, 0, 1])],
    cashUsd: 100,
    holdings,
  };
}

describe('joint allocation', () => {
  it('equals plain Kelly for one bucket', () => {
    const { trades, cashUsd } = solveJointAllocation(
      problemOf([0.6, 0.4], [{ ...FLAT, yesCost: 0.5, yesNetBid: 0.49 }]),
    );
    const stake = 100 * computeKellyFraction(0.6, 0.5);
    assert.ok(Math.abs(trades[0]!.buyYes * 0.5 - stake) < 1e-6);
    assert.ok(Math.abs(cashUsd - (100 - stake)) < 1e-6);
  });

  it('buys No exactly as it would buy Yes on all other buckets', () => {
    const no = solveJointAllocation(problemOf([0.3, 0.7], [{ ...FLAT, noCost: 0.6 }]));
    const yes = solveJointAllocation(problemOf([0.3, 0.7], [{ ...FLAT, bucket: 1, yesCost: 0.6 }]));
    assert.ok(Math.abs(no.trades[0]!.buyNo - yes.trades[0]!.buyYes) < 1e-6);
    assert.ok(no.trades[0]!.buyNo > 0);
  });

  it('does nothing without an edge', () => {
    const { trades, cashUsd } = solveJointAllocation(
      problemOf([0.5, 0.5], [{ ...FLAT, yesCost: 0.52, yesNetBid: 0.48, noCost: 0.52, noNetBid: 0.48 }]),
    );
    assert.deepEqual(trades, [{ buyYes: 0, sellYes: 0, buyNo: 0, sellNo: 0 }]);
    assert.equal(cashUsd, 100);
  });

  it('sells shares worth less than their proceeds, and keeps shares that cannot be sold', () => {
    const held = { ...FLAT, yesShares: 50 };
    const sold = solveJointAllocation(problemOf([0.1, 0.9], [{ ...held, yesNetBid: 0.4 }]));
    assert.ok(sold.trades[0]!.sellYes > 49.9);
    assert.equal(solveJointAllocation(problemOf([0.1, 0.9], [held])).trades[0]!.sellYes, 0);
  });

  it('sells everything and reports insolvency if no sale leaves any wealth', () => {
    const problem = problemOf([0.5, 0.5], [{ ...FLAT, yesShares: 10, yesNetBid: 0.5 }], -100);
    const { isSolvent, trades } = solveJointAllocation(problem);
    assert.equal(isSolvent, false);
    assert.equal(trades[0]!.sellYes, 10);
  });

  it('stays within the budget, and no small step across two events improves it', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const problem = pairOf(seed);
        const { trades, cashUsd, wealth } = solveJointAllocation(problem);
        assert.ok(cashUsd > -1e-9 && wealth.every((value) => value > 0));
        const best = computeExpectedLogWealth(problem.probabilities, wealth);
        problem.holdings.forEach(({ event, bucket, yesCost, yesNetBid, yesShares }, i) => {
          const held = yesShares + trades[i]!.buyYes - trades[i]!.sellYes;
          for (const [change, price] of [
            [0.01, yesCost!],
            [-0.01, yesNetBid!],
          ] as const) {
            if (held + change < 0 || cashUsd < change * price) continue;
            const rival = wealth.map(
              (value, c) => value + change * ((problem.winners[event]![c] === bucket ? 1 : 0) - price),
            );
            const growth = computeExpectedLogWealth(problem.probabilities, rival);
            // Undoing a purchase at the bid, or a sale at the ask, also loses the spread.
            assert.ok(growth <= best + 1e-9, `${growth} beats ${best}`);
          }
        });
      }),
      { numRuns: 60, seed: 9 },
    );
  });
});
