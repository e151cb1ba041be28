import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  distributionMean,
  distributionVariance,
  probabilityOf,
} from '../distribution/distribution.test-support.ts';
import { cdf, convolveDistributions, percentile, trimDistribution } from '../distribution/distribution.ts';
import { logNegativeBinomial, negativeBinomialPmf } from '../distribution/negative-binomial.ts';
import { stepSilent } from '../rate/sleep-state.ts';
import type { CountDistribution } from '../types.ts';
import { bucketLogScore, crps, pitInterval, rankedProbabilityScore } from './proper-scores.ts';

const vectors = JSON.parse(readFileSync(new URL('score-vectors.json', import.meta.url), 'utf8'));

function distribution(mean: number, size: number): CountDistribution {
  return trimDistribution(0, negativeBinomialPmf(mean, size));
}

function near(actual: number, expected: number, tolerance = 1e-7): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

describe('golden score vectors', () => {
  it('match CRPS of Poisson distributions', () => {
    for (const { y, lam, closed } of vectors.crps_poisson)
      near(crps(distribution(lam, 1e9), y), closed, 2e-6);
  });

  it('match CRPS of negative-binomial distributions', () => {
    for (const { y, mu, size, closed } of vectors.crps_nb) near(crps(distribution(mu, size), y), closed);
  });

  it('match the log score of negative-binomial distributions', () => {
    for (const { y, mu, size, val } of vectors.logs_nb) near(-logNegativeBinomial(y, mu, size), val);
  });

  it('match RPS and log score over buckets', () => {
    const { p, j, rps, rps_norm, log } = vectors.rps;
    near(rankedProbabilityScore(p, j), rps);
    near(rankedProbabilityScore(p, j) / (p.length - 1), rps_norm);
    near(bucketLogScore(p, j), log);
  });

  it('match percentiles of a count with a Gamma-distributed rate', () => {
    for (const row of vectors.gamma_poisson) {
      const predicted = distribution(row.mu, row.size);
      near(distributionVariance(predicted), row.var, 1e-4);
      assert.deepEqual(
        [0.05, 0.25, 0.5, 0.75, 0.95].map((q) => percentile(predicted, q)),
        row.q,
      );
      near(cdf(predicted, 19), row.p_0_19);
    }
  });

  it('match convolutions of negative binomials', () => {
    const { parts, mean, var: variance, p35, cdf50, q05, q50, q95 } = vectors.nb_conv;
    const total = convolveDistributions(
      distribution(parts[0][0], parts[0][1]),
      distribution(parts[1][0], parts[1][1]),
    );
    near(distributionMean(total), mean, 1e-6);
    near(distributionVariance(total), variance, 1e-4);
    near(probabilityOf(total, 35), p35, 1e-8);
    near(cdf(total, 50), cdf50, 1e-8);
    assert.deepEqual(
      [0.05, 0.5, 0.95].map((q) => percentile(total, q)),
      [q05, q50, q95],
    );
  });

  it('match the sleep filter over quarter hours without posts', () => {
    const { p0, dt_h, lam_awake, onset, wake, p_after_each_quarter_without_post } = vectors.sleep_filter;
    let asleep = p0;
    for (const expected of p_after_each_quarter_without_post) {
      asleep = stepSilent(asleep, dt_h, lam_awake, onset, wake);
      near(asleep, expected, 1e-6);
    }
  });

  it('match the probability integral transform of a count', () => {
    const { y, mu, size, lo, hi } = vectors.pit;
    const pit = pitInterval(distribution(mu, size), y);
    near(pit.lo, lo);
    near(pit.hi, hi);
  });
});
