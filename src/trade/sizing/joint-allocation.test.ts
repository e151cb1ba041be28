import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FLAT, type Ladder, ladderProblem, problemOf } from '../../../test/support/allocation.ts';
import { computeExpectedLogWealth, computeShadowPrices } from '../../../test/support/growth.ts';
import { poolTowardMarket } from '../../../test/support/market-pooling.ts';
import { createRandom } from '../../runtime/random.ts';
import type { AllocationProblem, Holding } from './exclusive-allocation.ts';
import { solveAllocation, solveJointAllocation } from './joint-allocation.ts';
import { allocateExclusive, computeKellyFraction } from './kelly.ts';

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

/** Half-spread of the nearly costless ladder. */
const SPREAD = 0.002;

const vectors = JSON.parse(
  readFileSync(new URL('../../../test/vectors/position_vectors.json', import.meta.url), 'utf8'),
);

function assertNear(actual: number, printed: number, decimals: number, what: string): void {
  assert.ok(
    Math.abs(actual - printed) <= 0.5 * 10 ** -decimals + 1e-6,
    `${what}: ${actual} is not ${printed}`,
  );
}

describe('sizing with positions', () => {
  for (const row of vectors) {
    it(`trades "${row.name}" as published`, () => {
      const problem = ladderProblem(row);
      const { trades, wealth } = solveAllocation(problem);
      trades.forEach((trade, i) => {
        assertNear(trade.buyYes, row.buy[i], 3, `buy ${i}`);
        assertNear(trade.sellYes, row.sell[i], 3, `sell ${i}`);
        assertNear(trade.buyYes * row.ask[i], row.buy_usd[i], 2, `buy USD ${i}`);
        assertNear(trade.sellYes * row.bid[i], row.sell_usd[i], 2, `sell USD ${i}`);
        assertNear(wealth[i]!, row.wealth_by_outcome[i], 3, `wealth ${i}`);
      });
      const shadow = computeShadowPrices(problem.probabilities, wealth, problem.winners[0]!, row.p.length);
      shadow.forEach((price, i) => {
        assertNear(price, row.shadow_price[i], 5, `shadow ${i}`);
      });
      assertNear(computeExpectedLogWealth(problem.probabilities, wealth), row.elog, 8, 'expected log wealth');
    });
  }

  it('is not beaten by any of 1,000 random feasible trades', () => {
    const random = createRandom(7);
    fc.assert(
      fc.property(ladders(), (ladder) => {
        const problem = ladderProblem(ladder);
        const { trades, wealth, cashUsd } = solveAllocation(problem);
        assert.ok(cashUsd >= -1e-9);
        const best = computeExpectedLogWealth(problem.probabilities, wealth);
        for (let trial = 0; trial < 1000; trial++) {
          const rival = randomRival(ladder, trades, random.uniform);
          assert.ok(rival <= best + 1e-8, `${rival} beats ${best}`);
        }
      }),
      { numRuns: 150, seed: 21 },
    );
  });

  it('advises nothing exactly when the holding lies in the no-trade band', () => {
    fc.assert(
      fc.property(ladders(), (ladder) => {
        const problem = ladderProblem(ladder);
        const held = Float64Array.from(ladder.shares, (s) => s + ladder.cash);
        const shadow = computeShadowPrices(problem.probabilities, held, problem.winners[0]!, ladder.p.length);
        const isInBand = shadow.every(
          (price, i) =>
            price <= ladder.ask[i]! + 1e-9 && (price >= ladder.bid[i]! - 1e-9 || ladder.shares[i] === 0),
        );
        const isIdle = solveAllocation(problem).trades.every((t) => t.buyYes < 1e-4 && t.sellYes < 1e-4);
        assert.equal(isIdle, isInBand);
      }),
      { numRuns: 1000, seed: 22 },
    );
  });

  it('advises nothing more once its advice has been followed', () => {
    fc.assert(
      fc.property(ladders(), (ladder) => {
        const { trades, cashUsd } = solveAllocation(ladderProblem(ladder));
        const shares = ladder.shares.map((s, i) => Math.max(0, s + trades[i]!.buyYes - trades[i]!.sellYes));
        const again = solveAllocation(ladderProblem({ ...ladder, shares, cash: cashUsd }));
        for (const trade of again.trades) assert.ok(trade.buyYes < 1e-2 && trade.sellYes < 1e-2);
      }),
      { numRuns: 300, seed: 23 },
    );
  });

  it('reaches the same wealth from No shares as from Yes shares of every other bucket', () => {
    fc.assert(
      fc.property(
        ladders(),
        fc.double({ min: 1, max: 300, noNaN: true }),
        fc.nat(),
        (ladder, shares, pick) => {
          const bucket = pick % ladder.p.length;
          // Prices are costless and coherent, so both accounts can reach any state and must reach the same
          // one.
          const total = ladder.ask.reduce((sum, a) => sum + a, 0);
          const price = ladder.ask.map((a) => a / total);
          const open = price.map((q, b) => coherentHolding(b, q));
          const withNo = open.map((h, b) => ({ ...h, noShares: b === bucket ? shares : 0 }));
          const withYes = open.map((h, b) => ({ ...h, yesShares: b === bucket ? 0 : shares }));
          // A quarter of the edge, so that No shares do not tie up more cash than available.
          const p = poolTowardMarket(ladder.p, { lower: price, upper: price }, 0.25);
          const base = { ...ladderProblem({ ...ladder, p }), cashUsd: 5000 };
          const fromNo = solveAllocation({ ...base, holdings: withNo });
          const fromYes = solveAllocation({ ...base, holdings: withYes });
          const shadows = [fromNo, fromYes].map(({ wealth }) =>
            computeShadowPrices(base.probabilities, wealth, base.winners[0]!, price.length),
          );
          price.forEach((_, i) => {
            assert.ok(Math.abs(shadows[0]![i]! - shadows[1]![i]!) <= 2 * SPREAD + 1e-6);
          });
        },
      ),
      { numRuns: 100, seed: 24 },
    );
  });

  it('matches joint allocation for a wide spread', () => {
    fc.assert(
      fc.property(ladders(), (ladder) => {
        const wide = {
          ...ladder,
          ask: ladder.ask.map((a) => Math.min(0.98, a + 0.05)),
          bid: ladder.bid.map((b) => Math.max(0.001, b - 0.05)),
        };
        const problem = ladderProblem(wide);
        const exact = computeExpectedLogWealth(problem.probabilities, solveAllocation(problem).wealth);
        const climbed = computeExpectedLogWealth(problem.probabilities, solveJointAllocation(problem).wealth);
        assert.ok(Math.abs(exact - climbed) < 1e-6);
      }),
      { numRuns: 100, seed: 25 },
    );
  });

  it('sells down to the bankroll when the holdings are worth more', () => {
    const { trades, cashUsd, isSolvent } = solveAllocation(
      ladderProblem({ p: [0.3, 0.7], ask: [0.32, 0.72], bid: [0.28, 0.68], cash: -500, shares: [2000, 500] }),
    );
    assert.ok(isSolvent && cashUsd >= 0);
    assert.ok(trades[0]!.sellYes > 1000);
  });

  it('reports an account that no sale can make solvent', () => {
    const problem = ladderProblem({
      p: [0.5, 0.5],
      ask: [0.5, 0.5],
      bid: [0.4, 0.4],
      cash: -500,
      shares: [100, 0],
    });
    assert.equal(solveAllocation(problem).isSolvent, false);
  });
});

describe('fractional Kelly as pooling', () => {
  it('is lambda times the full allocation of a flat account, bucket by bucket', () => {
    fc.assert(
      fc.property(ladders(), fc.double({ min: 0.1, max: 0.9, noNaN: true }), ({ p, ask }, lambda) => {
        const full = allocateExclusive(p, ask).fractions;
        const box = { lower: p.map(() => 0), upper: ask };
        const pooled = allocateExclusive(poolTowardMarket(p, box, lambda), ask).fractions;
        pooled.forEach((f, i) => {
          assert.ok(Math.abs(f - lambda * full[i]!) < 1e-8, `${f} is not ${lambda} x ${full[i]}`);
        });
      }),
      { numRuns: 2000, seed: 31 },
    );
  });
});

function coherentHolding(bucket: number, price: number): Holding {
  return {
    event: 0,
    bucket,
    yesShares: 0,
    noShares: 0,
    yesCost: price + SPREAD,
    yesNetBid: price - SPREAD,
    noCost: 1 - price + SPREAD,
    noNetBid: 1 - price - SPREAD,
  };
}

/** Ladders without arbitrage: asks above a fair vector, bids below it. */
function ladders(): fc.Arbitrary<Ladder> {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  return fc.integer({ min: 2, max: 8 }).chain((size) =>
    fc
      .record({
        weights: fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), {
          minLength: size,
          maxLength: size,
        }),
        tilt: fc.array(fc.double({ min: 0.6, max: 1.6, noNaN: true }), { minLength: size, maxLength: size }),
        spread: fc.array(unit, { minLength: size, maxLength: size }),
        shares: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1, max: 800, noNaN: true })), {
          minLength: size,
          maxLength: size,
        }),
        cash: fc.double({ min: 50, max: 2000, noNaN: true }),
      })
      .map(({ weights, tilt, spread, shares, cash }) => {
        const p = normalise(weights);
        const fair = normalise(p.map((value, i) => value * tilt[i]!));
        const ask = fair.map((q, i) => Math.min(0.98, q + 0.002 + 0.04 * spread[i]!));
        const bid = fair.map((q, i) => Math.max(0.001, q - 0.002 - 0.04 * spread[i]!));
        return { p, ask, bid, cash, shares };
      }),
  );
}

function normalise(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
}

/** Expected log wealth after a random feasible change to the result. */
function randomRival(
  ladder: Ladder,
  trades: readonly { buyYes: number; sellYes: number }[],
  uniform: () => number,
): number {
  const size = 10 ** (4 * uniform() - 2);
  const net = trades.map((t, i) =>
    Math.max(-ladder.shares[i]!, t.buyYes - t.sellYes + size * (uniform() - 0.5)),
  );
  const cash = net.reduce((left, x, i) => left - x * (x > 0 ? ladder.ask[i]! : ladder.bid[i]!), ladder.cash);
  if (cash < 0) return Number.NEGATIVE_INFINITY;
  return ladder.p.reduce((sum, p, i) => sum + p * Math.log(cash + ladder.shares[i]! + net[i]!), 0);
}
