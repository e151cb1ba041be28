import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { profileOfLetter } from '../../domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { createForecaster } from '../forecaster.ts';
import { getAccountParameters } from '../parameters.ts';
import { bridgeGap } from './gap.ts';

const START = Date.UTC(2026, 0, 1);
const NOW = START + 60 * DAY_MS;
const GAP_MS = 6 * HOUR_MS;
const WINDOW = { startTs: NOW - 3 * DAY_MS, endTs: NOW + 4 * DAY_MS };

/** About forty posts a day. */
function postTimes(): number[] {
  const { uniform } = createRandom(5);
  return Array.from({ length: 2_400 }, () => START + uniform() * (NOW - START)).sort((a, b) => a - b);
}

function forecasterOf(times: readonly number[]) {
  const history = { createdTs: Float64Array.from(times), isCounted: new Uint8Array(times.length).fill(1) };
  return createForecaster(history, getAccountParameters(profileOfLetter('a')), 1);
}

const all = postTimes();
const seen = all.filter((ts) => ts <= NOW - GAP_MS);
const countIn = (times: readonly number[]) => times.filter((ts) => ts >= WINDOW.startTs).length;

describe('forecasting through an outage', () => {
  it('uses the distribution as of the last visible post instead of assuming silence', () => {
    const asked = { window: WINDOW, asofTs: NOW, countSoFar: countIn(seen) };
    const blind = forecasterOf(seen).forecast({ ...asked, seenUntilTs: NOW - GAP_MS });
    const before = forecasterOf(seen).forecast({ ...asked, asofTs: NOW - GAP_MS });
    assert.deepEqual(blind.distribution, before.distribution);
    assert.equal(blind.asofTs, NOW);
    const assumedSilent = forecasterOf(seen).forecast(asked);
    assert.ok(
      assumedSilent.p50 < blind.p50,
      `${assumedSilent.p50} if treated as silence, ${blind.p50} as of the last visible post`,
    );
  });

  it('starts from a newer oracle count if there is one, with a narrower range', () => {
    const asked = { window: WINDOW, asofTs: NOW, countSoFar: countIn(seen), seenUntilTs: NOW - GAP_MS };
    const oracle = { count: countIn(all), deletedSinceLastCatchUp: 0, asofTs: NOW };
    const reported = forecasterOf(seen).forecast({ ...asked, oracle });
    const withoutOracle = forecasterOf(seen).forecast(asked);
    assert.ok(reported.distribution.from >= countIn(all) - 3);
    assert.ok(reported.p95 - reported.p5 <= withoutOracle.p95 - withoutOracle.p5);
  });

  it('ignores an oracle count that is just as old', () => {
    const asked = { window: WINDOW, asofTs: NOW, countSoFar: 100, seenUntilTs: NOW - GAP_MS };
    const oracle = { count: 100, deletedSinceLastCatchUp: 0, asofTs: NOW - GAP_MS };
    assert.equal(bridgeGap({ ...asked, oracle }).asofTs, NOW - GAP_MS);
    assert.deepEqual(bridgeGap({ ...asked, oracle }).window, WINDOW);
  });

  it('matches the full-history forecast once the missed posts have been read', () => {
    const repaired = forecasterOf(seen);
    const asked = { window: WINDOW, asofTs: NOW };
    repaired.forecast({ ...asked, countSoFar: countIn(seen), seenUntilTs: NOW - GAP_MS });
    for (const ts of all.filter((time) => time > NOW - GAP_MS)) repaired.observe(ts, true);
    const whole = { ...asked, countSoFar: countIn(all) };
    assert.deepEqual(repaired.forecast(whole), forecasterOf(all).forecast(whole));
  });

  it('leaves a request without an outage unchanged', () => {
    const asked = { window: WINDOW, asofTs: NOW, countSoFar: 5 };
    assert.equal(bridgeGap(asked), asked);
  });
});
