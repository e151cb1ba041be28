// Published forecasts, one row per bucket.

import type { MarketEvent } from '../../domain/market-event.ts';
import type { ForecastPoint } from '../../store/ports.ts';
import { type Dataset, listScopeEvents, readPages, tableOf } from './dataset.ts';

const PAGE_POINTS = 500;

const TABLE = tableOf<{ event: MarketEvent; point: ForecastPoint; i: number }>({
  account_id: ['text', ({ event }) => event.accountId],
  event_id: ['integer', ({ event }) => event.eventId],
  asof_ts: ['time', ({ point }) => point.asofTs],
  count_so_far: ['integer', ({ point }) => point.countSoFar],
  p5: ['number', ({ point }) => point.p5],
  p50: ['number', ({ point }) => point.p50],
  p95: ['number', ({ point }) => point.p95],
  bucket: ['text', ({ event, i }) => event.buckets[i]?.label ?? null],
  model_probability: ['number', ({ point, i }) => point.bucketProbabilities[i]!],
  market_price: ['number', ({ point, i }) => point.marketPrices[i] ?? null],
  model_version: ['text', ({ point }) => point.modelVersion],
});

export const forecastsDataset: Dataset = {
  columns: TABLE.columns,
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
      for await (const page of pages)
        yield page.flatMap((point) =>
          point.bucketProbabilities.map((_, i) => TABLE.toRow({ event, point, i })),
        );
    }
  },
};
