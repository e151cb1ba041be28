import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { logNegativeBinomial } from '../distribution/negative-binomial.ts';
import { logDensity, weighExperts } from './expert-evidence.ts';
import { createWords } from './expert-words.ts';
import { EXPERT_COUNT, expertPrior } from './experts.ts';

const prior = expertPrior(72);

/** Experts whose means are spread evenly around 100; the one at `right` says 100. */
function talk(rows: number, right: number) {
  const words = createWords(rows);
  for (let i = 0; i < rows * EXPERT_COUNT; i++) {
    words.means[i] = i % EXPERT_COUNT === right ? 100 : 40;
    words.sizes[i] = 20;
  }
  return words;
}

describe('evidence for the experts', () => {
  it('is the prior before anything has come', () => {
    const weights = weighExperts(prior, { words: createWords(0), counts: [], news: [] });
    assert.ok(weights.every((weight, k) => Math.abs(weight - prior[k]!) < 1e-12));
    assert.ok(Math.abs(prior.reduce((sum, share) => sum + share, 0) - 1) < 1e-12);
  });

  it('goes to the expert that was right, and slowly where windows overlap', () => {
    const counts = [98, 104, 101];
    const sure = weighExperts(prior, { words: talk(3, 2), counts, news: [1, 1, 1] });
    const shared = weighExperts(prior, { words: talk(3, 2), counts, news: [0.1, 0.1, 0.1] });
    assert.ok(sure[2]! > shared[2]! && shared[2]! > prior[2]!);
  });

  it('sums to 1 and survives an impossible count', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { maxLength: 5 }), (counts) => {
        const weights = weighExperts(prior, {
          words: talk(counts.length, 0),
          counts,
          news: counts.map(() => 1),
        });
        assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9);
        assert.ok(weights.every((weight) => weight >= 0));
      }),
      { numRuns: 100, seed: 3 },
    );
  });

  it('integrates the log-normal load: its density sums to 1 and has its mean', () => {
    let total = 0;
    let mean = 0;
    for (let count = 0; count < 2000; count++) {
      const p = Math.exp(logDensity(count, 80, 0.09, 30));
      if (p <= 1.1e-9) continue;
      total += p;
      mean += count * p;
    }
    assert.ok(Math.abs(total - 1) < 1e-4 && Math.abs(mean - 80) < 0.05, `${total} ${mean}`);
    assert.equal(logDensity(7, 9, 0, 4), logNegativeBinomial(7, 9, 4));
  });
});
