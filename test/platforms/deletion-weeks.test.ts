// Weeks with a fifth of the posts deleted: counts under both rules at every hour, and forecasts under both
// rules over a hundred weekly and daily windows.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT_B } from '../../lab/simulator/account-parameters.ts';
import { createSimulatorState, type SimulatorState } from '../../lab/simulator/simulator-state.ts';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { countsFor } from '../../src/domain/contract-count.ts';
import { MAIN_FEED_RULE } from '../../src/domain/counting-rule.ts';
import type { CapturedPost } from '../../src/domain/post.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { foreseeDeletions, learnDeletions } from '../../src/forecast/distribution/deletions.ts';
import { cdf } from '../../src/forecast/distribution/distribution.ts';
import { createForecaster } from '../../src/forecast/forecaster.ts';
import { getAccountParameters } from '../../src/forecast/parameters.ts';
import { createManualClock } from '../../src/runtime/clock.ts';

const ANCHOR_TS = Date.UTC(2026, 0, 5);
const DELETE_SHARE = 0.2;
const STRICT = {
  venue: 'kalshi',
  settlementSource: 'rollcall',
  countingRule: { ...MAIN_FEED_RULE, deletedPosts: false },
};

function open(days: number): SimulatorState {
  const clock = createManualClock(ANCHOR_TS + days * DAY_MS);
  const accounts = [{ ...ACCOUNT_B, deleteShare: DELETE_SHARE }];
  const state = createSimulatorState({ seed: 5, anchorTs: ANCHOR_TS, clock, accounts });
  state.now();
  return state;
}

/** What a reader has captured by a time: deletions are known once they have happened. */
function capturedBy(state: SimulatorState, fromTs: number, asofTs: number): CapturedPost[] {
  const { ledger } = state.accounts[0]!;
  return ledger
    .range(fromTs, asofTs)
    .filter(({ isCounted }) => isCounted)
    .map((post) => {
      const deletedTs = ledger.deletedTsOf(post);
      return {
        accountId: 'b',
        postId: post.id,
        rootPostId: post.id,
        createdTs: post.createdTs,
        firstSeenTs: post.createdTs,
        deletedTs: deletedTs !== null && deletedTs <= asofTs ? deletedTs : null,
        text: null,
        isCounted: true,
        isReply: false,
        isQuote: post.kind === 'quote',
        isRetweet: post.kind === 'repost',
        isSelfReply: false,
        isCommunity: false,
      };
    });
}

describe('week with a fifth of the posts deleted', () => {
  it('is counted by each contract under its own rule at every hour', () => {
    const state = open(30);
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

describe('forecasts under both rules', () => {
  it('are calibrated over a hundred windows', () => {
    const windows = 100;
    const state = open(60 + windows * 2 + 10);
    const { ledger } = state.accounts[0]!;
    const pits: Record<'first' | 'strict', number[]> = { first: [], strict: [] };
    const all = capturedBy(state, ANCHOR_TS, ANCHOR_TS + 60 * DAY_MS);
    const history = {
      createdTs: Float64Array.from(all, ({ createdTs }) => createdTs),
      isCounted: new Uint8Array(all.length).fill(1),
    };
    const forecaster = createForecaster(history, getAccountParameters(profileOfLetter('b')), 1);
    let seenTs = ANCHOR_TS + 60 * DAY_MS;
    for (let i = 0; i < windows; i++) {
      const startTs = ANCHOR_TS + (60 + 2 * i) * DAY_MS;
      const endTs = startTs + 7 * DAY_MS;
      const asofTs = startTs + 2 * DAY_MS;
      for (const { createdTs } of ledger.range(seenTs, asofTs).filter((post) => post.isCounted))
        forecaster.observe(createdTs, true);
      seenTs = asofTs;
      const settleTs = endTs + 3 * HOUR_MS;
      const curve = learnDeletions(capturedBy(state, asofTs - 60 * DAY_MS, asofTs), asofTs);
      const standing = capturedBy(state, startTs, asofTs).filter(({ deletedTs }) => deletedTs === null);
      const standingTs = standing.map(({ createdTs }) => createdTs);
      const thinning = foreseeDeletions(curve, standingTs, asofTs, endTs, settleTs);
      const window = { startTs, endTs };
      const [first, strict] = forecaster.forecastAll([
        { window, asofTs, countSoFar: ledger.countIn(startTs, asofTs) },
        { window, asofTs, countSoFar: standingTs.length, thinning },
      ]);
      const final = ledger.countIn(startTs, endTs);
      const kept = ledger
        .range(startTs, endTs)
        .filter((post) => post.isCounted && (ledger.deletedTsOf(post) ?? Infinity) > settleTs).length;
      pits.first.push((cdf(first!.distribution, final - 1) + cdf(first!.distribution, final)) / 2);
      pits.strict.push((cdf(strict!.distribution, kept - 1) + cdf(strict!.distribution, kept)) / 2);
    }
    for (const [rule, values] of Object.entries(pits)) {
      const mean = values.reduce((sum, pit) => sum + pit, 0) / windows;
      const inside = values.filter((pit) => pit > 0.05 && pit < 0.95).length / windows;
      console.log(`${rule}: mean PIT ${mean.toFixed(3)}, 90 % range holds ${inside.toFixed(2)}`);
      // Windows overlap: about thirty independent ones, so chance alone moves the mean by 0.05.
      assert.ok(Math.abs(mean - 0.5) < 0.15, `${rule}: ${mean}`);
      assert.ok(inside > 0.78, `${rule}: ${inside}`);
    }
  });
});
