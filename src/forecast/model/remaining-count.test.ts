import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { distributionVariance } from '../distribution/distribution.test-support.ts';
import { percentile, trimDistribution } from '../distribution/distribution.ts';
import { negativeBinomialPmf } from '../distribution/negative-binomial.ts';
import { ExposureClock } from '../time/exposure.ts';
import { getMarketZone } from '../time/market-zone.ts';
import { createTimeline } from '../time/timeline.ts';
import { paceMember, shareOfPace, stretchDistribution } from './remaining-count.ts';

const NOW_TS = Date.UTC(2025, 3, 10);
const zone = getMarketZone('America/New_York');
const evenHours = new ExposureClock(
  new Float64Array(168).fill(1),
  zone,
  Math.floor(NOW_TS / HOUR_MS) - 24 * 20,
  Math.floor(NOW_TS / HOUR_MS) + 24 * 20,
);

/** One post an hour for this many days up to now. */
function recordOf(days: number) {
  const createdTs = Float64Array.from(
    { length: 24 * days },
    (_, i) => NOW_TS - (24 * days - 1 - i) * HOUR_MS,
  );
  return createTimeline({ createdTs, isCounted: new Uint8Array(createdTs.length).fill(1) });
}

describe('new account', () => {
  it('relies mostly on its simple pace at first, and not at all after six weeks', () => {
    assert.equal(shareOfPace(DAY_MS), 0.8);
    assert.ok(shareOfPace(7 * DAY_MS) < 0.5 && shareOfPace(14 * DAY_MS) > shareOfPace(30 * DAY_MS));
    assert.equal(shareOfPace(42 * DAY_MS), 0);
  });

  it('extrapolates the pace of its history', () => {
    const window = { startTs: NOW_TS - DAY_MS, endTs: NOW_TS + 2 * DAY_MS };
    const { mean } = paceMember(recordOf(3), evenHours, { window, asofTs: NOW_TS, countSoFar: 24 });
    assert.ok(Math.abs(mean - 48) < 1.5, `mean ${mean}`);
  });

  it('learns from posts in the window from before its history began', () => {
    const window = { startTs: NOW_TS - 5 * DAY_MS, endTs: NOW_TS + DAY_MS };
    const { mean } = paceMember(recordOf(1), evenHours, { window, asofTs: NOW_TS, countSoFar: 5 * 48 });
    assert.ok(Math.abs(mean - 48) < 1, `mean ${mean}`);
  });

  it('is less certain with less history and less remaining time', () => {
    const sizeOf = (days: number, ahead: number) => {
      const window = { startTs: NOW_TS, endTs: NOW_TS + ahead };
      return paceMember(recordOf(days), evenHours, { window, asofTs: NOW_TS, countSoFar: 0 }).size;
    };
    assert.ok(sizeOf(7, 7 * DAY_MS) > sizeOf(2, 7 * DAY_MS));
    assert.ok(sizeOf(7, 7 * DAY_MS) > sizeOf(7, DAY_MS));
  });
});

const distribution = trimDistribution(0, negativeBinomialPmf(80, 6));

describe('stretched distribution', () => {
  it('keeps the median and scales the other quantiles on the log scale', () => {
    for (const factor of [0.75, 0.9, 1.2]) {
      const stretched = stretchDistribution(distribution, factor);
      const middle = Math.log(percentile(distribution, 0.5) + 1);
      assert.ok(Math.abs(percentile(stretched, 0.5) - percentile(distribution, 0.5)) <= 1);
      for (const q of [0.05, 0.25, 0.75, 0.95]) {
        const expected = Math.exp(middle + factor * (Math.log(percentile(distribution, q) + 1) - middle)) - 1;
        assert.ok(Math.abs(percentile(stretched, q) - expected) <= 1.5, `${factor} ${q}`);
      }
    }
  });

  it('remains a distribution over non-negative counts for any input', () => {
    const cases = fc.record({
      mean: fc.double({ min: 0.01, max: 400, noNaN: true }),
      size: fc.double({ min: 0.3, max: 90, noNaN: true }),
      factor: fc.double({ min: 0.7, max: 1.3, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ mean, size, factor }) => {
        const before = trimDistribution(0, negativeBinomialPmf(mean, size));
        const after = stretchDistribution(before, factor);
        const total = after.pmf.reduce((sum, p) => sum + p, 0);
        assert.ok(after.from >= 0 && Math.abs(total - 1) < 1e-9);
        assert.ok(after.pmf.every((p) => p >= 0));
        if (mean > 5 && factor < 0.95) assert.ok(distributionVariance(after) < distributionVariance(before));
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('is unchanged at factor 1', () => {
    assert.equal(stretchDistribution(distribution, 1), distribution);
  });
});
