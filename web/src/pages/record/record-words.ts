// Words of the record page: recomputed forecasts, names of forecasters, odd lead times. Pure.

import type { RecordLead } from '../../api/records.ts';

const MARK = '+backfill';

export function isAsIf({ model_version }: { model_version: string }): boolean {
  return model_version.endsWith(MARK);
}

/** Describes the first pair where the longer lead time has the smaller error; null if there is none. */
export function findOddLead(rows: readonly RecordLead[]): string | null {
  const ascending = [...rows].sort((left, right) => left.horizon - right.horizon);
  for (const [i, near] of ascending.entries()) {
    const far = ascending
      .slice(i + 1)
      .find((row) => (row.median_error_pct ?? Number.POSITIVE_INFINITY) < (near.median_error_pct ?? 0));
    if (!far) continue;
    const sample =
      far.events === near.events
        ? `both on ${near.events} events`
        : `${far.events} events at ${far.horizon} h, ${near.events} at ${near.horizon} h: short events have no forecast that early`;
    const overlaps =
      near.low === null || far.high === null || near.low <= far.high ? ' The intervals overlap.' : '';
    return `${near.horizon} h looks worse than ${far.horizon} h (${sample}).${overlaps}`;
  }
  return null;
}
