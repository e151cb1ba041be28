import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { eventOf, pricedAt, RULES } from '../../../test/support/priced-event.ts';
import { createRandom } from '../../runtime/random.ts';
import { findNoBuy, findYesBuy } from '../cost.ts';
import type { PricedEvent } from '../types.ts';
import { type SizableEvent, sizeFlatAccount } from './flat-sizing.ts';

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Offers only the sides that are profitable on their own. */
function toSizable({ buckets, finals }: PricedEvent): SizableEvent {
  return {
    finals,
    buckets: buckets.map((bucket) => {
      const { lo, hi, modelProbability: probability } = bucket;
      const yes = findYesBuy(bucket);
      const no = findNoBuy(bucket);
      return {
        ...{ lo, hi, probability },
        yesCost: yes.isExecutable && probability > yes.price.netPrice ? yes.price.netPrice : null,
        noCost: no.isExecutable && 1 - probability > no.price.netPrice ? no.price.netPrice : null,
      };
    }),
  };
}

const ladder = toSizable(
  eventOf([pricedAt(200, 0.2, 0.3), pricedAt(220, 0.5, 0.4), pricedAt(240, 0.3, 0.29)]),
);

function randomLadder(uniform: () => number, finals: number[] | null): SizableEvent {
  const weights = Array.from({ length: 3 + Math.floor(uniform() * 4) }, () => 0.05 + uniform());
  const buckets = weights.map((w, i) => {
    const p = w / sumOf(weights);
    const mid = Math.min(0.95, Math.max(0.05, p + (uniform() - 0.5) * 0.3));
    return pricedAt(i * 20, p, Math.round(mid * 100) / 100);
  });
  return toSizable(eventOf(buckets, { finals }));
}

describe('sizing a flat account', () => {
  it('buys Yes on cheap buckets and No on expensive buckets', () => {
    const { yesFractions, noFractions, lambda, note } = sizeFlatAccount([ladder], RULES);
    assert.ok(yesFractions[0]![1]! > 0 && noFractions[0]![0]! > 0);
    assert.equal(yesFractions[0]![0], 0);
    assert.equal(noFractions[0]![1], 0);
    assert.deepEqual([lambda, note], [RULES.kellyLambda, null]);
  });

  it('returns nothing without events', () => {
    const { yesFractions, noFractions } = sizeFlatAccount([], RULES);
    assert.deepEqual([yesFractions, noFractions], [[], []]);
  });

  it('ignores an event without offers', () => {
    const silent = {
      ...ladder,
      buckets: ladder.buckets.map((bucket) => ({ ...bucket, yesCost: null, noCost: null })),
    };
    const alone = sizeFlatAccount([ladder], RULES);
    const beside = sizeFlatAccount([silent, ladder], RULES);
    assert.deepEqual(beside.yesFractions, [[0, 0, 0], alone.yesFractions[0]]);
    assert.deepEqual([beside.lambda, beside.note], [alone.lambda, alone.note]);
  });

  it('never bets more than the bankroll, and only on profitable offers', () => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), (seed, hasPaths) => {
        const { uniform } = createRandom(seed);
        const finals = () =>
          hasPaths ? Array.from({ length: 60 }, () => Math.floor(uniform() * 140)) : null;
        const events = [1, 2].map(() => randomLadder(uniform, finals()));
        const { yesFractions, noFractions } = sizeFlatAccount(events, RULES);
        events.forEach((event, e) => {
          event.buckets.forEach((bucket, b) => {
            const [yes, no] = [yesFractions[e]![b]!, noFractions[e]![b]!];
            assert.ok(yes >= 0 && no >= 0);
            assert.ok(yes === 0 || no === 0, 'never both sides of a bucket');
            if (yes > 0) assert.notEqual(bucket.yesCost, null);
          });
          assert.ok(sumOf(yesFractions[e]!) + sumOf(noFractions[e]!) <= 1 + 1e-6);
        });
        if (hasPaths) assert.ok(sumOf([...yesFractions.flat(), ...noFractions.flat()]) <= 1 + 1e-6);
      }),
      { numRuns: 60, seed: 8 },
    );
  });
});
