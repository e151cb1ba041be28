// The registry: one row per rule under test. To change a rule, edit its row: the new hash starts a new trial.

import { DAY_MS, HOUR_MS, SECOND_MS } from '../../domain/units.ts';
import { blendLadder, fixWeight } from '../edges/blend.ts';
import { quoteNo, type RuleUnderTest } from './rule.ts';

const NO_BELOW_BLEND = {
  hourUtc: 0,
  modelWeight: 0.3,
  minGap: 0.02,
  minYesMid: 0.1,
  maxYesMid: 0.56,
  minWindowDays: 6,
  maxWindowDays: 8,
};
const BLEND_EVIDENCE = fixWeight(NO_BELOW_BLEND.modelWeight);

const noBelowBlend: RuleUnderTest = {
  name: 'no-below-blend',
  definition:
    'In the hour after 00:00 UTC, in events of 6 to 8 days: buy one No share of every open bucket that has a Yes ' +
    'midpoint of 10 to 56 cents and a blended Yes probability at least 2 cents below that midpoint. The blend gives ' +
    'the model a weight of 0.3 against the de-vigged market.',
  parameters: NO_BELOW_BLEND,
  // Estimated from 12 ladders: 42 events at a half-spread of 1 cent, 58 at 2 cents.
  eventsNeeded: 58,
  schedule: { daily: { hourUtc: NO_BELOW_BLEND.hourUtc } },
  findBets({ ts, startTs, endTs, buckets, model, mids }) {
    const days = (endTs - startTs) / DAY_MS;
    if (days < NO_BELOW_BLEND.minWindowDays || days > NO_BELOW_BLEND.maxWindowDays) return [];
    if (mids.every((mid) => mid === null)) return [];
    const blended = blendLadder(BLEND_EVIDENCE, model, mids, (endTs - ts) / HOUR_MS).probabilities;
    return buckets.flatMap((bucket, i) => {
      const mid = mids[i]!;
      if (!bucket.isOpen || mid === null) return [];
      const { minYesMid, maxYesMid, minGap } = NO_BELOW_BLEND;
      if (mid < minYesMid || mid > maxYesMid || mid - blended[i]! < minGap) return [];
      const quote = quoteNo(bucket, mid);
      return quote ? [{ bucketLabel: bucket.label, ...quote, said: 1 - blended[i]! }] : [];
    });
  },
};

/** Corrections and disputes: no fact about a count is more certain. */
const FACT_PROBABILITY = 0.995;
const MIN_FACT_GAIN = 0.01;

function factRule(name: string, delayS: number): RuleUnderTest {
  const delayMs = delayS * SECOND_MS;
  return {
    name,
    definition:
      `${delayS} seconds after the post that takes our count past a bucket: buy one No share of that bucket if it ` +
      'costs at least 1 cent less than 99.5 cents, fee included.',
    parameters: { delayS, said: FACT_PROBABILITY, minGain: MIN_FACT_GAIN },
    // Finds a gain of 2.5 cents if one fact in 200 is overturned.
    eventsNeeded: 50,
    schedule: { passed: { delayMs } },
    findBets: ({ buckets, mids, passedForMs }) =>
      buckets.flatMap((bucket, i) => {
        const passedFor = passedForMs[i] ?? null;
        if (passedFor === null || passedFor < delayMs) return [];
        const quote = quoteNo(bucket, mids[i] ?? 0);
        if (!quote || quote.price + quote.spreadCost > FACT_PROBABILITY - MIN_FACT_GAIN) return [];
        return [{ bucketLabel: bucket.label, ...quote, said: FACT_PROBABILITY }];
      }),
  };
}

export const RULES_UNDER_TEST: readonly RuleUnderTest[] = [
  noBelowBlend,
  factRule('fact-11.5-s', 11.5),
  factRule('fact-1-min', 60),
  factRule('fact-5-min', 300),
];
