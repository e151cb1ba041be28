// Every rule, one row each. A rule that is changed is a new rule: give it a new name, and name the data it was
// chosen on.

import { FIRST_VENUE } from '../../domain/contract.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { blendLadder, fixWeight } from '../edges/blend.ts';
import { quoteNo, type Rule } from './rule.ts';

const NO_BELOW_BLEND = { minGap: 0.02, minYesMid: 0.1, maxYesMid: 0.56, minWindowDays: 6, maxWindowDays: 8 };
const BLEND_EVIDENCE = fixWeight(0.3);

const noBelowBlend: Rule = {
  name: 'no-below-blend',
  definition:
    'In the hour after 00:00 UTC, in events of 6 to 8 days: buy one No share of every open bucket that has a Yes ' +
    'midpoint of 10 to 56 cents and a blended Yes probability at least 2 cents below that midpoint. The blend gives ' +
    'the model a weight of 0.3 against the de-vigged market.',
  // The best of nine variants tried on 12 ladders.
  chosenOn: [
    {
      ...{ accountId: 'a', venue: FIRST_VENUE },
      ...{ fromTs: Date.UTC(2025, 10, 7), untilTs: Date.UTC(2025, 11, 26, 17) },
    },
  ],
  hourUtc: 0,
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

export const RULES: readonly Rule[] = [noBelowBlend];
