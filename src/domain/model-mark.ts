// Model-version suffix that marks forecasts recomputed from data available at the time.

export const RECOMPUTED_MARK = '+backfill';

export function isRecomputed({ modelVersion }: { modelVersion: string }): boolean {
  return modelVersion.endsWith(RECOMPUTED_MARK);
}
