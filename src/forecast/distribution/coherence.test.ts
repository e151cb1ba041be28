import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { profileOfLetter } from '../../domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { createForecaster } from '../forecaster.ts';
import { getAccountParameters } from '../parameters.ts';
import type { CountDistribution, ForecastRequest, PostHistory } from '../types.ts';
import { dealInOrder, orderByEnd } from './coherence.ts';
import { thinDistribution } from './deletions.ts';
import { bucketProbabilities, cdf, shiftDistribution } from './distribution.ts';

const TOLERANCE = 1e-9;

/** One possible future of the account: remaining posts in each window, and its probability. */
interface Future {
  weight: number;
  coming: number[];
}

/** The joint distribution implied by the marginals: every window at the same quantile of one process. */
function joinByQuantile(comings: readonly CountDistribution[]): Future[] {
  const levels = new Set<number>();
  for (const { pmf } of comings) {
    let sum = 0;
    for (const mass of pmf) levels.add((sum += mass));
  }
  const futures: Future[] = [];
  let below = 0;
  for (const level of [...levels].sort((left, right) => left - right)) {
    const weight = level - below;
    // Treat levels that differ only by rounding as equal.
    if (weight <= 1e-11) continue;
    const quantile = below + weight / 2;
    futures.push({ weight, coming: comings.map((coming) => quantileOf(coming, quantile)) });
    below = level;
  }
  return futures;
}

function quantileOf({ from, pmf }: CountDistribution, q: number): number {
  let sum = 0;
  for (let i = 0; i < pmf.length; i++) if ((sum += pmf[i]!) >= q) return from + i;
  return from + pmf.length - 1;
}

function marginal(futures: readonly Future[], i: number): CountDistribution {
  const most = Math.max(...futures.map(({ coming }) => coming[i]!));
  const pmf = new Float64Array(most + 1);
  for (const { weight, coming } of futures) pmf[coming[i]!]! += weight;
  return { from: 0, pmf };
}

function drawHistory(seed: number, perDay: number, endTs: number): PostHistory {
  const random = createRandom(seed);
  const times: number[] = [];
  for (let ts = endTs - 40 * DAY_MS; ts < endTs; ts += -Math.log(1 - random.uniform()) * (DAY_MS / perDay))
    times.push(ts);
  return { createdTs: Float64Array.from(times), isCounted: new Uint8Array(times.length).fill(1) };
}

const NOW_TS = Date.UTC(2026, 10, 11, 19);
const LADDER = Array.from({ length: 12 }, (_, i) => ({ lo: 15 * i, hi: i === 11 ? null : 15 * i + 14 }));

describe('contracts on one account', () => {
  it('share one joint distribution in which nested windows are consistent', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 3, max: 60 }),
        fc.array(fc.integer({ min: 1, max: 170 }), { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 0, max: 36 }),
        (seed, perDay, endsHours, hoursAgo) => {
          const asofTs = NOW_TS - hoursAgo * HOUR_MS;
          const history = drawHistory(seed, perDay, asofTs);
          const forecaster = createForecaster(history, getAccountParameters(profileOfLetter('b')), seed);
          const requests = endsHours.map((hours): ForecastRequest => {
            const endTs = asofTs + hours * HOUR_MS;
            const window = { startTs: asofTs - 3 * DAY_MS, endTs };
            return { window, asofTs, countSoFar: 5 };
          });
          const made = forecaster.forecastAll(requests);
          const futures = joinByQuantile(made.map(({ distribution }) => shiftDistribution(distribution, -5)));
          for (const { coming } of futures)
            for (const [i, count] of coming.entries())
              for (const [k, other] of coming.entries())
                assert.ok(endsHours[i]! > endsHours[k]! || count <= other, `${endsHours} ${coming}`);
          for (const [i, { distribution }] of made.entries()) {
            const joint = bucketProbabilities(shiftDistribution(marginal(futures, i), 5), LADDER, 5);
            const reported = bucketProbabilities(distribution, LADDER, 5);
            for (const [b, p] of reported.entries()) assert.ok(Math.abs(p - joint[b]!) < TOLERANCE);
          }
        },
      ),
      { numRuns: 12, seed: 31 },
    );
  });

  it('thin that distribution if they exclude deleted posts', () => {
    const coming = { from: 3, pmf: Float64Array.from([0.2, 0.5, 0.3]) };
    const thinning = { comingKept: 0.8, standing: [{ posts: 10, kept: 0.9 }] };
    const thinned = thinDistribution(coming, thinning);
    const mean = thinned.pmf.reduce((sum, p, i) => sum + p * (thinned.from + i), 0);
    assert.ok(Math.abs(mean - (4.1 * 0.8 + 9)) < 1e-6);
    assert.ok(Math.abs(thinned.pmf.reduce((sum, p) => sum + p, 0) - 1) < 1e-12);
  });
});

describe('remaining counts', () => {
  it('never decrease with a later window end, and are unchanged if already in order', () => {
    const short = { from: 0, pmf: Float64Array.from([0.1, 0.2, 0.7]) };
    const long = { from: 0, pmf: Float64Array.from([0.3, 0.1, 0.1, 0.5]) };
    const [, raised] = orderByEnd([
      { endTs: 1, coming: short },
      { endTs: 2, coming: long },
    ]);
    for (let x = 0; x <= 3; x++) assert.ok(cdf(raised!, x) <= Math.min(cdf(short, x), cdf(long, x)) + 1e-12);
    const inOrder = { from: 1, pmf: Float64Array.from([0.1, 0.2, 0.7]) };
    assert.equal(
      orderByEnd([
        { endTs: 1, coming: short },
        { endTs: 2, coming: inOrder },
      ])[1],
      inOrder,
    );
  });

  it('are assigned to futures so that a longer window never has fewer posts', () => {
    const earlier = Int32Array.from([5, 1, 3, 2]);
    const later = Int32Array.from([2, 6, 3, 4]);
    const dealt = dealInOrder(earlier, later);
    assert.ok(dealt.every((count, p) => count >= earlier[p]!));
    assert.deepEqual([...dealt].sort(), [...later].sort());
  });
});
