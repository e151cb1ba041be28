// A reporter that says nothing until the end, and then the totals and the slowest files as one line of JSON.

import type { FileTime } from './closing-line.ts';

const SLOWEST = 12;

interface Summary {
  file?: string;
  counts: Record<'tests' | 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo', number>;
  duration_ms: number;
}

export default async function* report(events: AsyncIterable<{ type: string; data: unknown }>) {
  const files: FileTime[] = [];
  for await (const { type, data } of events) {
    if (type !== 'test:summary') continue;
    const { file, counts, duration_ms } = data as Summary;
    if (file !== undefined) {
      files.push({ file, ms: Math.round(duration_ms) });
      continue;
    }
    const times = files.sort((left, right) => right.ms - left.ms).slice(0, SLOWEST);
    yield `${JSON.stringify({ counts, duration_ms, times })}\n`;
  }
}
