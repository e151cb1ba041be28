// Thins old forecasts hour by hour in short writes, so that a capture waits for at most one hour's rows. A
// cursor stores the position, so no row is processed twice.

import { HOUR_MS } from '../../domain/units.ts';
import type { Store } from '../../store/ports.ts';

export type ForecastThinning = 'dropDistributions' | 'thin';

/** Returns how many forecasts were changed or removed. */
export async function walkForecasts(
  { forecasts, cursors }: Pick<Store, 'forecasts' | 'cursors'>,
  thinning: ForecastThinning,
  beforeTs: number,
): Promise<number> {
  const cursorName = `forecasts ${thinning}`;
  const untilTs = floorToHour(beforeTs);
  const startTs = Number((await cursors.find(cursorName)) ?? 0);
  let rows = 0;
  let hourTs = await findNextHour(forecasts, startTs);
  while (hourTs !== undefined && hourTs < untilTs) {
    rows += await forecasts[thinning](hourTs, hourTs + HOUR_MS);
    hourTs = await findNextHour(forecasts, hourTs + HOUR_MS);
  }
  if (untilTs > startTs) await cursors.put(cursorName, String(untilTs));
  return rows;
}

async function findNextHour(forecasts: Store['forecasts'], fromTs: number): Promise<number | undefined> {
  const nextTs = await forecasts.findNextTs(fromTs);
  return nextTs === undefined ? undefined : floorToHour(nextTs);
}

function floorToHour(ts: number): number {
  return Math.floor(ts / HOUR_MS) * HOUR_MS;
}
