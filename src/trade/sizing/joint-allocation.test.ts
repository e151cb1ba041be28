import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../../runtime/random.ts';
import { type AllocationProblem, type Holding, type Purchase, solveAllocation } from './joint-allocation.ts';
import { allocateExclusive, computeKellyFraction } from './kelly.ts';

const FLAT: Holding = { event: 0, bucket: 0, yesShares: 0, yesCost: null, noCost: null };

/** One event with its buckets as the only outcomes. */
function problemOf(p: readonly number[], holdings: readonly Holding[], cash = 1): AllocationProblem {
  return { probabilities: Float64Array.from(p), winners: [Int32Array.from(p.keys())], cash, holdings };
}

/** Two correlated events with two buckets each; some Yes shares are held and both sides are on offer. */
function pairOf(seed: number): AllocationProblem {
  const { uniform } = createRandom(seed);
  const together = 0.3 + 0.2 * uniform();
  const probabilities = Float64Array.from([together, 0.5 - together, 0.5 - together, together]);
  const holdings = [0, 1].flatMap((event) =>
    [0, 1].map((bucket) => {
      const yesCost = 0.3 + 0.4 * uniform();
      return { event, bucket, yesShares: 20 * uniform(), yesCost, noCost: 1.02 - yesCost };
    }),
  );
  const winners = [Int32Array.from([0, 0, 1, 1]), Int32Array.from([0, 1, 0, 1])];
  return { probabilities, winners, cash: 100, holdings };
}

function wealthOf(
  { probabilities, winners, cash, holdings }: AllocationProblem,
  bought: Purchase[],
): number[] {
  return Array.from(probabilities, (_, c) =>
    holdings.reduce((sum, { event, bucket, yesShares, yesCost, noCost }, i) => {
      const { yes, no } = bought[i]!;
      const isWon = winners[event]![c] === bucket;
      return sum + (isWon ? yesShares + yes : no) - yes * (yesCost ?? 0) - no * (noCost ?? 0);
    }, cash),
  );
}

const growthOf = (problem: AllocationProblem, bought: Purchase[]) =>
  wealthOf(problem, bought).reduce((sum, wealth, c) => sum + problem.probabilities[c]! * Math.log(wealth), 0);

describe('joint allocation', () => {
  it('equals plain Kelly for one bucket', () => {
    const [bought] = solveAllocation(problemOf([0.6, 0.4], [{ ...FLAT, yesCost: 0.5 }]));
    assert.ok(Math.abs(bought!.yes * 0.5 - computeKellyFraction(0.6, 0.5)) < 1e-6);
  });

  it('equals the greedy allocation for one event', () => {
    const p = [0.2, 0.5, 0.3];
    const costs = [0.15, 0.45, 0.45];
    const bought = solveAllocation(
      problemOf(
        p,
        costs.map((yesCost, bucket) => ({ ...FLAT, bucket, yesCost })),
      ),
    );
    allocateExclusive(p, costs).fractions.forEach((fraction, i) => {
      assert.ok(Math.abs(bought[i]!.yes * costs[i]! - fraction) < 1e-6);
    });
  });

  it('buys No exactly as it would buy Yes on all other buckets', () => {
    const [no] = solveAllocation(problemOf([0.3, 0.7], [{ ...FLAT, noCost: 0.6 }]));
    const [yes] = solveAllocation(problemOf([0.3, 0.7], [{ ...FLAT, bucket: 1, yesCost: 0.6 }]));
    assert.ok(Math.abs(no!.no - yes!.yes) < 1e-6 && no!.no > 0);
  });

  it('buys nothing without an edge, cash or a chance to win', () => {
    const none = [{ yes: 0, no: 0 }];
    assert.deepEqual(
      solveAllocation(problemOf([0.5, 0.5], [{ ...FLAT, yesCost: 0.52, noCost: 0.52 }])),
      none,
    );
    assert.deepEqual(solveAllocation(problemOf([0.9, 0.1], [{ ...FLAT, yesCost: 0.5 }], 0)), none);
    // No on a dead bucket amounts to unlimited cash.
    assert.deepEqual(solveAllocation(problemOf([0, 1], [{ ...FLAT, yesCost: 0.1, noCost: 0.9 }])), none);
  });

  it('stays within the budget, and no small step across two events improves it', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const problem = pairOf(seed);
        const bought = solveAllocation(problem);
        const spent = bought.reduce(
          (sum, { yes, no }, i) =>
            sum + yes * problem.holdings[i]!.yesCost! + no * problem.holdings[i]!.noCost!,
          0,
        );
        assert.ok(spent <= problem.cash + 1e-9);
        assert.ok(wealthOf(problem, bought).every((wealth) => wealth > 0));
        const best = growthOf(problem, bought);
        bought.forEach((purchase, i) => {
          for (const side of ['yes', 'no'] as const)
            for (const step of [-0.01, 0.01]) {
              const cost = side === 'yes' ? problem.holdings[i]!.yesCost! : problem.holdings[i]!.noCost!;
              if (purchase[side] + step < 0 || spent + step * cost > problem.cash) continue;
              const rival = bought.with(i, { ...purchase, [side]: purchase[side] + step });
              assert.ok(growthOf(problem, rival) <= best + 1e-9);
            }
        });
      }),
      { numRuns: 60, seed: 9 },
    );
  });
});
