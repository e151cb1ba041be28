// Writes docs/performance.md: the latest results with command, machine and date, and what each row means.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './core/processes.ts';
import type { BenchRow } from './core/row.ts';
import { formatMarkdown } from './core/table.ts';
import { BENCHES, findBench } from './registry.ts';

export interface PageOptions {
  results: ReadonlyMap<string, readonly BenchRow[]>;
  notes: readonly string[];
  isQuick: boolean;
  isWhole: boolean;
}

const PAGE = join(ROOT, 'docs/performance.md');

/** A partial run replaces only its own sections. */
export function writePage(options: PageOptions): void {
  const before = readPage();
  const sections = BENCHES.map(({ name, isLong }) => {
    const rows = options.results.get(name);
    if (rows) return section(name, findBench(name)!.about, rows, options.isQuick);
    return options.isWhole && !isLong ? undefined : before.get(name);
  });
  write(sections, options.notes);
}

function readPage(): Map<string, string> {
  return existsSync(PAGE) ? readSections(readFileSync(PAGE, 'utf8')) : new Map<string, string>();
}

function write(maybeSections: readonly (string | undefined)[], notes: readonly string[]): void {
  const sections = maybeSections.filter((text): text is string => text !== undefined);
  writeFileSync(
    PAGE,
    `${[head(), ...sections, UNKNOWN + listNotes(notes)].filter((text) => text !== '').join('\n')}`,
  );
}

function section(name: string, about: string, rows: readonly BenchRow[], isQuick: boolean): string {
  const date = new Date().toISOString().slice(0, 10);
  // Includes the load average, because other load on the machine makes results worse.
  const load = loadavg()[1]!.toFixed(1);
  const quick = isQuick ? ' **Quick run: a smoke test, not a measurement.**' : '';
  return `<!-- ${name} -->
## ${name}

${about}

Measured ${date} at ${findCommit()}, load ${load}.${quick}

${formatMarkdown(rows.map((row) => ({ ...row, name: row.name.replace(new RegExp(`^${name}[:,]? `), '') })))}
<!-- /${name} -->
`;
}

/** Lists what this machine could not measure. */
function listNotes(notes: readonly string[]): string {
  return notes.map((note) => `- In the last run ${note}.\n`).join('');
}

function readSections(page: string): Map<string, string> {
  const found = page.matchAll(/<!-- ([\w-]+) -->\n[\s\S]*?<!-- \/\1 -->\n/g);
  return new Map([...found].map(([text, name]) => [name!, text]));
}

function describeMachine(): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() || arch();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return `${cores.length} × ${model} (${memoryGb} GB, Node ${process.versions.node})`;
}

function findCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function head(): string {
  return `# Performance

One command alternates between the service and a baseline and prints these tables:

\`\`\`
npm run bench                     # everything; npm run bench -- hot start-up runs some
npm run bench -- --quick          # smoke test, one to two minutes
npm run bench -- --json           # rows as JSON
npm run bench -- --write          # update this page
\`\`\`

**ratio** is ours / baseline: the median over rounds ± half their range. **target** is its minimum (≥) or maximum (≤). Cells in wide tables show either our value, the ratio and its target, as in \`ours; ratio (target)\`, or our value and its limit, as in \`ours (limit)\`. Load is the five-minute load average at the end of the run. Only ratios carry over to other machines. Last machine: ${describeMachine()}. For findings, see [experiments/performance](experiments/performance/README.md).
`;
}

const UNKNOWN = `## Limitations

- Everything runs over loopback on one machine, without TLS; the load generator shares the cores.
- A real platform adds its own delay to every capture time.
- p99 over tens of thousands of requests says little about the worst request in a million.
- A busy machine makes all values worse, but affects ratios less.
`;
