// One line of machine-readable output, shared by backtest rows and single forecasts.

import type { CountWindow } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { EventForecast } from '../types.ts';

/** Eight significant digits keep the sum within 1e-6 of 1 and a year's file readable. */
const DIGITS = 8;

export function formatForecastLine(window: CountWindow, forecast: EventForecast, final?: number): string {
  const { distribution } = forecast;
  const record = {
    start_ts: window.startTs,
    end_ts: window.endTs,
    asof_ts: forecast.asofTs,
    lead_h: (window.endTs - forecast.asofTs) / HOUR_MS,
    count_so_far: forecast.countSoFar,
    ...(final === undefined ? {} : { final }),
    p5: forecast.p5,
    p50: forecast.p50,
    p95: forecast.p95,
    pmf_from: distribution.from,
    pmf: Array.from(distribution.pmf, (p) => Number(p.toPrecision(DIGITS))),
  };
  return JSON.stringify(record);
}
