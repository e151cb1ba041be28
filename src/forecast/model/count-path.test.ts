import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { profileOfLetter } from '../../domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { createForecaster } from '../forecaster.ts';
import { getAccountParameters } from '../parameters.ts';
import type { CountPath } from '../types.ts';
import {
  binomialQuantile,
  cutPathTimes,
  drawPathUniforms,
  MAX_POINTS,
  summarisePaths,
} from './count-path.ts';

const START_TS = Date.UTC(2025, 0, 6, 17);
const parameters = getAccountParameters(profileOfLetter('a'));

/** An account that posts about twice an hour and sleeps from 4 to 12 UTC. */
function nightlyHistory(days: number) {
  const random = createRandom(5);
  const times: number[] = [];
  for (let h = 0; h < days * 24; h++) {
    const ts = START_TS + h * HOUR_MS;
    const hour = new Date(ts).getUTCHours();
    if (hour >= 4 && hour < 12) continue;
    const posts = Math.floor(random.uniform() * 5);
    for (let k = 0; k < posts; k++) times.push(ts + Math.floor(random.uniform() * HOUR_MS));
  }
  times.sort((a, b) => a - b);
  return { createdTs: Float64Array.from(times), isCounted: new Uint8Array(times.length).fill(1) };
}

function assertPath(path: CountPath, ends: { p5: number; p50: number; p95: number }): void {
  assert.deepEqual([path.p5.at(-1), path.p50.at(-1), path.p95.at(-1)], [ends.p5, ends.p50, ends.p95]);
  assert.ok(path.ts.length <= MAX_POINTS);
  for (const values of [path.ts, path.p5, path.p50, path.p95]) {
    assert.equal(values.length, path.ts.length);
    assert.ok(values.every((value, i) => i === 0 || value >= values[i - 1]!));
  }
  path.p50.forEach((middle, i) => {
    assert.ok(path.p5[i]! <= middle && middle <= path.p95[i]!);
  });
}

describe('count path', () => {
  const asofTs = START_TS + 40 * DAY_MS + 1234;
  const forecaster = createForecaster(nightlyHistory(40), parameters, 7);
  const ask = (hours: number, countSoFar = 30) => ({
    window: { startTs: START_TS + 38 * DAY_MS, endTs: START_TS + 40 * DAY_MS + hours * HOUR_MS },
    asofTs,
    countSoFar,
  });

  it('ends exactly at the published percentiles and never decreases, at any lead', () => {
    for (const hours of [0.5, 1, 7, 24, 48, 120, 168, 720]) {
      const forecast = forecaster.forecast(ask(hours));
      assertPath(forecaster.followPath(ask(hours), forecast)!, forecast);
    }
  });

  it('starts at the count and is flat while the account sleeps', () => {
    const path = forecaster.followPath(ask(48), forecaster.forecast(ask(48)))!;
    assert.deepEqual([path.p5[0], path.p50[0], path.p95[0]], [30, 30, 30]);
    const at = (day: number, hour: number) => path.p50[path.ts.indexOf(Date.UTC(2025, 1, 15 + day, hour))]!;
    assert.ok(at(1, 11) - at(1, 5) <= 3, `night ${at(1, 5)} to ${at(1, 11)}`);
    assert.ok(at(1, 3) - at(0, 21) >= 8, `evening ${at(0, 21)} to ${at(1, 3)}`);
  });

  it('is deterministic', () => {
    const forecast = forecaster.forecast(ask(30));
    assert.deepEqual(forecaster.followPath(ask(30), forecast), forecaster.followPath(ask(30), forecast));
  });

  it("starts wide when posts are stale, and at the oracle's count if that is ahead", () => {
    const dark = { ...ask(48), seenUntilTs: asofTs - 6 * HOUR_MS };
    const blind = forecaster.followPath(dark, forecaster.forecast(dark))!;
    assert.ok(blind.p95[0]! > blind.p5[0]!);
    const ahead = { ...ask(48), oracle: { count: 37, deletedSinceLastCatchUp: 0 } };
    const path = forecaster.followPath(ahead, forecaster.forecast(ahead))!;
    assertPath(path, forecaster.forecast(ahead));
    assert.equal(path.p5[0], 37);
  });

  it('ends with the window, and exists even for an unknown account', () => {
    const over = { ...ask(-1), asofTs };
    assert.equal(forecaster.followPath(over, forecaster.forecast(over)), null);
    const empty = { createdTs: new Float64Array(), isCounted: new Uint8Array() };
    const stranger = createForecaster(empty, parameters, 7);
    const forecast = stranger.forecast(ask(48, 0));
    assertPath(stranger.followPath(ask(48, 0), forecast)!, forecast);
  });

  it('is valid for any finals and any spread over time', () => {
    const uniforms = drawPathUniforms(3, 8);
    const finals = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 8, maxLength: 8 });
    const steps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 40, maxLength: 40 });
    const ends = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(finals, steps, ends, fc.nat(1500), (last, raw, bounds, countSoFar) => {
        const [p5, p50, p95] = bounds.sort((a, b) => a - b) as [number, number, number];
        const shares = Float64Array.from({ length: 40 }, (_, i) => raw[i]!);
        for (let p = 0; p < 8; p++) shares.subarray(p * 5, p * 5 + 5).sort();
        const times = [1, 2, 3, 4, 5];
        const inputs = { times, shares, finals: Int32Array.from(last), countSoFar, uniforms };
        assertPath(summarisePaths({ ...inputs, ends: { p5, p50, p95 } }), { p5, p50, p95 });
      }),
    );
  });
});

describe('path times', () => {
  it('run from now to the end in whole hours, with at most sixty points', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), fc.nat(2 ** 32), (nowTs, leadMs) => {
        const times = cutPathTimes(nowTs, nowTs + leadMs);
        if (leadMs === 0) return assert.deepEqual(times, []);
        assert.ok(times.length <= MAX_POINTS && times[0] === nowTs && times.at(-1) === nowTs + leadMs);
        assert.ok(times.every((ts, i) => i === 0 || ts > times[i - 1]!));
      }),
    );
  });
});

describe('binomial quantile', () => {
  it('stays in range, increases with u and has the right mean', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.double({ min: 0, max: 1, noNaN: true }), (n, p) => {
        const us = Array.from({ length: 200 }, (_, i) => (i + 0.5) / 200);
        const drawn = us.map((u) => binomialQuantile(n, p, u));
        assert.ok(drawn.every((k, i) => k >= 0 && k <= n && (i === 0 || k >= drawn[i - 1]!)));
        const mean = drawn.reduce((sum, k) => sum + k, 0) / 200;
        assert.ok(Math.abs(mean - n * p) < 0.15 + 0.05 * Math.sqrt(n * p * (1 - p)), `${mean} of ${n * p}`);
      }),
    );
  });
});
