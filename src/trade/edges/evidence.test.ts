import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evidenceOf } from '../../../test/support/priced-event.ts';
import type { EdgeEvidence, EvidenceSources } from '../../domain/standing-advice.ts';
import { DAY_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { explainUnproven, nameSources, summariseEvidence } from './explain-evidence.ts';
import { countEventsNeeded, type LadderSample, learnEvidence } from './learn-evidence.ts';
import { choosePrior, computePriorShare, PRIOR_EVIDENCE, VAGUE_EVIDENCE } from './prior-evidence.ts';

const normalise = (values: readonly number[]) => {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
};

interface Draw {
  events: number;
  moments: number;
  /** Whether each moment has separate errors, or all share the event's. */
  isFresh: boolean;
  knowledge?: number;
  windowDays?: number;
}

/** Market errors are random; the model knows a part of the truth. */
function draw({ events, moments, isFresh, knowledge = 0.6, windowDays = 7 }: Draw): LadderSample[] {
  const random = createRandom(5);
  const noise = () => Array.from({ length: 8 }, () => random.normal());
  return Array.from({ length: events }, (_, eventId) => {
    const truth = normalise(noise().map(Math.exp));
    let left = random.uniform();
    const winner = Math.max(
      0,
      truth.findIndex((p) => (left -= p) < 0),
    );
    const shared = noise();
    const window = { startTs: eventId * 7 * DAY_MS, endTs: (eventId * 7 + windowDays) * DAY_MS };
    return Array.from({ length: moments }, (): LadderSample => {
      const errors = isFresh ? noise() : shared;
      const prices = normalise(truth.map((p, i) => p * Math.exp(0.6 * errors[i]!)));
      const model = normalise(prices.map((m, i) => m ** (1 - knowledge) * truth[i]! ** knowledge));
      return { eventId, leadHours: 48, model, prices, winner, window, group: 'a', isRecomputed: true };
    });
  }).flat();
}

const learn = (plan: Draw) => learnEvidence(draw(plan), VAGUE_EVIDENCE);

describe("an event's moments", () => {
  it('count as one if they repeat each other, and as more if their errors are independent', () => {
    const same = learn({ events: 300, moments: 6, isFresh: false }).unaided!.independentMoments;
    const fresh = learn({ events: 300, moments: 6, isFresh: true }).unaided!.independentMoments;
    assert.ok(same > 0.7 && same < 1.4, `${same}`);
    assert.ok(fresh > 1.8 * same, `${fresh}`);
  });

  it('count once while few events have settled', () => {
    const few = learn({ events: 4, moments: 6, isFresh: true }).unaided!.independentMoments;
    assert.ok(few < 1.3, `${few}`);
  });

  it('are compared on priced buckets only, so that unlisted ones do not count as lost', () => {
    const samples = draw({ events: 60, moments: 2, isFresh: true });
    const listed = samples.map((sample) => ({
      ...sample,
      model: [...sample.model.map((p) => p / 2), 0.5],
      prices: [...sample.prices.map((p) => p! / 2), null],
    }));
    const whole = learnEvidence(samples, VAGUE_EVIDENCE);
    const partial = learnEvidence(listed, VAGUE_EVIDENCE);
    assert.ok(Math.abs(whole.unaided!.weight - partial.unaided!.weight) < 0.05);
  });
});

describe('the prior', () => {
  it('gives way as events settle, and the record can say how far', () => {
    const share = (events: number) => computePriorShare(learn({ events, moments: 1, isFresh: true }));
    assert.equal(computePriorShare(VAGUE_EVIDENCE), 1);
    assert.ok(computePriorShare(PRIOR_EVIDENCE) > 0.7 && computePriorShare(PRIOR_EVIDENCE) < 0.8);
    const shares = [5, 30, 120].map(share);
    assert.ok(shares[0]! > shares[1]! && shares[1]! > shares[2]! && shares[2]! < 0.4, `${shares}`);
  });

  it('leaves the weight to the data once hundreds of events have settled', () => {
    const learned = learn({ events: 400, moments: 1, isFresh: true, knowledge: 0.7 });
    assert.ok(Math.abs(learned.mean[0]! - learned.unaided!.weight) < 0.35, `${learned.mean}`);
    assert.ok(learned.mean[0]! > 0.6 && learned.mean[1]! > 0.6);
  });

  it('drops the shipped ladders once events of their time are read, because they may be the same', () => {
    assert.equal(choosePrior([Date.UTC(2026, 5, 1)]), PRIOR_EVIDENCE);
    assert.equal(choosePrior([Date.UTC(2026, 5, 1), Date.UTC(2025, 10, 14, 17)]), VAGUE_EVIDENCE);
    assert.equal(choosePrior([]), PRIOR_EVIDENCE);
  });
});

describe('evidence in words', () => {
  const sourced = (recomputed: number, forward: number, shipped = 0): EvidenceSources => ({
    ...{ recomputed, forward, shipped, ofOtherAccounts: 0 },
  });
  const of = (weight: number, sd: number, sources = sourced(113, 4)): EdgeEvidence => ({
    ...evidenceOf(weight, sd),
    ...{ events: 117, sources },
  });

  it('names past events and our own apart', () => {
    assert.equal(nameSources(of(0, 1)), '113 past events read from the venue and 4 events of our own');
    assert.equal(nameSources(of(0, 1, sourced(0, 1))), '1 event of our own');
    assert.equal(nameSources(PRIOR_EVIDENCE), '12 events that came with Tallycast');
    assert.equal(nameSources(VAGUE_EVIDENCE), 'no settled events');
  });

  it('says how many events are missing, or that hundreds of events show no edge', () => {
    assert.match(
      explainUnproven(PRIOR_EVIDENCE, 'below'),
      /^edge not proven: 12 events that came with Tallycast, of about 1\d0 needed$/,
    );
    assert.match(explainUnproven(of(0.3, 0.1), 'above'), /at this price after 113 past events/);
    assert.match(explainUnproven(of(-0.3, 0.1, sourced(20, 0)), 'above'), /contradict it/);
    assert.equal(
      explainUnproven(of(0.05, 0.1), 'above'),
      '113 past events read from the venue and 4 events of our own show no edge over the market: where the model is above it, its weight is 0.05 [-0.11, 0.21]',
    );
    assert.match(summariseEvidence(of(0.05, 0.1)), /^113 past events .*; \d+% of the weight .*no edge where/);
  });

  it('needs fewer events the larger the weight and the more each event says', () => {
    const needed = (weight: number) => countEventsNeeded(of(weight, 0.4), 'above')!;
    assert.ok(needed(0.3) > needed(0.45));
    assert.equal(countEventsNeeded({ ...of(0.3, 0.4), informationPerEvent: 0 }, 'above'), null);
  });
});
