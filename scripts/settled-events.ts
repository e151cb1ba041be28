// Generates scores of made-up settled weeks for viewing the record page. Seeded; never in a real store.

import type { MarketEvent } from '../src/domain/market-event.ts';
import { SCORED_HORIZONS_H } from '../src/domain/scored-horizons.ts';
import { DAY_MS, HOUR_MS } from '../src/domain/units.ts';
import { shapeDistribution } from '../src/forecast/distribution/count-shape.ts';
import { bucketProbabilities, percentile } from '../src/forecast/distribution/distribution.ts';
import { BASELINES } from '../src/forecast/model/baselines.ts';
import { MEMBERS } from '../src/forecast/model/shared-coefficients.ts';
import { findWinner, scoreForecast } from '../src/jobs/scoring/score-forecast.ts';
import { createRandom, type Random } from '../src/runtime/random.ts';
import type { ForecastScore } from '../src/store/ports.ts';

const FIRST_ID = 900_000;
const WIDTH = 20;
const BUCKETS = 20;

export function drawSettledEvents(from: number, until: number, nowTs: number): ForecastScore[] {
  return Array.from({ length: until - from }, (_, i) => drawEvent(from + i, nowTs)).flat();
}

function drawEvent(index: number, nowTs: number): ForecastScore[] {
  const random = createRandom(index + 1);
  const endTs = nowTs - HOUR_MS - index * (DAY_MS / 2);
  const event = makeEvent(FIRST_ID + index, index % 2 === 0 ? 'a' : 'b', endTs);
  const finalCount = Math.round(160 * Math.exp(0.35 * random.normal()));
  const winningLabel = event.buckets[findWinner(event, finalCount)]!.label;
  return SCORED_HORIZONS_H.map((horizonH) => {
    const sigma = 0.02 * Math.sqrt(horizonH);
    const draw = (spread: number) => drawDistribution(finalCount, spread * sigma, random);
    const own = draw(1);
    const prices = bucketProbabilities(draw(1.1), event.buckets, 0).map((p) => Math.round(p * 1000) / 1000);
    const rivals = [...BASELINES, ...MEMBERS].map(
      (name, i) => [name, toBaseline(draw(1 + 0.15 * i))] as const,
    );
    const record = {
      ...{ eventId: event.eventId, accountId: event.accountId, asofTs: endTs - horizonH * HOUR_MS },
      ...{ countSoFar: 0, p5: percentile(own, 0.05), p50: percentile(own, 0.5), p95: percentile(own, 0.95) },
      ...{ distributionFrom: own.from, distribution: own.pmf, marketPrices: prices },
      bucketProbabilities: bucketProbabilities(own, event.buckets, 0),
      baselines: Object.fromEntries(rivals),
      ...{ modelVersion: 'made-up', buildCommit: 'made-up' },
    };
    return scoreForecast(record, event, horizonH, { finalCount, winningLabel }, endTs + HOUR_MS);
  });
}

function drawDistribution(finalCount: number, sigma: number, random: Random) {
  const mean = finalCount * Math.exp(sigma * random.normal());
  return shapeDistribution({ mean, logVariance: sigma ** 2, size: 1_000 });
}

function toBaseline(distribution: ReturnType<typeof drawDistribution>) {
  const { from, pmf } = distribution;
  return { p50: percentile(distribution, 0.5), distributionFrom: from, distribution: pmf };
}

function makeEvent(eventId: number, accountId: string, endTs: number): MarketEvent {
  const buckets = Array.from({ length: BUCKETS }, (_, i) => {
    const [lo, hi] = [i * WIDTH, i === BUCKETS - 1 ? null : (i + 1) * WIDTH - 1];
    const ids = { marketId: '', conditionId: '', yesTokenId: `${i}-yes`, noTokenId: `${i}-no` };
    const terms = { isOpen: false, tickSize: 0.01, minOrderShares: 5, fee: { rate: 0, exponent: 1 } };
    return { label: hi === null ? `${lo}+` : `${lo}-${hi}`, lo, hi, ...ids, ...terms, listedPrice: null };
  });
  return {
    ...{ eventId, accountId, title: 'Made-up week', slug: `made-up-${eventId}`, image: '' },
    window: { startTs: endTs - 7 * DAY_MS, endTs },
    ...{ buckets, isClosed: true },
  };
}
