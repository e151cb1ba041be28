import type { CountWindow } from './market-event.ts';
import { HOUR_MS } from './units.ts';
/**
 * Hours before an event's end at which forecasts and signals are scored and stored permanently, earliest
 * first.
 */
export const SCORED_HORIZONS_H = [72, 48, 24, 6] as const;

// Times of an event's scored horizons.

/** Horizons inside the window, earliest first. */
export function listHorizons(window: CountWindow): { horizonH: number; ts: number }[] {
  return SCORED_HORIZONS_H.map((horizonH) => ({ horizonH, ts: window.endTs - horizonH * HOUR_MS })).filter(
    ({ ts }) => ts >= window.startTs,
  );
}

export const RECOMPUTED_MARK = '+backfill';

export function isRecomputed({ modelVersion }: { modelVersion: string }): boolean {
  return modelVersion.endsWith(RECOMPUTED_MARK);
}
