// A reporter that says nothing until the end, and then the totals as one line of JSON.

interface Summary {
  file?: string;
  counts: Record<'tests' | 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo', number>;
  duration_ms: number;
}

export default async function* report(events: AsyncIterable<{ type: string; data: unknown }>) {
  for await (const { type, data } of events) {
    const summary = data as Summary;
    if (type === 'test:summary' && summary.file === undefined) yield `${JSON.stringify(summary)}\n`;
  }
}
