// Forecasts of events from before the service was started: computed later, from what was known at the time alone.

const MARK = '+backfill';

export function isAsIf({ model_version }: { model_version: string }): boolean {
  return model_version.endsWith(MARK);
}

/** What a reader must know of the figures; null where nobody could have read fewer than all of them. */
export function describeAsIf(rows: readonly { model_version: string }[]): string | null {
  const asIf = rows.filter(isAsIf).length;
  if (asIf === 0) return null;
  const which = asIf === rows.length ? `All ${asIf}` : `${asIf} of ${rows.length}`;
  return `${which} forecasts were scored as if at the time: made after this service was started, from the posts that existed then and nothing else.`;
}
