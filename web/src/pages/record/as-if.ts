// Recognises recomputed forecasts, made later from data available at the time.

const MARK = '+backfill';

export function isAsIf({ model_version }: { model_version: string }): boolean {
  return model_version.endsWith(MARK);
}
