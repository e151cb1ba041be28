// Reports JSON lines: one per finished program (to show what a stopped run did not finish), then the totals.

import { relative } from 'node:path';

const SLOWEST = 12;

export interface FileTime {
  file: string;
  ms: number;
}

interface Summary {
  file?: string;
  success: boolean;
  counts: Record<'tests' | 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo', number>;
  duration_ms: number;
}

/** Percentage of src covered by the tests, and the least covered files. */
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

interface Ended extends FileTime {
  isPassed: boolean;
}

/** Content of the last line. */
interface Totals extends Pick<Summary, 'counts' | 'duration_ms'> {
  coverage: Coverage | null;
}

export interface Report {
  /** By path; a program that crashed is missing. */
  passed: ReadonlySet<string>;
  ended: ReadonlySet<string>;
  slowest: FileTime[];
  /** null for a run that was stopped. */
  totals: Totals | null;
}

export default async function* report(events: AsyncIterable<{ type: string; data: unknown }>) {
  let coverage: Coverage | null = null;
  for await (const { type, data } of events) {
    if (type === 'test:coverage') coverage = sumUp(data as CoverageEvent);
    if (type !== 'test:summary') continue;
    const { file, success, counts, duration_ms } = data as Summary;
    const ended: Ended | null = file ? { file, ms: Math.round(duration_ms), isPassed: success } : null;
    const totals: Totals = { counts, duration_ms, coverage };
    yield `${JSON.stringify(ended ?? totals)}\n`;
  }
}

export function parseReport(text: string): Report {
  // A killed run may leave an incomplete line.
  const lines = text.split('\n').slice(0, -1);
  const values = lines.map((line) => JSON.parse(line) as Ended | Totals);
  const ended = values.filter((value) => 'file' in value);
  return {
    passed: new Set(ended.filter(({ isPassed }) => isPassed).map(({ file }) => file)),
    ended: new Set(ended.map(({ file }) => file)),
    slowest: ended.sort((left, right) => right.ms - left.ms).slice(0, SLOWEST),
    totals: values.find((value) => 'counts' in value) ?? null,
  };
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
