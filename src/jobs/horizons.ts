// Times of an event's scored horizons.

import type { CountWindow } from '../domain/market-event.ts';
import { SCORED_HORIZONS_H } from '../domain/scored-horizons.ts';
import { HOUR_MS } from '../domain/units.ts';

/** Horizons inside the window, earliest first. */
export function listHorizons(window: CountWindow): { horizonH: number; ts: number }[] {
  return SCORED_HORIZONS_H.map((horizonH) => ({ horizonH, ts: window.endTs - horizonH * HOUR_MS })).filter(
    ({ ts }) => ts >= window.startTs,
  );
}
