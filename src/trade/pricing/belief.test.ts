import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { first } from '../../../test/support/first.ts';
import { eventOf, pricedAt } from '../../../test/support/priced-event.ts';
import { profileOfLetter } from '../../domain/account-profile.ts';
import { createRandom } from '../../runtime/random.ts';
import { buildAccountSignals } from '../advice/signals.ts';
import { getSizingRules } from '../sizing/sizing-rules.ts';
import type { PricedEvent } from '../types.ts';
import {
  type BeliefSample,
  estimateModelWeight,
  PRIOR_MODEL_WEIGHT,
  poolBelief,
  withBelief,
} from './belief.ts';

describe('belief', () => {
  it('lies between model and market, sums to 1 and keeps a passed bucket at 0', () => {
    const belief = poolBelief([0, 0.6, 0.4], [0.02, 0.4, 0.6], 0.5);
    assert.equal(belief[0], 0);
    assert.ok(belief[1]! > 0.4 && belief[1]! < 0.6);
    assert.ok(Math.abs(belief[1]! + belief[2]! - 1) < 1e-12);
    const model = poolBelief([0.1, 0.6, 0.3], [0.2, 0.4, 0.4], 1);
    assert.ok(model.every((q, i) => Math.abs(q - [0.1, 0.6, 0.3]![i]!) < 1e-12));
    assert.deepEqual(poolBelief([0.5, 0.5], [0.5, null], 0.3), [0.5, 0.5]);
  });

  it('starts from the prior', () => {
    assert.ok(Math.abs(estimateModelWeight([]) - PRIOR_MODEL_WEIGHT) < 0.03);
  });

  it('trusts a model that knows, and not one that does not', () => {
    assert.ok(estimateModelWeight(pretendSamples('model')) > 0.5);
    assert.ok(estimateModelWeight(pretendSamples('market')) < 0.2);
  });

  it('does not buy on a disagreement that the market outweighs', () => {
    const buckets = [pricedAt(200, 0.3, 0.35), pricedAt(220, 0.4, 0.35), pricedAt(240, 0.3, 0.3)];
    const rules = getSizingRules(profileOfLetter('a'));
    const bestOf = (event: PricedEvent) => first(first(buildAccountSignals([event], 1000, rules)).signals);
    const humble = bestOf(eventOf(buckets, { modelWeight: 0.2 }));
    assert.equal(bestOf(eventOf(buckets)).action, 'BUY');
    assert.equal(humble.action, 'HOLD');
    assert.equal(humble.modelProbability, 0.4);
    assert.ok(withBelief(eventOf(buckets, { modelWeight: 0.2 })).buckets[1]!.modelProbability < 0.37);
  });
});

/** 200 events of four buckets in which one side knows the odds and the other adds noise to them. */
function pretendSamples(knowing: 'model' | 'market'): BeliefSample[] {
  const random = createRandom(4);
  return Array.from({ length: 200 }, (_, eventId) => {
    const truth = normalise([1, 2, 2, 1].map((weight) => weight * Math.exp(random.normal() * 0.8)));
    const noise = normalise(truth.map((p) => p * Math.exp(random.normal() * 0.7)));
    let left = random.uniform();
    const winner = truth.findIndex((p) => (left -= p) < 0);
    const [model, prices] = knowing === 'model' ? [truth, noise] : [noise, truth];
    return { eventId, model, prices, winner };
  });
}

function normalise(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
}
