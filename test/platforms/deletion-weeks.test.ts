// Forecasts simulated weeks in which a fifth of the posts are deleted, under both counting rules.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT_B } from '../../simulator/account-parameters.ts';
import { createSimulatorState, type SimulatorState } from '../../simulator/simulator-state.ts';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import type { CapturedPost } from '../../src/domain/post.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { foreseeDeletions, learnDeletions } from '../../src/forecast/distribution/deletions.ts';
import { cdf } from '../../src/forecast/distribution/distribution.ts';
import { createForecaster, type Forecaster } from '../../src/forecast/forecaster.ts';
import { getAccountParameters } from '../../src/forecast/parameters.ts';
import type { CountDistribution } from '../../src/forecast/types.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { samplePost } from '../store/samples.ts';

const ANCHOR_TS = Date.UTC(2026, 0, 5);
const DELETE_SHARE = 0.2;
const LEARNED_DAYS = 60;
const WEEK_DAYS = 7;
const SETTLED_AFTER_MS = 3 * HOUR_MS;

describe('forecasts under both counting rules', () => {
  it('are calibrated over a hundred windows', () => {
    for (const [rule, pits] of Object.entries(measureRulePits(100, 2))) {
      const mean = pits.reduce((sum, pit) => sum + pit, 0) / pits.length;
      const inside = pits.filter((pit) => pit > 0.05 && pit < 0.95).length / pits.length;
      // Windows overlap, so only about thirty are independent, and chance alone moves the mean by 0.05.
      assert.ok(Math.abs(mean - 0.5) < 0.15, `${rule}: ${mean}`);
      assert.ok(inside > 0.78, `${rule}: ${inside}`);
    }
  });
});

function openDeletingAccount(days: number): SimulatorState {
  const clock = createManualClock(ANCHOR_TS + days * DAY_MS);
  const accounts = [{ ...ACCOUNT_B, deleteShare: DELETE_SHARE }];
  const state = createSimulatorState({ seed: 5, anchorTs: ANCHOR_TS, clock, accounts });
  state.now();
  return state;
}

/** Posts captured by a given time; a deletion is known once it has happened. */
function capturedBy(state: SimulatorState, fromTs: number, asofTs: number): CapturedPost[] {
  const { ledger } = state.accounts[0]!;
  return ledger
    .range(fromTs, asofTs)
    .filter(({ isCounted }) => isCounted)
    .map((post) => {
      const deletedTs = ledger.deletedTsOf(post);
      return samplePost({
        ...{ accountId: 'b', postId: post.id, createdTs: post.createdTs, firstSeenTs: post.createdTs },
        deletedTs: deletedTs !== null && deletedTs <= asofTs ? deletedTs : null,
        ...{ isQuote: post.kind === 'quote', isRetweet: post.kind === 'repost' },
      });
    });
}

type RulePits = {
  /** `first` counts every captured post; `strict` excludes deleted posts. */
  first: number[];
  strict: number[];
};

/** One week every `stepDays`, forecast two days after its start. */
function measureRulePits(weeks: number, stepDays: number): RulePits {
  const state = openDeletingAccount(LEARNED_DAYS + weeks * stepDays + WEEK_DAYS + 3);
  const forecaster = openForecaster(state);
  const pits: RulePits = { first: [], strict: [] };
  let seenTs = ANCHOR_TS + LEARNED_DAYS * DAY_MS;
  for (let i = 0; i < weeks; i++) {
    const startTs = ANCHOR_TS + (LEARNED_DAYS + stepDays * i) * DAY_MS;
    const asofTs = startTs + 2 * DAY_MS;
    const posts = state.accounts[0]!.ledger.range(seenTs, asofTs);
    for (const { createdTs } of posts.filter((post) => post.isCounted)) forecaster.observe(createdTs, true);
    seenTs = asofTs;
    const { first, strict } = forecastWeek(state, forecaster, startTs, asofTs);
    pits.first.push(first);
    pits.strict.push(strict);
  }
  return pits;
}

function openForecaster(state: SimulatorState): Forecaster {
  const known = capturedBy(state, ANCHOR_TS, ANCHOR_TS + LEARNED_DAYS * DAY_MS);
  const history = {
    createdTs: Float64Array.from(known, ({ createdTs }) => createdTs),
    isCounted: new Uint8Array(known.length).fill(1),
  };
  return createForecaster(history, getAccountParameters(profileOfLetter('b')), 1);
}

function forecastWeek(state: SimulatorState, forecaster: Forecaster, startTs: number, asofTs: number) {
  const { ledger } = state.accounts[0]!;
  const endTs = startTs + WEEK_DAYS * DAY_MS;
  const settleTs = endTs + SETTLED_AFTER_MS;
  const curve = learnDeletions(capturedBy(state, asofTs - LEARNED_DAYS * DAY_MS, asofTs), asofTs);
  const standingTs = capturedBy(state, startTs, asofTs)
    .filter(({ deletedTs }) => deletedTs === null)
    .map(({ createdTs }) => createdTs);
  const thinning = foreseeDeletions(curve, standingTs, asofTs, endTs, settleTs);
  const window = { startTs, endTs };
  const [first, strict] = forecaster.forecastAll([
    { window, asofTs, countSoFar: ledger.countIn(startTs, asofTs) },
    { window, asofTs, countSoFar: standingTs.length, thinning },
  ]);
  const kept = ledger
    .range(startTs, endTs)
    .filter((post) => post.isCounted && (ledger.deletedTsOf(post) ?? Number.POSITIVE_INFINITY) > settleTs);
  return {
    first: placeOf(first!.distribution, ledger.countIn(startTs, endTs)),
    strict: placeOf(strict!.distribution, kept.length),
  };
}

/** PIT value: the middle of the CDF step at the result. */
function placeOf(distribution: CountDistribution, result: number): number {
  return (cdf(distribution, result - 1) + cdf(distribution, result)) / 2;
}
