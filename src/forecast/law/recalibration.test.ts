import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../runtime/random.ts';
import { lawMean, trimLaw } from './law.ts';
import { negativeBinomialPmf } from './negative-binomial.ts';
import { biasFactor, fitBetaMap, judgeBias, judgeRecalibration, recalibrateLaw } from './recalibration.ts';

const random = createRandom(9);

/** Windows a day apart whose counts come in at `factor` times what was said. */
function windowsAt(factor: number, n: number) {
  const counts = Array.from({ length: n }, () => Math.round(40 * factor * Math.exp(0.25 * random.normal())));
  return { hours: 24, stepHours: 24, counts, means: counts.map(() => 40), sizes: counts.map(() => 15) };
}

describe('bias correction', () => {
  it('does nothing before there is enough, and little at first', () => {
    assert.equal(biasFactor(Array<number>(19).fill(0.3)), 1);
    assert.ok(biasFactor(Array<number>(20).fill(0.1)) < Math.exp(0.05));
  });

  it('never moves more than 15 percent', () => {
    assert.ok(biasFactor(Array<number>(40).fill(3)) <= Math.exp(0.15) + 1e-12);
  });

  it('stays shut for an unbiased forecaster and opens for one that is always low', () => {
    assert.equal(judgeBias(windowsAt(1, 200)).verdict.isOpen, false);
    const low = judgeBias(windowsAt(1.3, 200));
    assert.ok(low.verdict.isOpen && low.factor > 1.05);
  });

  it('stays shut on too few windows, however good it looks', () => {
    assert.equal(judgeBias(windowsAt(1.3, 60)).verdict.isOpen, false);
  });
});

describe('recalibration', () => {
  const windows = { ...windowsAt(1, 300) };

  it('leaves uniform PIT values alone', () => {
    const pits = Array.from({ length: 300 }, () => random.uniform());
    const map = fitBetaMap(pits);
    assert.ok(Math.abs(map.alpha - 1) < 0.15 && Math.abs(map.beta - 1) < 0.15);
    assert.equal(judgeRecalibration(windows, pits).verdict.isOpen, false);
  });

  it('narrows a forecaster that is much too wide', () => {
    const pits = Array.from(
      { length: 300 },
      () => (random.uniform() + random.uniform() + random.uniform()) / 3,
    );
    const { map, verdict } = judgeRecalibration(windows, pits);
    assert.ok(verdict.isOpen && map.alpha > 1.3 && map.beta > 1.3);
  });

  it('keeps a law a law', () => {
    const law = trimLaw(0, negativeBinomialPmf(40, 6));
    const mapped = recalibrateLaw(law, { alpha: 1.4, beta: 1.4 });
    assert.ok(Math.abs(mapped.pmf.reduce((sum, p) => sum + p, 0) - 1) < 1e-9);
    assert.ok(Math.abs(lawMean(mapped) - lawMean(law)) < 3);
  });
});
