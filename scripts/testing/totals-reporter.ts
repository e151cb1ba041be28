// A reporter that prints only at the end: totals, slowest files, passed programs and coverage as one line of JSON.

import { relative } from 'node:path';
import type { FileTime } from './closing-line.ts';

const SLOWEST = 12;

interface Summary {
  file?: string;
  success: boolean;
  counts: Record<'tests' | 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo', number>;
  duration_ms: number;
}

/** Percent of src that the tests ran, and the files they ran least. */
export interface Coverage {
  lines: number;
  branches: number;
  least: { path: string; lines: number }[];
}

interface CoverageEvent {
  summary: {
    workingDirectory: string;
    totals: { coveredLinePercent: number; coveredBranchPercent: number };
    files: { path: string; coveredLinePercent: number }[];
  };
}

/** Content of the last line; passed programs by path, because one that died reports nothing. */
export interface Report extends Omit<Summary, 'file' | 'success'> {
  times: FileTime[];
  passed: string[];
  coverage: Coverage | null;
}

export default async function* report(events: AsyncIterable<{ type: string; data: unknown }>) {
  const files: FileTime[] = [];
  const passed: string[] = [];
  let coverage: Coverage | null = null;
  for await (const { type, data } of events) {
    if (type === 'test:coverage') coverage = sumUp(data as CoverageEvent);
    if (type !== 'test:summary') continue;
    const { file, success, counts, duration_ms } = data as Summary;
    if (file !== undefined) {
      if (success) passed.push(file);
      files.push({ file, ms: Math.round(duration_ms) });
      continue;
    }
    const times = files.sort((left, right) => right.ms - left.ms).slice(0, SLOWEST);
    const reported: Report = { counts, duration_ms, times, passed, coverage };
    yield `${JSON.stringify(reported)}\n`;
  }
}

function sumUp({ summary: { workingDirectory, totals, files } }: CoverageEvent): Coverage {
  const least = files
    .map(({ path, coveredLinePercent }) => ({
      path: relative(workingDirectory, path),
      lines: coveredLinePercent,
    }))
    .sort((left, right) => left.lines - right.lines)
    .slice(0, SLOWEST);
  return { lines: totals.coveredLinePercent, branches: totals.coveredBranchPercent, least };
}
