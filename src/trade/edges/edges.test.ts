import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bucketOf,
  eventOf,
  evidenceOf,
  pricedAt,
  quoteOf,
  RULES,
} from '../../../test/support/priced-event.ts';
import { type CountingRule, MAIN_FEED_RULE } from '../../domain/counting-rule.ts';
import { describePaidBuckets, settleDistribution } from '../../forecast/distribution/settlement-risk.ts';
import { createRandom } from '../../runtime/random.ts';
import { decideAccount } from '../advice/decide-account.ts';
import { buildAccountSignals } from '../advice/signals.test-support.ts';
import type { PricedBucket, PricedEvent } from '../types.ts';
import { blendLadder, devigPrices, readMarket } from './blend.ts';
import { findBucketEdges, findFacts } from './bucket-edges.ts';
import { countEventsNeeded, type LadderSample, learnEvidence } from './learn-evidence.ts';
import { PRIOR_EVIDENCE, VAGUE_EVIDENCE } from './prior-evidence.ts';
import { findStructureEdges } from './structure.ts';

const MODEL = [0.3, 0.4, 0.3];
const PRICES = [0.35, 0.35, 0.3];

describe('blended probability', () => {
  it('equals the market at weight 0 and the model at weight 1, and always sums to 1', () => {
    const blend = (weight: number) => blendLadder(evidenceOf(weight), MODEL, PRICES, 72).probabilities;
    blend(0).forEach((q, i) => {
      assert.ok(Math.abs(q - PRICES[i]!) < 1e-9);
    });
    blend(1).forEach((q, i) => {
      assert.ok(Math.abs(q - MODEL[i]!) < 1e-9);
    });
    assert.ok(Math.abs(blend(0.3).reduce((sum, q) => sum + q, 0) - 1) < 1e-12);
  });

  it('has no bound above the cost for a ladder without prices', () => {
    const { probabilities, sds } = blendLadder(evidenceOf(1), MODEL, [null, null, null], 72);
    assert.deepEqual(probabilities, MODEL);
    assert.ok(sds.every((sd) => sd === 1));
  });

  it('splits what the priced buckets leave by the model, which gives nothing to a passed bucket', () => {
    const market = readMarket([0.2, 0.4, 0.3, 0.1], [0.4, 0.4, null, null])!;
    assert.ok(Math.abs(market[2]! - 3 * market[3]!) < 1e-9);
    assert.ok(Math.abs(market[2]! + market[3]! - 0.2) < 0.02);
    assert.deepEqual(readMarket([0, 0.5, 0.5], [null, 0.5, 0.52]), [0, ...devigPrices([0.5, 0.52])!]);
  });

  it('is less certain with less evidence and larger gaps', () => {
    const sdOf = (sd: number, model: number[]) => blendLadder(evidenceOf(0.3, sd), model, PRICES, 72).sds[1]!;
    assert.ok(sdOf(0.3, MODEL) > sdOf(0.1, MODEL));
    assert.ok(sdOf(0.3, [0.2, 0.6, 0.2]) > sdOf(0.3, MODEL));
  });
});

describe('learning from settled ladders', () => {
  /** The market has random errors; the model knows a given fraction of the truth. */
  function draw(events: number, knowledge: number, seed: number): LadderSample[] {
    const random = createRandom(seed);
    return Array.from({ length: events }, (_, eventId) => {
      const truth = normalise(Array.from({ length: 8 }, () => Math.exp(random.normal())));
      const prices = normalise(truth.map((p) => p * Math.exp(0.5 * random.normal())));
      const model = normalise(prices.map((m, i) => m ** (1 - knowledge) * truth[i]! ** knowledge));
      let left = random.uniform();
      const winner = truth.findIndex((p) => (left -= p) < 0);
      return { eventId, leadHours: 48, model, prices, winner: Math.max(0, winner) };
    });
  }

  it('learns to trust a better model, but not one with random errors', () => {
    const good = learnEvidence(draw(400, 1, 1), VAGUE_EVIDENCE);
    assert.ok(good.mean[0]! > 0.5 && good.mean[1]! > 0.5, `${good.mean}`);
    assert.ok(good.covariance[0]![0]! < VAGUE_EVIDENCE.covariance[0]![0]!);
    const mixed = draw(400, 0, 2).map((sample) => ({ ...sample, model: shuffle(sample.model) }));
    const bad = learnEvidence(mixed, VAGUE_EVIDENCE);
    assert.ok(bad.mean[1]! < 0.2 && bad.mean[0]! < good.mean[0]! / 3, `${bad.mean}`);
  });

  it('counts an event once, no matter how often it was observed', () => {
    const samples = draw(20, 1, 3);
    const once = learnEvidence(samples, VAGUE_EVIDENCE);
    const often = learnEvidence([...samples, ...samples, ...samples], VAGUE_EVIDENCE);
    once.mean.forEach((weight, k) => {
      assert.ok(Math.abs(weight - often.mean[k]!) < 0.02, `${weight} ${often.mean[k]}`);
    });
    assert.equal(often.events, 20);
  });

  it('gives an event from another account half the weight', () => {
    const samples = draw(30, 1, 4);
    const own = learnEvidence(samples, VAGUE_EVIDENCE);
    const other = learnEvidence(samples, VAGUE_EVIDENCE, () => 0.5);
    assert.ok(other.covariance[0]![0]! > own.covariance[0]![0]!);
  });

  it('starts from the shipped prior, which proves no edge on either side', () => {
    assert.equal(learnEvidence([], PRIOR_EVIDENCE), PRIOR_EVIDENCE);
    for (const side of ['above', 'below'] as const) {
      assert.ok(countEventsNeeded(PRIOR_EVIDENCE, side)! > PRIOR_EVIDENCE.events);
    }
    assert.equal(countEventsNeeded(evidenceOf(-0.1, 0.3), 'above'), null);
  });
});

describe('bounds', () => {
  it('are wider with more candidates', () => {
    const few = eventOf([pricedAt(240, 0.36, 0.3), pricedAt(260, 0.64, 0.7)], { modelSd: 0.05 });
    const books = { noQuote: null };
    const many = eventOf(
      [0, 1, 2, 3, 4, 5].map((i) => pricedAt(240 + 20 * i, 1 / 6, 0.13, books)),
      { modelSd: 0.05 },
    );
    const reach = (event: PricedEvent) => {
      const [edge] = findBucketEdges(event, evidenceOf(1));
      return (edge!.blended - edge!.lower) / edge!.sd;
    };
    assert.ok(reach(many) > reach(few));
  });

  it('rule out a six-cent gap under the shipped prior, with the number of events still needed', () => {
    const event = eventOf([pricedAt(240, 0.36, 0.3), pricedAt(260, 0.64, 0.7)], { evidence: PRIOR_EVIDENCE });
    const { signals } = buildAccountSignals([event], 1_000, RULES)[0]!;
    for (const { verdict } of signals) {
      assert.equal(verdict.kind, 'nothing');
      assert.match(
        verdict.abstainReason!,
        /inside the spread|edge not proven: 12 events that came with Tallycast, of about \d+ needed/,
      );
      assert.ok(verdict.actAt!.price < verdict.actAt!.ask);
    }
  });
});

describe('facts', () => {
  const counted = (change: Partial<PricedEvent>) =>
    eventOf([bucketOf(200, 0), bucketOf(220, 0.9), bucketOf(240, 0.1), bucketOf(400, 0.0001)], {
      realCount: 225,
      oracleCount: 225,
      secondsRemaining: 1_800,
      ...change,
    });

  it('cover a passed bucket and one that is out of reach', () => {
    const facts = findFacts(counted({}));
    assert.match(facts[0]!.reason, /count is 225, already above 219/);
    assert.deepEqual([facts[1], facts[2]], [null, null]);
    assert.match(facts[3]!.reason, /175 more posts needed in 30 min/);
    assert.equal(findFacts(counted({ secondsRemaining: 90_000 }))[3], null);
  });

  it('doubt a passed bucket less the further the count is above it', () => {
    const passed = [bucketOf(180, 0), bucketOf(200, 0), bucketOf(220, 1)];
    const [far, near] = findFacts(counted({ changeRate: 0.29, buckets: passed }));
    assert.ok(near!.probability > 0.05 && near!.probability < 0.3, `${near!.probability}`);
    assert.ok(far!.probability < near!.probability / 10, `${far!.probability}`);
    assert.equal(findFacts(counted({ buckets: passed }))[1]!.probability, 0.005);
  });

  it('cover a bucket that only our count has passed, even if no more posts are expected', () => {
    const ranges = [180, 200, 220].map((lo) => ({ lo, hi: lo + 19 }));
    for (const changeRate of [0.01, 0.03, 0.29]) {
      for (const shown of [210, 219, null]) {
        const oracle = { count: shown, deletedSinceLastCatchUp: 0 };
        const settled = settleDistribution({ from: 221, pmf: new Float64Array([1]) }, 221, oracle);
        const inputs = { countSoFar: 221, oracle, changeRate, mayFall: false };
        const { bucketProbabilities } = describePaidBuckets(settled, ranges, 221, inputs);
        const buckets = ranges.map(({ lo }, i) => bucketOf(lo, bucketProbabilities[i]!));
        const fact = findFacts(counted({ realCount: 221, oracleCount: shown, changeRate, buckets }))[1];
        assert.ok(fact && fact.probability >= bucketProbabilities[1]!, `${changeRate} ${shown}`);
      }
    }
  });

  it('hardly doubt a bucket that the count has just passed if it will rise much further', () => {
    const rising = [bucketOf(180, 0), bucketOf(200, 0), bucketOf(220, 0.01), bucketOf(400, 0.99)];
    const [, near] = findFacts(
      counted({ realCount: 220, oracleCount: 220, changeRate: 0.29, buckets: rising }),
    );
    assert.equal(near!.probability, 0.005);
  });

  it('claim nothing while deleted posts can bring the count back into the bucket', () => {
    const mayFall = [bucketOf(200, 0.48), bucketOf(220, 0.5), bucketOf(240, 0.02)];
    for (const oracleCount of [219, 165]) {
      const facts = findFacts(counted({ realCount: 220, oracleCount, buckets: mayFall }));
      assert.deepEqual(facts.slice(0, 2), [null, null], `the oracle shows ${oracleCount}`);
    }
  });

  it("cover the last hour if our count and the oracle's are in different buckets", () => {
    const ahead = findFacts(counted({ oracleCount: 218 }));
    assert.match(ahead[1]!.reason, /our count is 225, the oracle still shows 218/);
    assert.equal(findFacts(counted({ oracleCount: 222 }))[1], null);
  });

  it('buy No and sell Yes on a passed bucket until its book moves, with or without evidence', () => {
    const passed = pricedAt(200, 0, 0.1);
    const event = counted({ evidence: PRIOR_EVIDENCE, buckets: [passed, pricedAt(220, 1, 0.9)] });
    const { signals } = buildAccountSignals([event], 1_000, RULES)[0]!;
    const signal = signals.find(({ bucketLabel }) => bucketLabel === '200-219')!;
    assert.deepEqual([signal.verdict.kind, signal.verdict.edgeKind], ['buy-no', 'fact']);
    assert.ok(signal.verdict.shares > 0 && signal.verdict.fillableUsd! > 0);
    assert.equal(signal.action, 'SELL');
  });

  it('never buy Yes on a passed bucket, however cheap it is', () => {
    const books = {
      tickSize: 0.001,
      yesQuote: quoteOf('yes', null, 0.001, 1e7),
      noQuote: quoteOf('no', 0.999, null),
    };
    const passed = bucketOf(200, 0, { marketPrice: 0.001, ...books });
    const event = counted({ evidence: PRIOR_EVIDENCE, buckets: [passed, pricedAt(220, 1, 0.9)] });
    const { signals } = buildAccountSignals([event], 100_000, RULES)[0]!;
    assert.equal(signals.find(({ bucketLabel }) => bucketLabel === '200-219')!.verdict.kind, 'nothing');
  });
});

describe('structure', () => {
  const ladderAt = (prices: readonly number[], change: Partial<PricedEvent> = {}): PricedEvent => {
    const buckets = prices.map((ask, i): PricedBucket => {
      const lo = i * 20;
      const isTop = i === prices.length - 1;
      return bucketOf(lo, 1 / prices.length, {
        ...(isTop && { hi: null, label: `${lo}+` }),
        fee: { rate: 0, exponent: 1 },
        marketPrice: ask - 0.01,
        yesQuote: quoteOf(`yes-${lo}`, ask - 0.02, ask, 200),
        noQuote: quoteOf(`no-${lo}`, 1 - ask, 1 - ask + 0.02, 200),
      });
    });
    return eventOf(buckets, { realCount: 3, oracleCount: 3, evidence: PRIOR_EVIDENCE, ...change });
  };

  it('finds a ladder with asks that sum to less than 1, for as many sets as the thinnest book shows', () => {
    const [set] = findStructureEdges([ladderAt([0.3, 0.3, 0.34])]);
    assert.deepEqual([set!.legs.length, set!.depthSets, set!.payoutPerSet], [3, 200, 1]);
    assert.ok(Math.abs(set!.costPerSet - 0.94) < 1e-9);
    assert.deepEqual(findStructureEdges([ladderAt([0.33, 0.33, 0.34])]), []);
  });

  it('buys every No of a ladder with bids that sum to more than 1', () => {
    const [set] = findStructureEdges([ladderAt([0.4, 0.4, 0.4])]);
    assert.equal(set!.legs[0]!.side, 'No');
    assert.equal(set!.payoutPerSet, 2);
  });

  it('requires that the buckets cover every count', () => {
    const open = ladderAt([0.3, 0.3, 0.34]);
    assert.deepEqual(findStructureEdges([{ ...open, buckets: open.buckets.slice(0, 2) }]), []);
  });

  it('applies to every bucket in the set and overrides the model', () => {
    const { signals } = buildAccountSignals([ladderAt([0.3, 0.3, 0.34])], 10_000, RULES)[0]!;
    assert.deepEqual(new Set(signals.map(({ verdict }) => verdict.edgeKind)), new Set(['structure']));
    assert.deepEqual(new Set(signals.map(({ verdict }) => verdict.shares)), new Set([200]));
  });

  it('finds a shorter window priced above what the longer window around it implies', () => {
    const inner = ladderAt([0.05, 0.1, 0.87], {
      eventId: 2,
      startTs: 10,
      endTs: 90,
      realCount: 0,
      oracleCount: 0,
    });
    const outer = ladderAt([0.02, 0.68, 0.32], {
      eventId: 1,
      startTs: 0,
      endTs: 100,
      realCount: 20,
      oracleCount: 20,
    });
    const nested = findStructureEdges([outer, inner]).find(({ legs }) =>
      legs.some((leg) => leg.eventId === 2),
    );
    // At least 20 in the shorter window means at least 40 in the longer one, which costs 32 cents.
    assert.ok(nested && Math.abs(nested.costPerSet - 0.37) < 1e-9, JSON.stringify(nested?.costPerSet));
    assert.match(nested.reason, /below 20 in the shorter window or at least 40 in the longer/);
    assert.deepEqual(
      findStructureEdges([outer, { ...inner, endTs: 120 }]).filter(({ legs }) => legs.length !== 3),
      [],
    );
  });

  it('ignores nested windows if the inner contract counts posts that the outer one does not', () => {
    const strict = { ...MAIN_FEED_RULE, deletedPosts: false };
    const nestedUnder = (innerRule: CountingRule, outerRule: CountingRule) => {
      const outer = ladderAt([0.02, 0.02, 0.02], { startTs: 0, endTs: 100, rule: outerRule });
      const inner = ladderAt([0.9, 0.02, 0.02], { startTs: 0, endTs: 50, eventId: 2, rule: innerRule });
      return findStructureEdges([outer, inner]).some(
        ({ legs }) => new Set(legs.map((leg) => leg.eventId)).size > 1,
      );
    };
    assert.equal(nestedUnder(MAIN_FEED_RULE, MAIN_FEED_RULE), true);
    assert.equal(nestedUnder(strict, MAIN_FEED_RULE), true);
    assert.equal(nestedUnder(MAIN_FEED_RULE, strict), false);
  });

  it('ignores events with stale inputs', () => {
    assert.deepEqual(findStructureEdges([ladderAt([0.3, 0.3, 0.34], { blindness: 'prices are stale' })]), []);
    const [decided] = decideAccount([ladderAt([0.3, 0.3, 0.34], { blindness: 'stale' })], RULES, 0).events;
    assert.ok(decided!.buckets.every(({ decision }) => decision.kind === 'nothing'));
  });
});

function normalise(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
}

function shuffle(values: readonly number[]): number[] {
  return values.toReversed();
}
