// Parses a CSV of final oracle counts (start_ts, end_ts, count), one line per window, or of hourly ones
// (hour_ts, count). If the history and the oracle disagree, scores do not reflect settlement, and the backtest says so.

import { CsvError, locateNames, readCsv } from '../../domain/csv.ts';
import type { CountWindow } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';

export interface OracleFinal {
  window: CountWindow;
  count: number;
}

export function parseOracleCounts(text: string): OracleFinal[] {
  const isHourly = (headers: readonly string[]) => headers.some((header) => /^hour_ts$/i.test(header));
  const { headers, rows } = readCsv(text, (names) =>
    locateNames(isHourly(names) ? ['hour_ts', 'count'] : ['start_ts', 'end_ts', 'count'])(names),
  );
  return rows.map((row) => {
    const startTs = row.integer(isHourly(headers) ? 'hour_ts' : 'start_ts');
    const endTs = isHourly(headers) ? startTs + HOUR_MS : row.integer('end_ts');
    const count = row.integer('count');
    if (startTs < 0 || count < 0 || endTs <= startTs)
      throw new CsvError(row.line, 'expected start_ts < end_ts and a count');
    return { window: { startTs, endTs }, count };
  });
}

export interface CountingGap {
  windows: number;
  /** Number of windows in which history and oracle differ. */
  differing: number;
  /** Mean of (history - oracle), in posts per window. */
  meanDifference: number;
}

export function measureGap(finals: readonly { history: number; oracle: number }[]): CountingGap {
  const differences = finals.map(({ history, oracle }) => history - oracle);
  return {
    windows: finals.length,
    differing: differences.filter((difference) => difference !== 0).length,
    meanDifference: differences.reduce((sum, x) => sum + x, 0) / Math.max(1, finals.length),
  };
}

/** One-line summary of a match or a mismatch. */
export function describeGap({ windows, differing, meanDifference }: CountingGap): string {
  if (differing === 0) return `the history matches the oracle in all ${windows} windows`;
  const sign = meanDifference > 0 ? '+' : '';
  return (
    `the history differs from the oracle in ${differing} of ${windows} windows, ` +
    `${sign}${meanDifference.toFixed(2)} posts per window on average; scores use the oracle's counts`
  );
}
