// Golden values and properties of the Kelly fractions of a flat account.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../../runtime/random.ts';
import { computeMoneyness } from '../advice/signals.ts';
import { computeCostPerShare } from '../cost.ts';
import {
  allocateExclusive,
  clipProbability,
  computeExpectedValue,
  computeKellyFraction,
  computeShrinkage,
  scaleProbabilitySd,
} from './kelly.ts';
import { computeLotShares } from './sizing-rules.ts';

// The sizing objective, implemented independently; golden numbers verify it in the sizing tests.

/** Expected log growth of staking `fraction` on one bucket. */
function computeSingleGrowth(winProbability: number, cost: number, fraction: number): number {
  if (fraction === 0) return 0;
  return (
    winProbability * Math.log(1 - fraction + fraction / cost) + (1 - winProbability) * Math.log(1 - fraction)
  );
}

/** Expected log growth of an allocation over exclusive buckets; -Infinity if an outcome means ruin. */
function computeExclusiveGrowth(
  probabilities: readonly number[],
  costs: readonly number[],
  fractions: readonly number[],
): number {
  const kept = Math.max(0, 1 - fractions.reduce((sum, f) => sum + f, 0));
  let growth = 0;
  let covered = 0;
  probabilities.forEach((p, i) => {
    covered += p;
    if (p > 0) growth += p * Math.log(kept + (fractions[i]! > 0 ? fractions[i]! / costs[i]! : 0));
  });
  const rest = 1 - covered;
  return rest > 1e-12 ? growth + rest * Math.log(kept) : growth;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../test/vectors/kelly_vectors.json', import.meta.url), 'utf8'),
);

function assertNear(actual: number, printed: number, decimals: number, what: string): void {
  assert.ok(
    Math.abs(actual - printed) <= 0.5 * 10 ** -decimals + 1e-9,
    `${what}: ${actual} is not ${printed}`,
  );
}

describe('one bucket', () => {
  for (const row of vectors.single) {
    it(`sizes p ${row.p} at ${row.price} with fee ${row.fee} as published`, () => {
      const cost = computeCostPerShare(row.price, { rate: row.fee, exponent: 1 });
      const fraction = computeKellyFraction(row.p, cost);
      assertNear(cost, row.k, 6, 'cost');
      assertNear(computeExpectedValue(row.p, cost), row.ev_per_usd, 6, 'ev');
      assertNear(fraction, row.kelly, 6, 'fraction');
      // The half-Kelly row is published for a bankroll of 2,000, the others for 1,000.
      const stake = (row.frac === 0.5 ? 2000 : 1000) * row.frac * fraction;
      assertNear(stake, row.bet, 2, 'bet');
      assertNear(stake / cost, row.shares, 6, 'shares');
      if (row.growth !== null) {
        assertNear(
          computeSingleGrowth(row.p, cost, row.frac * fraction === 0 ? 0 : fraction),
          row.growth,
          6,
          'growth',
        );
      }
    });
  }

  it('never bets at an invalid price', () => {
    for (const cost of [0, 1, -0.1, 1.2, Number.NaN]) assert.equal(computeKellyFraction(0.9, cost), 0);
  });

  it('never treats a probability as certain', () => {
    assertNear(computeKellyFraction(clipProbability(1), 0.945), 0.981818, 6, 'fraction of a certainty');
  });
});

describe('exclusive buckets', () => {
  for (const row of vectors.simul) {
    it(`allocates "${row.name}" as published`, () => {
      const { fractions, reserve, included } = allocateExclusive(row.p, row.k);
      row.f.forEach((f: number, i: number) => {
        assertNear(fractions[i]!, f, 6, `f[${i}]`);
      });
      assertNear(reserve, row.R, 6, 'R');
      assertNear(1 - fractions.reduce((sum, f) => sum + f, 0), row.reserve, 6, 'cash kept');
      assertNear(computeExclusiveGrowth(row.p, row.k, fractions), row.growth, 6, 'growth');
      // Buckets with equal ratios may come in any order.
      assert.deepEqual([...included].sort(), [...row.set].sort());
    });
  }

  it('never stakes more than the bankroll, and is not beaten by any of 1,000 random allocations', () => {
    const random = createRandom(5);
    fc.assert(
      fc.property(ladders(), ({ p, k }) => {
        const { fractions } = allocateExclusive(p, k);
        const total = fractions.reduce((sum, f) => sum + f, 0);
        assert.ok(total <= 1 + 1e-12 && fractions.every((f) => f >= 0));
        const growth = computeExclusiveGrowth(p, k, fractions);
        for (let trial = 0; trial < 1000; trial++) {
          const rival = perturb(fractions, random.uniform);
          assert.ok(computeExclusiveGrowth(p, k, rival) <= growth + 1e-9);
        }
      }),
      { numRuns: 200, seed: 11 },
    );
  });

  it('permutes its fractions along with the buckets', () => {
    fc.assert(
      fc.property(ladders(), fc.integer(), ({ p, k }, seed) => {
        const order = shuffle(p.length, createRandom(seed).uniform);
        const plain = allocateExclusive(p, k).fractions;
        const permuted = allocateExclusive(
          order.map((i) => p[i]!),
          order.map((i) => k[i]!),
        ).fractions;
        order.forEach((i, at) => {
          assert.ok(Math.abs(permuted[at]! - plain[i]!) < 1e-9);
        });
      }),
      { numRuns: 3000, seed: 12 },
    );
  });

  it('ignores a worthless bucket', () => {
    fc.assert(
      fc.property(ladders(), fc.double({ min: 0.01, max: 0.99, noNaN: true }), ({ p, k }, cost) => {
        const plain = allocateExclusive(p, k).fractions;
        assert.deepEqual(allocateExclusive([...p, 0], [...k, cost]).fractions, [...plain, 0]);
      }),
      { numRuns: 3000, seed: 13 },
    );
  });

  it('bets nothing without an edge', () => {
    fc.assert(
      fc.property(ladders(), ({ p }) => {
        const fair = allocateExclusive(p, p);
        assert.ok(fair.fractions.every((f) => f < 1e-9));
      }),
      { numRuns: 3000, seed: 14 },
    );
  });
});

describe('shrinkage, lots, moneyness', () => {
  for (const row of vectors.shrink) {
    it(`shrinks p ${row.p} at ${row.price} with sd ${row.sd} by ${row.k}`, () => {
      const factor = computeShrinkage(row.p, row.price, row.sd);
      assertNear(factor, row.k, 6, 'factor');
      assertNear(computeKellyFraction(row.p, row.price), row.full, 6, 'full');
      assertNear(factor * computeKellyFraction(row.p, row.price), row.shrunk, 6, 'shrunk');
    });
  }

  for (const row of vectors.lots) {
    it(`buys ${row.shares} shares for ${row.bet} USD at ${row.k}`, () => {
      assert.equal(computeLotShares(row.bet, row.k), row.shares);
    });
  }

  for (const row of vectors.moneyness) {
    it(`computes moneyness ${row.m} for a median of ${row.p50} in ${row.lo}-${row.hi}`, () => {
      assert.equal(computeMoneyness(row.p50, { lo: row.lo, hi: row.hi }, 20), row.m);
    });
  }

  it('measures the open top bucket from its lower edge in standard widths', () => {
    const top = { lo: 240, hi: null };
    assert.equal(computeMoneyness(239, top, 20), 0);
    assert.equal(computeMoneyness(240, top, 20), 0.025);
    assert.equal(computeMoneyness(249.5, top, 20), 0.5);
    assert.equal(computeMoneyness(400, top, 20), 1);
  });
});

/** Probabilities that sum to 1 and costs from cheap to expensive, sometimes summing to less than 1. */
function ladders(): fc.Arbitrary<{ p: number[]; k: number[] }> {
  return fc.integer({ min: 2, max: 12 }).chain((size) =>
    fc
      .record({
        weights: fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), {
          minLength: size,
          maxLength: size,
        }),
        factors: fc.array(fc.double({ min: 0.4, max: 1.8, noNaN: true }), {
          minLength: size,
          maxLength: size,
        }),
      })
      .map(({ weights, factors }) => {
        const total = weights.reduce((sum, w) => sum + w, 0);
        const p = weights.map((w) => w / total);
        return { p, k: p.map((value, i) => Math.min(0.99, Math.max(0.001, value * factors[i]!))) };
      }),
  );
}

/** A random feasible allocation: half the time near the optimum, otherwise anywhere. */
function perturb(fractions: readonly number[], uniform: () => number): number[] {
  const isNear = uniform() < 0.5;
  const raw = fractions.map((f) =>
    Math.max(0, (isNear ? f : 0) + (uniform() - (isNear ? 0.5 : 0)) * (isNear ? 0.05 : 1)),
  );
  const total = raw.reduce((sum, f) => sum + f, 0);
  const most = isNear ? 1 : uniform();
  return total > most ? raw.map((f) => (f / total) * most) : raw;
}

function shuffle(size: number, uniform: () => number): number[] {
  const order = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = Math.floor(uniform() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

const unit = fc.double({ min: 0.01, max: 0.99, noNaN: true });
const sds = fc.double({ min: 0, max: 0.3, noNaN: true });

describe('shrinkage', () => {
  it('is 1 for a certain model, and 0 without an edge or a price', () => {
    assert.equal(computeShrinkage(0.6, 0.4, 0), 1);
    assert.equal(computeShrinkage(0.4, 0.4, 0.1), 0);
    assert.equal(computeShrinkage(0.4, 0.4, 0), 0);
    assert.equal(computeShrinkage(0.4, 0, 0.1), 0);
  });

  it('is one half if the edge equals its standard error', () => {
    assert.ok(Math.abs(computeShrinkage(0.5, 0.4, 0.1) - 0.5) < 1e-12);
  });

  it('lies between 0 and 1, and decreases with uncertainty', () => {
    fc.assert(
      fc.property(unit, unit, sds, sds, (p, cost, sd, more) => {
        const [sure, unsure] = [computeShrinkage(p, cost, sd), computeShrinkage(p, cost, sd + more)];
        assert.ok(sure >= 0 && sure <= 1);
        assert.ok(unsure <= sure + 1e-12);
      }),
    );
  });
});

describe('uncertainty of a probability', () => {
  it("equals the model's at a probability of one half, and is zero at 0 and 1", () => {
    assert.ok(Math.abs(scaleProbabilitySd(0.04, 0.5) - 0.04) < 1e-12);
    for (const p of [0, 1, -0.1, 1.1]) assert.equal(scaleProbabilitySd(0.04, p), 0);
  });

  it('is the same for Yes and No', () => {
    fc.assert(
      fc.property(unit, sds, (p, sd) => {
        assert.ok(Math.abs(scaleProbabilitySd(sd, p) - scaleProbabilitySd(sd, 1 - p)) < 1e-12);
      }),
    );
  });
});
