// Forecasts of events from before the service was started: recomputed from data available at the time.

const MARK = '+backfill';

export function isAsIf({ model_version }: { model_version: string }): boolean {
  return model_version.endsWith(MARK);
}

/** A note if some forecasts were recomputed; null if all were published live. */
export function describeAsIf(rows: readonly { model_version: string }[]): string | null {
  const asIf = rows.filter(isAsIf).length;
  if (asIf === 0) return null;
  const which = asIf === rows.length ? `All ${asIf}` : `${asIf} of ${rows.length}`;
  return `${which} forecasts were recomputed from data available at the time.`;
}
