import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { profileOfLetter } from '../domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import { createRandom } from '../runtime/random.ts';
import { createForecaster } from './forecaster.ts';
import { getAccountParameters } from './parameters.ts';
import type { PostHistory } from './types.ts';

const START_TS = Date.UTC(2025, 0, 6, 17);

/** An account that posts a steady 30 times a day, half of them replies, and sleeps from 4 to 10 UTC. */
function steadyHistory(days: number, seed = 1): PostHistory {
  const random = createRandom(seed);
  const times: number[] = [];
  for (let h = 0; h < days * 24; h++) {
    const hourTs = START_TS + h * HOUR_MS;
    const utcHour = Math.floor(hourTs / HOUR_MS) % 24;
    if (utcHour >= 4 && utcHour < 10) continue;
    const level = Math.exp(0.3 * Math.sin(Math.floor(h / 24) * 1.7));
    for (let k = 0; k < 6; k++) {
      if (random.uniform() < (level * 60) / 18 / 6)
        times.push(hourTs + Math.floor(random.uniform() * HOUR_MS));
    }
  }
  times.sort((a, b) => a - b);
  return {
    createdTs: Float64Array.from(times),
    isCounted: Uint8Array.from(times, (ts) => Math.floor(ts) & 1),
  };
}

function upTo(history: PostHistory, ts: number): PostHistory {
  const n = history.createdTs.filter((t) => t <= ts).length;
  return { createdTs: history.createdTs.slice(0, n), isCounted: history.isCounted.slice(0, n) };
}

const history = steadyHistory(120);
const asofTs = START_TS + 110 * DAY_MS + 5 * HOUR_MS;
const window = { startTs: START_TS + 107 * DAY_MS, endTs: START_TS + 114 * DAY_MS };
const parameters = getAccountParameters(profileOfLetter('a'));
const request = { window, asofTs, countSoFar: 100 };

describe('forecaster', () => {
  const whole = createForecaster(upTo(history, asofTs), parameters, 7);

  it('returns the same forecast whether posts arrive one by one or all at once', () => {
    const early = upTo(history, START_TS + 90 * DAY_MS);
    const grown = createForecaster(early, parameters, 7);
    grown.forecast({ ...request, asofTs: START_TS + 90 * DAY_MS });
    const { createdTs, isCounted } = upTo(history, asofTs);
    for (let i = early.createdTs.length; i < createdTs.length; i++) {
      grown.observe(createdTs[i]!, isCounted[i] === 1);
      if (i % 50 === 0) grown.forecast({ ...request, asofTs: createdTs[i]! });
    }
    assert.deepEqual(grown.forecast(request), whole.forecast(request));
  });

  it('returns the same forecast if a post arrives late and out of order', () => {
    const { createdTs, isCounted } = upTo(history, asofTs);
    const late = createdTs.length - 40;
    const without = {
      createdTs: createdTs.filter((_, i) => i !== late),
      isCounted: isCounted.filter((_, i) => i !== late),
    };
    const patched = createForecaster(without, parameters, 7);
    patched.forecast(request);
    patched.observe(createdTs[late]!, isCounted[late] === 1);
    assert.deepEqual(patched.forecast(request), whole.forecast(request));
  });

  it('does not change without new data', () => {
    assert.deepEqual(whole.forecast(request), whole.forecast(request));
    const later = whole.forecast({ ...request, asofTs: asofTs + 60_000 });
    assert.ok(Math.abs(later.p50 - whole.forecast(request).p50) <= 1);
  });

  it('forecasts a sensible range for a steady account', () => {
    const { p5, p50, p95, distribution } = whole.forecast(request);
    assert.ok(p5 < p50 && p50 < p95);
    assert.ok(p50 > 160 && p50 < 250, `p50 ${p50}`);
    assert.ok(distribution.from >= 100);
    assert.ok(Math.abs(distribution.pmf.reduce((sum, p) => sum + p, 0) - 1) < 1e-9);
  });

  it('returns the final count once the window has ended', () => {
    const { distribution, p5, p95 } = whole.forecast({ window, asofTs: window.endTs, countSoFar: 217 });
    assert.deepEqual([distribution.from, distribution.pmf.length, p5, p95], [217, 1, 217, 217]);
  });

  it('starts at a count of zero for a window that has not begun', () => {
    const coming = { startTs: asofTs + 3 * DAY_MS, endTs: asofTs + 5 * DAY_MS };
    const { p50 } = whole.forecast({ window: coming, asofTs, countSoFar: 0 });
    assert.ok(p50 > 40 && p50 < 85, `p50 ${p50}`);
  });

  it('forecasts an account with no history or only a few hours of it', () => {
    const empty = createForecaster(
      { createdTs: new Float64Array(), isCounted: new Uint8Array() },
      parameters,
      7,
    );
    const first = empty.forecast({ ...request, countSoFar: 0 });
    assert.ok(first.p95 > first.p5);
    empty.observe(asofTs - HOUR_MS, true);
    assert.ok(empty.forecast({ ...request, countSoFar: 1 }).distribution.from >= 1);
    assert.ok(empty.activity(asofTs).sleepProbability > 0);
  });

  it('measures velocity over the last hour and infers sleep after long silence', () => {
    const nightTs = START_TS + 111 * DAY_MS + 16 * HOUR_MS;
    const night = createForecaster(upTo(history, nightTs), parameters, 7);
    const activity = night.activity(nightTs);
    assert.equal(activity.velocityAll1h, 0);
    assert.ok(activity.sleepProbability > 0.8, `asleep ${activity.sleepProbability}`);
    const lastTs = whole.timeline.all.at(whole.timeline.all.countUpTo(asofTs) - 1);
    const awake = whole.activity(lastTs);
    assert.ok(awake.velocityAll1h >= awake.velocityCounted1h && awake.velocityAll1h >= 1);
    assert.ok(awake.sleepProbability < 0.1);
  });

  it('simulates overlapping windows on common futures without changing their distributions', () => {
    const longer = { startTs: window.startTs, endTs: window.endTs + 2 * DAY_MS };
    const requests = [request, { ...request, window: longer }];
    const [a, b] = whole.simulateJointFinals(requests, 2000);
    const seenUntilTs = request.asofTs - DAY_MS / 8;
    for (const asked of [requests, requests.map((one) => ({ ...one, seenUntilTs }))]) {
      const made = asked.map((one) => whole.forecast(one));
      const anew = whole.simulateJointFinals(asked, 200);
      assert.deepEqual(whole.simulateJointFinals(asked, 200, made), anew);
    }
    const sorted = Int32Array.from(a!).sort();
    const { p5, p50, p95 } = whole.forecast(request);
    assert.ok(Math.abs(sorted[1000]! - p50) <= 1);
    assert.ok(Math.abs(sorted[100]! - p5) <= 1 && Math.abs(sorted[1900]! - p95) <= 1);
    assert.ok(correlation(a!, b!) > 0.7);
  });
});

function correlation(a: Int32Array, b: Int32Array): number {
  const mean = (x: Int32Array) => x.reduce((sum, v) => sum + v, 0) / x.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += (a[i]! - ma) * (b[i]! - mb);
    aa += (a[i]! - ma) ** 2;
    bb += (b[i]! - mb) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}
