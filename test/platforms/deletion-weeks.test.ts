// Weeks in which a fifth of the posts are deleted: hourly counts and forecasts over a hundred windows, under both
// counting rules.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countsFor } from '../../src/domain/contract.ts';
import { MAIN_FEED_RULE } from '../../src/domain/counting-rule.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { ANCHOR_TS, capturedBy, measureRulePits, openDeletingAccount, summarisePits } from './rule-pits.ts';

const STRICT = {
  venue: 'kalshi',
  settlementSource: 'rollcall',
  countingRule: { ...MAIN_FEED_RULE, deletedPosts: false },
};

describe('a week in which a fifth of the posts are deleted', () => {
  it("is counted correctly under each contract's rule at every hour", () => {
    const state = openDeletingAccount(30);
    const { ledger } = state.accounts[0]!;
    const startTs = ANCHOR_TS + 14 * DAY_MS;
    let deleted = 0;
    for (let asofTs = startTs + HOUR_MS; asofTs <= startTs + 7 * DAY_MS; asofTs += HOUR_MS) {
      const posts = capturedBy(state, startTs, asofTs);
      const under = (terms?: typeof STRICT) =>
        posts.filter((post) => countsFor(terms ? { terms } : {}, post)).length;
      const all = ledger.countIn(startTs, asofTs);
      const standing = ledger
        .range(startTs, asofTs)
        .filter((post) => post.isCounted && (ledger.deletedTsOf(post) ?? Infinity) > asofTs).length;
      assert.deepEqual([under(), under(STRICT)], [all, standing]);
      deleted = all - standing;
    }
    assert.ok(deleted > 10, `${deleted} deletions`);
  });
});

describe('forecasts under both counting rules', () => {
  it('are calibrated over a hundred windows', () => {
    for (const [rule, pits] of Object.entries(measureRulePits(100, 2))) {
      const { mean, inside } = summarisePits(pits);
      // Windows overlap, so only about thirty are independent, and chance alone moves the mean by 0.05.
      assert.ok(Math.abs(mean - 0.5) < 0.15, `${rule}: ${mean}`);
      assert.ok(inside > 0.78, `${rule}: ${inside}`);
    }
  });
});
