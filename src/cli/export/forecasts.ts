// Published forecasts, one row per bucket.

import type { MarketEvent } from '../../domain/market-event.ts';
import type { ForecastPoint } from '../../store/ports.ts';
import { type Dataset, listScopeEvents, type Row, readPages } from './dataset.ts';

const PAGE_POINTS = 500;

export const forecastsDataset: Dataset = {
  columns: {
    account_id: 'text',
    event_id: 'integer',
    asof_ts: 'time',
    count_so_far: 'integer',
    p5: 'number',
    p50: 'number',
    p95: 'number',
    bucket: 'text',
    model_probability: 'number',
    market_price: 'number',
    model_version: 'text',
  },
  async *listRows(scope) {
    const { store, fromTs, untilTs } = scope;
    for await (const event of listScopeEvents(scope)) {
      const pages = readPages<ForecastPoint>(PAGE_POINTS, (last) =>
        store.forecasts.listPoints(event.eventId, {
          fromTs: last ? last.asofTs + 1 : fromTs,
          untilTs,
          limit: PAGE_POINTS,
          isHourly: false,
        }),
      );
      for await (const page of pages) yield page.flatMap((point) => toRows(event, point));
    }
  },
};

function toRows({ accountId, eventId, buckets }: MarketEvent, point: ForecastPoint): Row[] {
  const { asofTs, countSoFar, p5, p50, p95, bucketProbabilities, marketPrices, modelVersion } = point;
  return bucketProbabilities.map((probability, i) => [
    ...[accountId, eventId, asofTs, countSoFar, p5, p50, p95],
    buckets[i]?.label ?? null,
    probability,
    marketPrices[i] ?? null,
    modelVersion,
  ]);
}
