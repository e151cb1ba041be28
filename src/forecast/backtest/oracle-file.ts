// Parses a CSV of final oracle counts (start_ts, end_ts, count), one line per window, or of hourly ones
// (hour_ts, count). If the history and the
// oracle disagree, scores do not reflect settlement, and the backtest says so.

import type { CountWindow } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';

const COLUMNS = ['start_ts', 'end_ts', 'count'];

export interface OracleFinal {
  window: CountWindow;
  count: number;
}

export function parseOracleCounts(text: string): OracleFinal[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = (lines[0] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const isHourly = names.includes('hour_ts') && !names.includes('start_ts');
  const at = COLUMNS.map((name) => names.indexOf(isHourly && name !== 'count' ? 'hour_ts' : name));
  const missing = COLUMNS.filter((_, k) => at[k]! < 0);
  if (missing.length > 0) throw new Error(`line 1: missing column ${missing.join(', ')}`);
  return lines.slice(1).flatMap((line, i) => {
    if (line.trim() === '') return [];
    const cells = line.split(',');
    const [startTs, lastTs, count] = at.map((k) => Number(cells[k]?.trim() || Number.NaN));
    const endTs = isHourly ? startTs! + HOUR_MS : lastTs;
    const isWhole = [startTs, endTs, count].every((value) => Number.isInteger(value) && value! >= 0);
    if (!isWhole || endTs! <= startTs!) {
      throw new Error(`line ${i + 2}: expected whole numbers start_ts < end_ts and a count`);
    }
    return [{ window: { startTs: startTs!, endTs: endTs! }, count: count! }];
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
