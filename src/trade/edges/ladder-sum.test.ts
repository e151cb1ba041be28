import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bucketOf, eventOf, evidenceOf, quoteOf, RULES } from '../../../test/support/priced-event.ts';
import type { BucketRange } from '../../domain/market-event.ts';
import { percentile, shiftDistribution, trimDistribution } from '../../forecast/distribution/distribution.ts';
import { negativeBinomialPmf } from '../../forecast/distribution/negative-binomial.ts';
import { describePaidBuckets, settleDistribution } from '../../forecast/distribution/settlement-risk.ts';
import type { OracleState } from '../../forecast/types.ts';
import { createRandom } from '../../runtime/random.ts';
import { buildAccountSignals } from '../advice/signals.test-support.ts';
import type { BucketSignal, PricedBucket, PricedEvent } from '../types.ts';

const STATES = 10_000;
const CLOSE = 1e-6;

type Random = ReturnType<typeof createRandom>;

interface State {
  event: PricedEvent;
  settlementRisk: number;
  /** Whether the oracle's count is in the open top bucket, which it cannot leave. */
  isCertain: boolean;
}

describe('blended probabilities over random states', () => {
  const random = createRandom(65);
  const seen = { facts: 0, buys: 0, certain: 0, risky: 0 };

  it('sum to 1 and agree with the advice, and settlement risk is 0 where the result is certain', () => {
    for (let i = 0; i < STATES; i++) {
      const state = drawState(random);
      const { signals } = buildAccountSignals([state.event], 10_000, RULES)[0]!;
      const total = (pick: (signal: BucketSignal) => number) =>
        signals.reduce((sum, signal) => sum + pick(signal), 0);
      assert.ok(Math.abs(total(({ modelProbability }) => modelProbability) - 1) < CLOSE);
      assert.ok(Math.abs(total(({ blendedProbability }) => blendedProbability) - 1) < CLOSE, `state ${i}`);
      for (const signal of signals) checkAgreement(signal);
      if (state.isCertain) assert.equal(state.settlementRisk, 0);
      seen.facts += signals.filter(({ basis }) => basis.kind === 'fact').length;
      seen.buys += signals.filter(({ verdict }) => verdict.kind.startsWith('buy')).length;
      seen.certain += Number(state.isCertain);
      seen.risky += Number(state.settlementRisk > 0.01);
    }
    for (const [name, count] of Object.entries(seen)) assert.ok(count > STATES / 20, `${name} ${count}`);
  });
});

/** Advice may be more cautious than the distribution about a fact, and never claims more than it. */
function checkAgreement({ verdict, basis, blendedProbability: belief }: BucketSignal): void {
  const win = verdict.kind === 'buy-no' ? 1 - belief : belief;
  if (basis.kind === 'model') assert.ok(Math.abs(verdict.winProbability - win) < CLOSE);
  if (!verdict.kind.startsWith('buy') || verdict.edgeKind === 'structure') return;
  assert.ok(verdict.winProbability <= win + CLOSE);
  assert.ok(verdict.winProbabilityLow <= verdict.winProbability + CLOSE);
  assert.ok(win > verdict.costPerShare!, `${win} at ${verdict.costPerShare}`);
}

function drawState(random: Random): State {
  const ranges = drawRanges(random);
  const countSoFar = Math.floor(random.uniform() * 1.2 * ranges.at(-1)!.lo);
  const oracle = drawOracle(random, countSoFar);
  const coming = trimDistribution(0, negativeBinomialPmf(random.uniform() ** 2 * 80 + 0.01, 4));
  const distribution = settleDistribution(shiftDistribution(coming, countSoFar), countSoFar, oracle);
  const changeRate = [0, 0.03, 0.29, random.uniform()][Math.floor(random.uniform() * 4)]!;
  const mayFall = random.uniform() < 0.1;
  const p50 = percentile(distribution, 0.5);
  const paid = describePaidBuckets(distribution, ranges, p50, { countSoFar, oracle, changeRate, mayFall });
  const event = eventOf(
    ranges.map((range, i) => drawBucket(random, range, paid.bucketProbabilities[i]!)),
    {
      ...{ p50, changeRate, realCount: countSoFar, oracleCount: oracle.count },
      secondsRemaining: Math.floor(random.uniform() ** 3 * 600_000),
      modelSd: random.uniform() * 0.05,
      evidence: evidenceOf(random.uniform(), random.uniform()),
    },
  );
  const isCertain = !mayFall && (oracle.count ?? 0) >= ranges.at(-1)!.lo;
  return { event, settlementRisk: paid.settlementRisk, isCertain };
}

function drawRanges(random: Random): BucketRange[] {
  const width = 1 + Math.floor(random.uniform() * 40);
  const size = 2 + Math.floor(random.uniform() * 6);
  return Array.from({ length: size }, (_, i) => ({
    lo: i * width,
    hi: i === size - 1 ? null : (i + 1) * width - 1,
  }));
}

function drawOracle(random: Random, countSoFar: number): OracleState {
  const behind = Math.floor(random.uniform() ** 4 * 12);
  const count = random.uniform() < 0.05 ? null : Math.max(0, countSoFar + 1 - behind);
  return { count, deletedSinceLastCatchUp: Math.floor(random.uniform() ** 6 * 4) };
}

/** Prices err by up to 10 cents around the model's; some buckets have no book or are closed. */
function drawBucket(random: Random, { lo, hi }: BucketRange, p: number): PricedBucket {
  const mid = Math.min(0.98, Math.max(0.02, p + (random.uniform() - 0.5) * 0.2));
  const cents = (value: number) => Math.round(value * 100) / 100;
  const isUnpriced = random.uniform() < 0.05;
  return bucketOf(lo, p, {
    ...{ hi, label: `${lo}-${hi ?? ''}`, isOpen: random.uniform() > 0.05 },
    marketPrice: isUnpriced ? null : cents(mid),
    yesQuote: isUnpriced ? null : quoteOf(`yes-${lo}`, cents(mid - 0.01), cents(mid + 0.01), 1e6),
    noQuote: isUnpriced ? null : quoteOf(`no-${lo}`, cents(0.99 - mid), cents(1.01 - mid), 1e6),
  });
}
