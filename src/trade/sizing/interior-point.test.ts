import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../../runtime/random.ts';
import { type Bet, type GrowthProgramme, wealthOf } from './growth-slope.ts';
import { maximiseGrowth } from './interior-point.ts';

/** Three-bucket events with random joint outcomes, priced below and above fair value. */
function drawProgramme(seed: number, events: number): GrowthProgramme {
  const { uniform } = createRandom(seed);
  const cells = 3 ** events;
  const weights = Float64Array.from({ length: cells }, () => uniform() ** 3 + 1e-3);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const slots = Array.from({ length: events }, (_, e) =>
    Int32Array.from({ length: cells }, (_cell, c) => 3 * e + (Math.floor(c / 3 ** e) % 3)),
  );
  const bets = Array.from({ length: 3 * events }, (_, slot): Bet => {
    const outlay = 0.05 + 0.6 * uniform();
    const direction = uniform() < 0.7 ? 1 : -1;
    return { slot, direction, outlay, price: direction === 1 ? outlay : 1 - outlay };
  });
  const base = Float64Array.from({ length: cells }, () => 1);
  const probabilities = weights.map((weight) => weight / total);
  return { probabilities, base, slots, slotCount: 3 * events, bets, budget: 0.2 + 0.8 * uniform() };
}

function growthOf(programme: GrowthProgramme, shares: Float64Array): number {
  const wealth = wealthOf(programme, shares);
  if (wealth.some((value) => value <= 0)) return Number.NEGATIVE_INFINITY;
  return programme.probabilities.reduce((sum, p, c) => sum + p * Math.log(wealth[c]!), 0);
}

const spend = ({ bets }: GrowthProgramme, shares: Float64Array) =>
  bets.reduce((sum, { outlay }, k) => sum + outlay * shares[k]!, 0);

function isAllowed(programme: GrowthProgramme, shares: Float64Array): boolean {
  return shares.every((held) => held >= 0) && spend(programme, shares) <= programme.budget + 1e-12;
}

describe('growth optimum', () => {
  it('stays within the budget, and swapping bets does not improve it', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 3 }), (seed, events) => {
        const programme = drawProgramme(seed, events);
        const best = maximiseGrowth(programme);
        assert.ok(isAllowed(programme, best));
        const growth = growthOf(programme, best);
        const { bets } = programme;
        for (let from = -1; from < bets.length; from++) {
          for (let to = -1; to < bets.length; to++) {
            for (const size of [1e-4, 0.01]) {
              const rival = best.slice();
              if (from >= 0) rival[from]! -= size / bets[from]!.outlay;
              if (to >= 0) rival[to]! += size / bets[to]!.outlay;
              if (!isAllowed(programme, rival)) continue;
              assert.ok(growthOf(programme, rival) <= growth + 1e-10, `${from} for ${to}`);
            }
          }
        }
      }),
      { numRuns: 60, seed: 20 },
    );
  });

  it('matches a grid search', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const drawn = drawProgramme(seed, 2);
        const programme = { ...drawn, bets: drawn.bets.slice(0, 3) };
        const found = growthOf(programme, maximiseGrowth(programme));
        let tried = Number.NEGATIVE_INFINITY;
        const steps = 24;
        for (let a = 0; a <= steps; a++)
          for (let b = 0; a + b <= steps; b++)
            for (let c = 0; a + b + c <= steps; c++) {
              const rival = Float64Array.from(
                [a, b, c],
                (part, k) => ((part / steps) * programme.budget) / programme.bets[k]!.outlay,
              );
              tried = Math.max(tried, growthOf(programme, rival));
            }
        assert.ok(found >= tried - 1e-9, `${tried} beats ${found}`);
        assert.ok(found <= tried + 0.02, `${found} is further from ${tried} than the grid is wide`);
      }),
      { numRuns: 25, seed: 21 },
    );
  });

  it('spends a small budget where growth is largest, not on the first bet', () => {
    const programme: GrowthProgramme = {
      probabilities: Float64Array.from([0.25, 0.25, 0.25, 0.25]),
      base: Float64Array.from([1, 1, 1, 1]),
      slots: [Int32Array.from([0, 0, 1, 1]), Int32Array.from([2, 3, 2, 3])],
      slotCount: 4,
      bets: [
        { slot: 0, direction: 1, price: 0.49, outlay: 0.49 },
        { slot: 2, direction: 1, price: 0.3, outlay: 0.3 },
      ],
      budget: 0.01,
    };
    const [first, second] = maximiseGrowth(programme);
    assert.ok(first! < 1e-6);
    assert.ok(Math.abs(second! - 0.01 / 0.3) < 1e-6);
  });
});
