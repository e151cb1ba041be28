import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  eventOf,
  evidenceOf,
  positionOf,
  pricedAt,
  quoteOf,
  RULES,
} from '../../../test/support/priced-event.ts';
import { createRandom } from '../../runtime/random.ts';
import { findNoBuy, findYesBuy, findYesSell } from '../cost.ts';
import { rebalancePositions } from '../positions/rebalance.ts';
import type { BucketSignal, PricedEvent } from '../types.ts';
import { buildLadder } from './ladder.ts';
import { buildAccountSignals } from './signals.test-support.ts';
import { gradeSignal } from './signals.ts';

const BANKROLL_USD = 10_000;

interface Advised {
  event: PricedEvent;
  advice: ReturnType<typeof buildAccountSignals>;
}

/** All tests share the same ladders, because sizing a ladder takes nearly all of the time. */
const SEED = 7;
const advised = new Map<number, Advised>();

function advisedLadder(): fc.Arbitrary<Advised> {
  return fc.integer().map((seed) => {
    const event = drawLadder(seed);
    const known = advised.get(seed) ?? { event, advice: buildAccountSignals([event], BANKROLL_USD, RULES) };
    advised.set(seed, known);
    return known;
  });
}

/** A ladder with pricing errors, spreads of one to four cents and deep books; occasionally a crossed one. */
function drawLadder(seed: number): PricedEvent {
  const { uniform } = createRandom(seed);
  const weights = Array.from({ length: 3 + Math.floor(uniform() * 8) }, () => uniform() ** 3);
  const total = weights.reduce((sum, w) => sum + w, 0);
  const buckets = weights.map((w, i) => {
    const p = w / total;
    const mid = Math.min(0.96, Math.max(0.04, p + (uniform() - 0.5) * 0.3));
    const half = (1 + Math.floor(uniform() * 4)) / 200;
    const cross = uniform() < 0.05 ? 0.04 : 0;
    return pricedAt(i * 20, p, round(mid), {
      yesQuote: quoteOf(`yes-${i * 20}`, round(mid - half), round(mid + half), 1e6),
      noQuote: quoteOf(`no-${i * 20}`, round(1 - mid - half), round(1 - mid + half - cross), 1e6),
    });
  });
  return eventOf(buckets, { modelSd: uniform() * 0.05, evidence: evidenceOf(uniform(), uniform() * 0.1) });
}

function round(price: number): number {
  return Math.round(price * 100) / 100;
}

describe('verdict', () => {
  it('never loses in expectation under the blended probability after fees', () => {
    fc.assert(
      fc.property(advisedLadder(), ({ event, advice }) => {
        for (const signal of advice[0]!.signals) checkGain(event, signal);
      }),
      { numRuns: 2_000, seed: SEED },
    );
  });

  it('is the same in signals, prediction and ladder', () => {
    fc.assert(
      fc.property(advisedLadder(), ({ event, advice }) => {
        const { signals } = advice[0]!;
        const rows = new Map(buildLadder(event, signals).map((row) => [row.tokenId, row]));
        for (const signal of signals) {
          const { verdict, action, targetShares, targetUsd } = rows.get(signal.tokenId)!;
          assert.equal(verdict, signal.verdict);
          assert.deepEqual(
            [action, targetShares, targetUsd],
            [signal.action, signal.suggestedShares, signal.suggestedBetUsd],
          );
          assert.equal(/BUY/.test(gradeSignal(signal)), signal.verdict.kind === 'buy-yes');
          assert.equal(gradeSignal(signal) === 'SELL', signal.action === 'SELL');
          if (signal.action !== 'BUY') assert.equal(signal.suggestedBetUsd, 0);
        }
      }),
      { numRuns: 1_000, seed: SEED },
    );
  });

  it('advises nothing more once it has been followed', () => {
    fc.assert(
      fc.property(advisedLadder(), ({ event, advice: signals }) => {
        const held = signals[0]!.signals.flatMap(({ verdict, tokenId, noTokenId }) => {
          if (verdict.kind === 'buy-yes') return [positionOf(tokenId, verdict.shares)];
          return verdict.kind === 'buy-no' ? [positionOf(noTokenId, verdict.shares, { side: 'No' })] : [];
        });
        const advice = { bankrollUsd: BANKROLL_USD, signals, rules: RULES };
        assert.deepEqual(rebalancePositions([event], held, advice, 1)[0]!.positions, []);
      }),
      { numRuns: 1_000, seed: SEED },
    );
  });

  it('keeps a Yes stake unchanged when No is offered', () => {
    const event = eventOf([pricedAt(200, 0.1, 0.3), pricedAt(220, 0.6, 0.4), pricedAt(240, 0.3, 0.3)]);
    const without = eventOf(event.buckets.map((bucket) => ({ ...bucket, noQuote: null })));
    const stakeOf = (of: PricedEvent) =>
      signalsOf(of).find(({ action }) => action === 'BUY')!.suggestedBetUsd;
    assert.equal(stakeOf(event), stakeOf(without));
    const no = signalsOf(event).find(({ verdict }) => verdict.kind === 'buy-no')!;
    assert.equal(no.bucketLabel, '200-219');
    assert.match(no.verdict.sentence, /^Buy \d+ No of 200-219 at 71¢ or less: blended probability 90%$/);
  });

  it('claims to be inside the spread only if Yes is worth neither buying nor selling', () => {
    fc.assert(
      fc.property(advisedLadder(), ({ advice }) => {
        for (const { verdict, reasons } of advice[0]!.signals)
          for (const reason of [verdict.abstainReason ?? '', ...reasons]) checkBand(reason);
      }),
      { numRuns: 1_000, seed: SEED },
    );
  });

  it('names the fact that supports only the other side', () => {
    const passed = pricedAt(200, 0, 0.002, {
      yesQuote: quoteOf('yes-200', null, 0.002),
      noQuote: quoteOf('no-200', 0.998, 0.999),
    });
    const event = eventOf([passed, pricedAt(220, 1, 0.9)], { realCount: 225 });
    const { verdict } = signalsOf(event).find(({ bucketLabel }) => bucketLabel === '200-219')!;
    assert.equal(
      verdict.sentence,
      'No trade: the count is 230, already above 219, which supports only No (worth at least 99.5¢, costs 99.9¢)',
    );
  });

  it('says that the model does not support a trade that only the blend makes profitable', () => {
    const cheap = pricedAt(200, 0.3, 0.3, { noQuote: null });
    const wide = pricedAt(220, 0.7, 0.6, { noQuote: null, yesQuote: quoteOf('yes-220', 0.48, 0.72) });
    const event = eventOf([cheap, wide], { evidence: evidenceOf(0) });
    const { verdict } = signalsOf(event).find(({ bucketLabel }) => bucketLabel === '200-219')!;
    assert.equal(
      verdict.sentence,
      'No trade: the model does not support it (Yes costs 32.07¢; worth 35.53¢ blended, 30¢ by the model)',
    );
  });

  it('describes a sale in trader terms', () => {
    const noBook = { noQuote: null };
    const event = eventOf([pricedAt(240, 0.88, 0.93, noBook), pricedAt(260, 0.12, 0.09, noBook)]);
    const sale = signalsOf(event).find(({ verdict }) => verdict.kind === 'exit')!;
    assert.equal(
      sale.verdict.sentence,
      'Sell 240-259 if you hold it, at 92¢ or more: blended probability 88%',
    );
    assert.equal(sale.action, 'SELL');
  });
});

function signalsOf(event: PricedEvent): readonly BucketSignal[] {
  return buildAccountSignals([event], BANKROLL_USD, RULES)[0]!.signals;
}

function checkBand(reason: string): void {
  const found = /^inside the spread .*worth ([\d.]+)¢, costs ([\d.]+)¢(?:, sells for ([\d.]+)¢)?/.exec(
    reason,
  );
  if (!found) return;
  const [worth, cost, proceeds] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)];
  assert.ok(worth <= cost && worth >= proceeds, reason);
}

function checkGain(event: PricedEvent, signal: BucketSignal): void {
  const bucket = event.buckets.find(({ label }) => label === signal.bucketLabel)!;
  const { verdict, blendedProbability: belief } = signal;
  if (verdict.kind === 'buy-yes' || verdict.kind === 'buy-no') {
    const buy = verdict.kind === 'buy-yes' ? findYesBuy(bucket) : findNoBuy(bucket);
    assert.ok(buy.isExecutable);
    const worth = verdict.kind === 'buy-yes' ? belief : 1 - belief;
    assert.ok(worth > buy.price.netPrice - 1e-9, `${worth} at ${buy.price.netPrice}`);
    assert.ok(verdict.expectedGainUsd > 0 && verdict.gainPerUsd > 0 && verdict.shares > 0);
  }
  if (signal.action === 'SELL') {
    const sell = findYesSell(bucket);
    assert.ok(sell.isExecutable && belief < sell.price.netPrice);
  }
}
