// Price chart data for one bucket: market price and model probability from the API. Pure.

import type { CourseRecord } from '../api/records.ts';

export interface PriceData {
  /** Seconds since the epoch, ascending. */
  x: number[];
  price: (number | null)[];
  model: (number | null)[];
  /** Prices of buckets to compare with, aligned with x. */
  others: readonly { bucket: string; price: (number | null)[] }[];
  trades: readonly PriceTrade[];
  startS: number;
  endS: number;
}

/** Recorded advice to buy this bucket. */
export interface PriceTrade {
  timeS: number;
  costPerShare: number;
  won: boolean | null;
}

export interface PriceNow {
  ts: number;
  price: number | null;
  model: number | null;
}

type Course = Pick<CourseRecord, 'buckets' | 'points' | 'past_prices' | 'signals' | 'start_ts' | 'end_ts'>;

export function buildPriceData(
  course: Course,
  bucket: string,
  now: PriceNow | null,
  compared: readonly string[] = [],
): PriceData {
  const index = course.buckets.findIndex((candidate) => candidate.bucket === bucket);
  const firstTs = course.points[0]?.timestamp ?? Number.POSITIVE_INFINITY;
  const rows = [
    ...(course.past_prices ?? [])
      .filter(({ timestamp }) => timestamp < firstTs)
      .map(({ timestamp, market_prices }) => ({
        ts: timestamp,
        price: market_prices[index] ?? null,
        model: null,
      })),
    ...course.points.map((point) => ({
      ts: point.timestamp,
      price: point.market_prices[index] ?? null,
      model: point.model_probs?.[index] ?? null,
    })),
  ];
  const lastTs = rows.at(-1)?.ts ?? 0;
  if (now && now.ts > lastTs && now.ts <= course.end_ts) rows.push(now);
  return {
    x: rows.map(({ ts }) => ts / 1000),
    price: rows.map(({ price }) => price),
    model: rows.map(({ model }) => model),
    others: compared.map((other) => {
      const { price } = buildPriceData(course, other, now && { ...now, price: null });
      return { bucket: other, price };
    }),
    trades: listTrades(course, bucket),
    startS: course.start_ts / 1000,
    endS: course.end_ts / 1000,
  };
}

function listTrades({ signals = [] }: Course, bucket: string): PriceTrade[] {
  return signals
    .filter((signal) => signal.bucket === bucket)
    .map(({ timestamp, cost_per_share, won }) => ({
      timeS: timestamp / 1000,
      costPerShare: cost_per_share,
      won,
    }));
}
