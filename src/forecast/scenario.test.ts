import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { profileOfLetter } from '../domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import { createRandom } from '../runtime/random.ts';
import { createForecaster } from './forecaster.ts';
import { getAccountParameters } from './parameters.ts';
import { bridgeGap, imagine, isNeutral } from './scenario.ts';

const START = Date.UTC(2026, 0, 1);
const NOW = START + 60 * DAY_MS;
const GAP_MS = 6 * HOUR_MS;
const WINDOW = { startTs: NOW - 3 * DAY_MS, endTs: NOW + 4 * DAY_MS };
const neutral = { paceFactor: 1, wakeTs: null, postsAdded: 0 };

/** About forty posts a day for sixty days. */
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
const forecaster = forecasterOf(all);
const requestOf = (hoursLeft: number) => ({
  window: { startTs: NOW - 3 * DAY_MS, endTs: NOW + hoursLeft * HOUR_MS },
  asofTs: NOW,
  countSoFar: 70,
  oracle: { count: 69, deletedSinceLastCatchUp: 0 },
});
const anyHours = fc.integer({ min: 1, max: 120 });
const meanOf = ({ distribution }: ReturnType<typeof forecaster.forecast>) =>
  distribution.pmf.reduce((sum, p, i) => sum + p * (distribution.from + i), 0);

describe('scenario', () => {
  it('equals the forecast exactly if nothing is assumed', () => {
    fc.assert(
      fc.property(anyHours, fc.integer({ min: 0, max: 1e9 }), (hours, agoMs) => {
        const request = requestOf(hours);
        const scenario = { ...neutral, wakeTs: NOW - agoMs };
        assert.ok(isNeutral(scenario, NOW));
        assert.deepEqual(forecaster.forecast(imagine(request, scenario)), forecaster.forecast(request));
      }),
      { numRuns: 25 },
    );
  });

  it('multiplies the remaining count by the pace', () => {
    fc.assert(
      fc.property(anyHours, fc.double({ min: 0.1, max: 10, noNaN: true }), (hours, paceFactor) => {
        const request = requestOf(hours);
        const reported = meanOf(forecaster.forecast(imagine(request, { ...neutral, paceFactor })));
        const base = meanOf(forecaster.forecast(imagine(request, { ...neutral, paceFactor: 0.1 })));
        if (paceFactor > 0.1) assert.ok(reported >= base - 1e-6);
      }),
      { numRuns: 25 },
    );
    const distribution = (paceFactor: number) =>
      meanOf(forecaster.forecast({ ...requestOf(96), oracle: undefined, countSoFar: 0, paceFactor }));
    assert.ok(Math.abs(distribution(2) / distribution(1) - 2) < 0.02, `${distribution(2) / distribution(1)}`);
  });

  it('expects fewer posts the longer the silence, and none if it lasts to the end', () => {
    const request = requestOf(48);
    const after = (hours: number) =>
      forecaster.forecast(imagine(request, { ...neutral, wakeTs: NOW + hours * HOUR_MS }));
    const means = [0, 6, 12, 24, 36, 47, 48, 60].map((hours) => meanOf(after(hours)));
    for (let i = 1; i < means.length; i++) assert.ok(means[i]! <= means[i - 1]! + 1e-9, String(means));
    const { p5, p50, p95 } = after(48);
    assert.deepEqual([p5, p50, p95], [70, 70, 70]);
    assert.deepEqual(after(60), after(48));
  });

  it('adds assumed posts to the count', () => {
    const request = { ...requestOf(30), oracle: undefined };
    const { distribution, ...base } = forecaster.forecast(request);
    const more = forecaster.forecast(imagine(request, { ...neutral, postsAdded: 5 }));
    assert.deepEqual([more.p5, more.p50, more.p95], [base.p5 + 5, base.p50 + 5, base.p95 + 5]);
    assert.deepEqual(more.distribution, { ...distribution, from: distribution.from + 5 });
  });
});

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
    assert.deepEqual(repaired.forecast(whole), forecaster.forecast(whole));
  });

  it('leaves a request without an outage unchanged', () => {
    const asked = { window: WINDOW, asofTs: NOW, countSoFar: 5 };
    assert.equal(bridgeGap(asked), asked);
  });
});
