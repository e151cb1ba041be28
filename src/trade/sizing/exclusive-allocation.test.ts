import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FLAT, problemOf } from '../../../test/support/allocation.ts';
import { computeShadowPrices } from '../../../test/support/growth.ts';
import { createRandom } from '../../runtime/random.ts';
import { type AllocationProblem, solveExclusiveAllocation } from './exclusive-allocation.ts';
import { allocateExclusive } from './kelly.ts';

/** A ladder priced around a fair vector that differs from the model's, with a spread and some holdings. */
function randomProblem(seed: number): AllocationProblem {
  const { uniform } = createRandom(seed);
  const normalise = (values: number[]) => values.map((v) => v / values.reduce((sum, w) => sum + w, 0));
  const p = normalise(Array.from({ length: 2 + Math.floor(uniform() * 6) }, () => 0.1 + uniform()));
  const fair = normalise(p.map((value) => value * (0.7 + 0.6 * uniform())));
  const holdings = fair.map((q, bucket) => ({
    ...FLAT,
    bucket,
    yesShares: uniform() < 0.5 ? 0 : 100 * uniform(),
    yesCost: Math.min(0.98, q + 0.01),
    yesNetBid: Math.max(0.001, q - 0.01),
  }));
  return problemOf(p, holdings);
}

describe('exact single-event allocation', () => {
  it('equals the greedy allocation for a flat account', () => {
    const p = [0.2, 0.5, 0.3];
    const costs = [0.15, 0.45, 0.45];
    const holdings = costs.map((yesCost, bucket) => ({ ...FLAT, bucket, yesCost }));
    const { trades } = solveExclusiveAllocation(problemOf(p, holdings, 1))!;
    allocateExclusive(p, costs).fractions.forEach((fraction, i) => {
      assert.ok(Math.abs(trades[i]!.buyYes * costs[i]! - fraction) < 1e-6);
    });
  });

  it('leaves every shadow price inside the spread', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const problem = randomProblem(seed);
        const { trades, wealth, cashUsd } = solveExclusiveAllocation(problem)!;
        const shadow = computeShadowPrices(
          problem.probabilities,
          wealth,
          problem.winners[0]!,
          problem.holdings.length,
        );
        assert.ok(cashUsd >= 0 && wealth.every((value) => value > 0));
        problem.holdings.forEach(({ yesCost, yesNetBid, yesShares }, i) => {
          const { buyYes, sellYes } = trades[i]!;
          assert.ok(buyYes === 0 || sellYes === 0, 'buys and sells the same bucket');
          assert.ok(sellYes <= yesShares + 1e-9);
          assert.ok(shadow[i]! <= yesCost! + 1e-5);
          if (yesShares - sellYes > 1e-6) assert.ok(shadow[i]! >= yesNetBid! - 1e-5);
        });
      }),
      { numRuns: 100, seed: 3 },
    );
  });

  it('doubles when wealth doubles', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const problem = randomProblem(seed);
        const holdings = problem.holdings.map((h) => ({ ...h, yesShares: 2 * h.yesShares }));
        const once = solveExclusiveAllocation(problem)!.trades;
        const twice = solveExclusiveAllocation({
          ...problem,
          cashUsd: 2 * problem.cashUsd,
          holdings,
        })!.trades;
        once.forEach(({ buyYes, sellYes }, i) => {
          assert.ok(Math.abs(twice[i]!.buyYes - 2 * buyYes) < 1e-4);
          assert.ok(Math.abs(twice[i]!.sellYes - 2 * sellYes) < 1e-4);
        });
      }),
      { numRuns: 50, seed: 4 },
    );
  });

  it('does not buy No on a dead bucket, which would amount to unlimited cash', () => {
    const holdings = [{ ...FLAT, bucket: 0, noCost: 0.9 }];
    const answer = solveExclusiveAllocation(problemOf([0, 1], holdings, 1));
    assert.equal(answer!.trades[0]!.buyNo, 0);
  });

  it('has no solution for an account that no sale can make solvent', () => {
    const holdings = [{ ...FLAT, bucket: 0, yesShares: 10, yesNetBid: 0.5 }];
    assert.equal(solveExclusiveAllocation(problemOf([0.5, 0.5], holdings, -6)), null);
    const { isSolvent, cashUsd } = solveExclusiveAllocation(problemOf([0.5, 0.5], holdings, -4))!;
    assert.ok(isSolvent && cashUsd >= 0);
  });
});
