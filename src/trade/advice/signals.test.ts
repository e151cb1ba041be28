import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  bucketOf,
  eventOf,
  fiveBuckets,
  pricedAt,
  quoteOf,
  RULES,
} from '../../../test/support/priced-event.ts';
import { profileOfLetter } from '../../domain/account-profile.ts';
import { createRandom } from '../../runtime/random.ts';
import { allocateExclusive } from '../sizing/kelly.ts';
import { getSizingRules } from '../sizing/sizing-rules.ts';
import type { BucketSignal, PricedEvent } from '../types.ts';
import { buildAccountSignals } from './signals.test-support.ts';
import {
  classifyConfidence,
  classifyTimeConfidence,
  computeMoneyness,
  findStandardWidth,
  gradeSignal,
} from './signals.ts';

const RULES_B = getSizingRules(profileOfLetter('b'));

const event = fiveBuckets();

function signalOf(of: PricedEvent, label: string, rules = RULES, bankrollUsd = 1000) {
  const found = buildAccountSignals([of], bankrollUsd, rules)[0]!.signals.find(
    (s) => s.bucketLabel === label,
  );
  assert.ok(found, `no signal for ${label}`);
  return found;
}

describe('signals', () => {
  it('lists every bucket, best edge first', () => {
    const { signals } = buildAccountSignals([event], 1000, RULES)[0]!;
    assert.deepEqual(
      signals.map((s) => s.edge),
      [0.12, 0.02, 0.01, -0.01, -0.08],
    );
  });

  it('buys if the model beats ask and fee, with quarter Kelly shrunk by model uncertainty', () => {
    const signal = signalOf({ ...event, modelSd: 0.03 }, '240-259');
    // ask 0.31, fee 0.05 * 0.31 * 0.69 = 0.010695
    assert.equal(signal.action, 'BUY');
    assert.equal(signal.costPerShare, 0.320695);
    assert.equal(signal.ev, Math.round((0.42 / 0.320695 - 1) * 1e9) / 1e9);
    // 200-219 costs 0.114895, which is above the lower bound of its 12 percent.
    const full = allocateExclusive([0.42], [0.320695]).fractions[0]!;
    const excess = 0.42 / 0.320695 - 1;
    const noise = (0.03 * 2 * Math.sqrt(0.42 * 0.58)) / 0.320695;
    const fraction = (0.25 * full * excess ** 2) / (excess ** 2 + noise ** 2);
    assert.ok(Math.abs(signal.kellyFraction - fraction) < 1e-9);
    assert.equal(signal.suggestedBetUsd, 20);
    assert.equal(signal.suggestedShares, 62);
    assert.match(
      signal.reasons.join('; '),
      /model 42% against a cost of 32\.07¢ \(ask 31¢ plus 1\.07¢ fee\)/,
    );
    assert.match(signal.reasons.join('; '), /capped at 2% of the bankroll/);
  });

  it('returns the same signal for any bankroll if nothing is staked, and echoes the bankroll', () => {
    const build = (bankrollUsd: number) => buildAccountSignals([event], bankrollUsd, RULES);
    const adviseOn = (bankrollUsd: number, labels: readonly string[]) => {
      const { signals } = build(bankrollUsd)[0]!;
      assert.ok(signals.every((signal) => signal.bankrollUsd === bankrollUsd));
      return signals
        .filter(({ bucketLabel }) => labels.includes(bucketLabel))
        .map(({ bankrollUsd: _, ...rest }) => rest);
    };
    const unstaked = build(1e6)[0]!.signals.filter(({ verdict }) => verdict.kellyFraction === 0);
    const labels = unstaked.map(({ bucketLabel }) => bucketLabel);
    assert.notEqual(labels.length, 0);
    assert.deepEqual(adviseOn(10, labels), adviseOn(1e6, labels));
  });

  it('returns SELL on an overpriced bucket for account A, and SKIP for account B', () => {
    assert.equal(signalOf(event, '260-279').action, 'SELL');
    assert.equal(signalOf(event, '260-279', RULES_B).action, 'SKIP');
    assert.equal(buildAccountSignals([event], 1000, RULES)[0]!.sell[0]!.strategy, 'RISK_MANAGEMENT');
    assert.deepEqual(buildAccountSignals([event], 1000, RULES_B)[0]!.sell, []);
  });

  it('returns the same SELL if the bankroll is too small to buy No instead', () => {
    const large = signalOf(event, '260-279');
    const small = signalOf(event, '260-279', RULES, 10);
    assert.equal(large.verdict.kind, 'buy-no');
    assert.equal(small.verdict.kind, 'exit');
    for (const { action, kellyFraction } of [large, small])
      assert.deepEqual({ action, kellyFraction }, { action: 'SELL', kellyFraction: 0 });
    assert.deepEqual(small.reasons, large.reasons);
    assert.equal(buildAccountSignals([event], 10, RULES)[0]!.sell[0]!.strategy, 'RISK_MANAGEMENT');
    assert.equal(signalOf(event, '260-279', RULES_B, 10).kellyFraction, 0);
  });

  it('returns HOLD inside the no-trade band', () => {
    const signal = signalOf(event, '220-239');
    assert.equal(signal.action, 'HOLD');
    assert.equal(signal.suggestedBetUsd, 0);
  });

  const untradable: [string, Parameters<typeof bucketOf>[2], RegExp][] = [
    ['closed', { isOpen: false }, /closed/],
    ['without any book', { yesQuote: null }, /no order book/],
    ['without any price', { yesQuote: null, marketPrice: null }, /no price/],
  ];
  for (const [what, change, reason] of untradable) {
    it(`skips a bucket ${what}, and says why`, () => {
      const signal = signalOf(eventOf([bucketOf(200, 0.6, change)]), '200-219');
      assert.equal(signal.action, 'SKIP');
      assert.equal(signal.suggestedBetUsd, 0);
      assert.match(signal.reasons.join('; '), reason);
      for (const value of Object.values(signal))
        assert.ok(typeof value !== 'number' || Number.isFinite(value));
    });
  }

  it('skips a stake below the minimum order', () => {
    const signal = signalOf(event, '240-259', RULES, 10);
    assert.equal(signal.action, 'SKIP');
    assert.match(signal.reasons.join('; '), /minimum order of 5 shares/);
  });

  it('takes at most a fifth of the displayed depth', () => {
    const thin = eventOf([
      pricedAt(240, 0.42, 0.3, { yesQuote: quoteOf('yes-240', 0.29, 0.31, 50) }),
      pricedAt(260, 0.58, 0.7),
    ]);
    const signal = signalOf(thin, '240-259', RULES, 100_000);
    assert.ok(signal.suggestedShares <= 10);
    assert.match(signal.reasons.join('; '), /20% of the visible depth/);
  });

  it('omits TWO_BUCKET once the count has passed the lower bucket', () => {
    const passed = eventOf([pricedAt(220, 0, 0.02), pricedAt(240, 0.97, 0.7), pricedAt(260, 0.03, 0.2)]);
    const { buy } = buildAccountSignals([passed], 1000, RULES)[0]!;
    assert.deepEqual(
      buy.map((entry) => entry.strategy),
      ['SINGLE_BUCKET'],
    );
  });

  it('keeps the SELLs of a large bankroll at any smaller one, on hundreds of ladders', () => {
    fc.assert(
      fc.property(randomEvents(), fc.double({ min: 1, max: 1e6, noNaN: true }), (events, bankrollUsd) => {
        const sold = (usd: number) =>
          buildAccountSignals(events, usd, RULES).flatMap(({ eventId, signals }) =>
            signals
              .filter(({ action }) => action === 'SELL')
              .map(({ bucketLabel }) => `${eventId} ${bucketLabel}`),
          );
        const few = new Set(sold(bankrollUsd));
        assert.ok(sold(1e9).every((name) => few.has(name)));
      }),
      { seed: 42, numRuns: 300 },
    );
  });

  it('never stakes more than the bankroll or the cap on any of thousands of ladders', () => {
    fc.assert(
      fc.property(randomEvents(), fc.double({ min: 1, max: 1e6, noNaN: true }), (events, bankrollUsd) => {
        const all = buildAccountSignals(events, bankrollUsd, RULES).flatMap((element) => element.signals);
        const total = all.reduce((sum, s) => sum + s.suggestedBetUsd, 0);
        assert.ok(total <= bankrollUsd);
        for (const s of all) {
          assert.ok(s.suggestedBetUsd <= 0.02 * bankrollUsd + 1e-9);
          assert.ok(s.suggestedBetUsd <= s.kellyFraction * bankrollUsd + 1e-9);
          assert.equal(s.suggestedBetUsd > 0, s.action === 'BUY');
          assert.ok(s.action !== 'BUY' || s.ev > 0);
          for (const value of Object.values(s))
            assert.ok(typeof value !== 'number' || Number.isFinite(value));
        }
      }),
      { numRuns: 1000, seed: 41 },
    );
  });

  it('bets no more on two copies of one event than on one', () => {
    const finals = Array.from({ length: 400 }, (_, i) => 200 + Math.floor(createRandom(i).uniform() * 100));
    const twin = { ...event, finals };
    const alone = buildAccountSignals([event], 100_000, RULES)[0]!.signals[0]!.kellyFraction;
    const both = buildAccountSignals([twin, { ...twin, eventId: 2 }], 100_000, RULES);
    const together = both[0]!.signals[0]!.kellyFraction + both[1]!.signals[0]!.kellyFraction;
    assert.ok(together > 0.95 * alone && together < 1.05 * alone, `${together} against ${alone}`);
    assert.match(both[0]!.signals[0]!.reasons.join(';'), /sized jointly with 1 other open event/);
  });

  it('splits the Kelly fraction across overlapping events without common paths', () => {
    const alone = buildAccountSignals([event], 1000, RULES)[0]!.signals[0]!;
    const two = buildAccountSignals([event, { ...event, eventId: 2 }], 1000, RULES)[0]!.signals[0]!;
    assert.ok(Math.abs(two.kellyFraction - alone.kellyFraction / 2) < 1e-8);
    assert.match(two.reasons.join(';'), /split across 2/);
  });
});

/** One to three events with two to eight buckets each, some without books. */
function randomEvents(): fc.Arbitrary<PricedEvent[]> {
  return fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer()).map(([count, seed]) => {
    const { uniform } = createRandom(seed);
    return Array.from({ length: count }, (_, e) => {
      const weights = Array.from({ length: 2 + Math.floor(uniform() * 7) }, () => uniform() ** 3);
      const total = weights.reduce((sum, w) => sum + w, 0);
      const buckets = weights.map((w, i) => {
        const p = w / total;
        const mid = Math.min(0.98, Math.max(0.02, p + (uniform() - 0.5) * 0.3));
        return pricedAt(i * 20, p, Math.round(mid * 100) / 100, uniform() < 0.1 ? { yesQuote: null } : {});
      });
      const finals = uniform() < 0.5 ? null : Array.from({ length: 50 }, () => uniform() * 160);
      return eventOf(buckets, { eventId: e + 1, modelSd: uniform() * 0.1, finals });
    });
  });
}

describe('moneyness', () => {
  it('is 1 inside a single-count bucket and 0 outside it', () => {
    assert.equal(computeMoneyness(7, { lo: 7, hi: 7 }, 1), 1);
    assert.equal(computeMoneyness(8, { lo: 7, hi: 7 }, 1), 0);
  });

  it('lies between 0 and 1 and is symmetric about the centre', () => {
    const counts = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(counts, counts, fc.double({ min: 0, max: 1, noNaN: true }), (lo, width, at) => {
        const bucket = { lo, hi: lo + width };
        const [left, right] = [lo + at * width, lo + width - at * width];
        const depth = computeMoneyness(left, bucket, 20);
        assert.ok(depth >= 0 && depth <= 1);
        assert.ok(Math.abs(depth - computeMoneyness(right, bucket, 20)) < 1e-6);
      }),
    );
  });
});

describe('standard width of a ladder', () => {
  it('is the median width of its closed buckets', () => {
    const ranges = [
      { lo: 0, hi: 99 },
      { lo: 100, hi: 119 },
      { lo: 120, hi: 139 },
      { lo: 140, hi: null },
    ];
    assert.equal(findStandardWidth(ranges), 20);
  });

  it('is 1 without closed buckets', () => {
    assert.equal(findStandardWidth([{ lo: 0, hi: null }]), 1);
    assert.equal(findStandardWidth([]), 1);
  });
});

const ORDER = { LOW: 0, MEDIUM: 1, HIGH: 2 };
const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe('confidence', () => {
  it('is HIGH at 0.75 and MEDIUM at 0.4 if the model is certain and above the cost', () => {
    assert.equal(classifyConfidence(0.75, 0, 0.7), 'HIGH');
    assert.equal(classifyConfidence(0.7499, 0, 0.7), 'MEDIUM');
    assert.equal(classifyConfidence(0.4, 0, 0.3), 'MEDIUM');
    assert.equal(classifyConfidence(0.3999, 0, 0.3), 'LOW');
  });

  it('is LOW if the probability does not exceed the cost, or the cost is unknown', () => {
    assert.equal(classifyConfidence(0.9, 0, 0.9), 'LOW');
    assert.equal(classifyConfidence(0.9, 0, null), 'LOW');
  });

  it('requires 1.64 (HIGH) or 1 (MEDIUM) standard deviations above the cost', () => {
    // A model sd of 0.05 scales to 0.04 at a probability of 0.8.
    assert.equal(classifyConfidence(0.8, 0.05, 0.734), 'HIGH');
    assert.equal(classifyConfidence(0.8, 0.05, 0.735), 'MEDIUM');
    assert.equal(classifyConfidence(0.8, 0.05, 0.759), 'MEDIUM');
    assert.equal(classifyConfidence(0.8, 0.05, 0.761), 'LOW');
  });

  it('never rises with the cost or with model uncertainty', () => {
    fc.assert(
      fc.property(unit, unit, unit, unit, unit, (p, sd, moreSd, cost, moreCost) => {
        const before = ORDER[classifyConfidence(p, sd, cost)];
        assert.ok(ORDER[classifyConfidence(p, sd + moreSd, cost)] <= before);
        assert.ok(ORDER[classifyConfidence(p, sd, cost + moreCost)] <= before);
      }),
    );
  });
});

describe('confidence by time left', () => {
  for (const [seconds, expected] of [
    [0, 'HIGH'],
    [86_399, 'HIGH'],
    [86_400, 'MEDIUM'],
    [172_800, 'MEDIUM'],
    [172_801, 'LOW'],
  ] as const) {
    it(`is ${expected} with ${seconds} s left`, () => {
      assert.equal(classifyTimeConfidence(seconds), expected);
    });
  }
});

const grade = (action: BucketSignal['action'], gainPerUsd: number) =>
  gradeSignal({ action, verdict: { gainPerUsd } as BucketSignal['verdict'] });

describe('prediction signal', () => {
  it('grades a buy by its expected gain per dollar; each threshold belongs to the lower grade', () => {
    assert.deepEqual(
      [0.5, 0.3, 0.2, 0.1, 0.05].map((gain) => grade('BUY', gain)),
      ['STRONG_BUY', 'BUY', 'BUY', 'SLIGHT_BUY', 'SLIGHT_BUY'],
    );
  });

  it('is HOLD on stale feeds', () => {
    const stale = { ...event, blindness: 'prices stale for 5 min' };
    for (const signal of buildAccountSignals([stale], 1000, RULES)[0]!.signals) {
      assert.equal(gradeSignal(signal), 'HOLD');
      assert.deepEqual([signal.action, signal.suggestedBetUsd, signal.kellyFraction], ['SKIP', 0, 0]);
    }
  });

  it('is SELL if an exit is advised, for any gain, and otherwise HOLD', () => {
    assert.equal(grade('SELL', 0.5), 'SELL');
    assert.equal(grade('HOLD', 0.5), 'HOLD');
    assert.equal(grade('SKIP', 0.5), 'HOLD');
  });
});
