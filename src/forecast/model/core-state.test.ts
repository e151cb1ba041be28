import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distributionMean, distributionVariance } from '../distribution/distribution.test-support.ts';
import { percentile } from '../distribution/distribution.ts';
import { fitCore } from './core-fit.ts';
import {
  type CoreState,
  exactMoments,
  filterCore,
  findMode,
  initialCore,
  PRIOR_PARAMETERS,
} from './core-state.ts';
import { createRatePaths } from './rate-paths.ts';
import { drawCommonNormals, mixLoads, shareCommonNormals } from './state-simulation.ts';

const parameters = { ...PRIOR_PARAMETERS, levelStepSd: 0, unrest: 0 };
const state: CoreState = {
  mean: [0.1, -0.2, 3.6],
  cov: [0.03, -0.01, 0, 0.05, -0.005, 0.01],
  spread: 1,
};
const exposures = new Float64Array([1, 1.1, 0.9, 0.5]);
const shares = new Float64Array([1, 1, 1, 1]);
const drawLoads = (seed: number, paths: number, from = state, of = parameters) =>
  createRatePaths(drawCommonNormals(seed, paths, 4)).loads(from, of, { exposures, shares });
const noiseSds = shares.map(() => parameters.daySd);

describe('common random normals', () => {
  it('are drawn once per seed and path count', () => {
    const shared = shareCommonNormals(3, 8);
    assert.deepEqual(shared, drawCommonNormals(3, 8));
    assert.equal(shareCommonNormals(3, 8), shared);
    assert.deepEqual(shareCommonNormals(4, 8), drawCommonNormals(4, 8));
    assert.deepEqual(shareCommonNormals(4, 16), drawCommonNormals(4, 16));
  });
});

describe('core model', () => {
  it('has the exact moments of the worked example', () => {
    const { mean, variance } = exactMoments(state, parameters, exposures, noiseSds);
    assert.ok(Math.abs(mean - 122.77044) < 1e-5);
    assert.ok(Math.abs(variance - 2149.3662) < 1e-4);
    assert.ok(Math.abs(mean ** 2 / (variance - mean) - 7.43739) < 1e-5);
  });

  it('simulates within three standard errors of the exact moments', () => {
    const paths = 40_000;
    const loads = drawLoads(3, paths);
    const { mean, variance } = exactMoments(state, parameters, exposures, noiseSds);
    const loadVariance = variance - mean;
    const simulated = loads.reduce((sum, x) => sum + x, 0) / paths;
    assert.ok(Math.abs(simulated - mean) < 3 * Math.sqrt(loadVariance / paths));
    const squares = loads.map((x) => (x - mean) ** 2);
    const second = squares.reduce((sum, x) => sum + x, 0) / paths;
    const spreadOfSquares = Math.sqrt(squares.reduce((sum, x) => sum + (x - second) ** 2, 0) / paths);
    assert.ok(Math.abs(second - loadVariance) < (3 * spreadOfSquares) / Math.sqrt(paths));
  });

  it('widens both exact moments and simulation when the account is more volatile than usual', () => {
    const lively = { ...state, spread: 2.5 };
    const stepping = { ...parameters, levelStepSd: 0.05 };
    const paths = 40_000;
    const loads = drawLoads(4, paths, lively, stepping);
    const { mean, variance } = exactMoments(lively, stepping, exposures, noiseSds);
    const simulated = loads.reduce((sum, x) => sum + x, 0) / paths;
    assert.ok(Math.abs(simulated - mean) < 3 * Math.sqrt((variance - mean) / paths));
    assert.ok(variance > exactMoments(state, parameters, exposures, noiseSds).variance * 1.3);
  });

  it("reproduces the known percentiles of the worked example's Poisson mixture", () => {
    const loads = drawLoads(5, 40_000);
    const distribution = mixLoads(loads, 400, 1e9);
    for (const [q, expected] of [
      [0.05, 62],
      [0.5, 115],
      [0.95, 209],
    ] as const) {
      assert.ok(Math.abs(percentile(distribution, q) - expected) <= 2);
    }
    assert.ok(Math.abs(distributionMean(distribution) - 122.77) < 1);
    assert.ok(Math.abs(distributionVariance(distribution) / 2149 - 1) < 0.06);
  });

  it('is more volatile below its level than above it, as set by `unrest`', () => {
    const restless = { ...parameters, unrest: 0.5 };
    const widthFrom = (slow: number, of: typeof parameters) => {
      const from: CoreState = { mean: [0, slow, 3.6], cov: [0.001, 0, 0, 0.001, 0, 0.001], spread: 1 };
      const loads = drawLoads(6, 4_000, from, of);
      return Math.log(percentile(mixLoads(loads), 0.84) / percentile(mixLoads(loads), 0.16));
    };
    assert.ok(widthFrom(-0.8, restless) > 1.5 * widthFrom(0.8, restless));
    assert.ok(widthFrom(-0.8, restless) > 1.15 * widthFrom(-0.8, parameters));
  });

  it('learns `unrest` from an account that is erratic when quiet', () => {
    const days = new Float64Array(300).fill(24);
    const wave = (sign: number) =>
      Float64Array.from(days, (_, d) => {
        const slow = Math.sin(d / 25);
        return Math.round(60 * Math.exp(0.6 * slow + 0.5 * Math.exp(-0.9 * sign * slow) * Math.sin(d * d)));
      });
    const wildWhenQuiet = fitCore(wave(1), days, Math.log(60 / 24));
    const wildWhenLoud = fitCore(wave(-1), days, Math.log(60 / 24));
    assert.ok(wildWhenQuiet.unrest > 0.3 && wildWhenLoud.unrest < 0.2);
  });

  it('finds the mode on a burst day, where four Newton steps are not enough', () => {
    const eta = findMode(400, 24, -1, 0.3);
    const slope = 400 - 24 * Math.exp(eta) - (eta + 1) / 0.3;
    assert.ok(Math.abs(slope) < 1e-4);
  });

  it('adapts to a jump in the rate within days', () => {
    const counts = [...Array<number>(60).fill(20), ...Array<number>(6).fill(60)];
    const days = counts.map(() => 24);
    const start = initialCore(PRIOR_PARAMETERS, Math.log(20 / 24));
    const { mean, spread } = filterCore(counts, days, PRIOR_PARAMETERS, start).state;
    const rate = Math.exp(mean[0] + mean[1] + mean[2]) * 24;
    assert.ok(rate > 48 && rate < 66, `rate ${rate}`);
    assert.ok(spread < 1.6);
  });

  it('fits more day noise when daily counts vary more', () => {
    const wave = (amplitude: number) =>
      Array.from({ length: 200 }, (_, d) => Math.round(30 * Math.exp(amplitude * Math.sin(d * d))));
    const days = new Float64Array(200).fill(24);
    const calm = fitCore(wave(0.2), days, Math.log(30 / 24));
    const wild = fitCore(wave(1), days, Math.log(30 / 24));
    assert.ok(wild.daySd > 1.5 * calm.daySd);
  });
});
