// A reporter that prints only at the end: totals, slowest files and passed programs as one line of JSON.

import type { FileTime } from './closing-line.ts';

const SLOWEST = 12;

interface Summary {
  file?: string;
  success: boolean;
  counts: Record<'tests' | 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo', number>;
  duration_ms: number;
}

/** Content of the last line; passed programs by path, because one that died reports nothing. */
export interface Report extends Omit<Summary, 'file' | 'success'> {
  times: FileTime[];
  passed: string[];
}

export default async function* report(events: AsyncIterable<{ type: string; data: unknown }>) {
  const files: FileTime[] = [];
  const passed: string[] = [];
  for await (const { type, data } of events) {
    if (type !== 'test:summary') continue;
    const { file, success, counts, duration_ms } = data as Summary;
    if (file !== undefined) {
      if (success) passed.push(file);
      files.push({ file, ms: Math.round(duration_ms) });
      continue;
    }
    const times = files.sort((left, right) => right.ms - left.ms).slice(0, SLOWEST);
    const told: Report = { counts, duration_ms, times, passed };
    yield `${JSON.stringify(told)}\n`;
  }
}
