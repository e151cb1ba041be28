// The horizons, in hours before an event's end, at which forecasts and signals are kept and scored.

import type { CountWindow } from '../domain/market-event.ts';
import { HOUR_MS } from '../domain/units.ts';

export const SCORED_HORIZONS_H = [72, 48, 24, 6] as const;

/** Instants of the horizons that lie inside the window, earliest first. */
export function listHorizons(window: CountWindow): { horizonH: number; ts: number }[] {
  return SCORED_HORIZONS_H.map((horizonH) => ({ horizonH, ts: window.endTs - horizonH * HOUR_MS })).filter(
    ({ ts }) => ts >= window.startTs,
  );
}
