// Writes docs/performance.md: the table of the last full run with command, machine and date, and the meaning
// of each row.

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

/** A partial run replaces its sections and leaves the others. */
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
  // Figures taken under other load are worse, so the page says so.
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

/** What this machine could not measure. */
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

One command measures ours and the baseline in turn and prints these tables:

\`\`\`
npm run bench                     # everything; npm run bench -- hot start-up for some
npm run bench -- --quick          # a minute or two: shows that everything runs
npm run bench -- --json           # rows as JSON
npm run bench -- --write          # update this page
\`\`\`

**ratio** is ours over baseline: the median over rounds, ± half their range. **target** is the ratio to reach (≥) or not exceed (≤). In wide tables a cell is ours; the ratio (its target), or ours (its limit). Load is the five-minute average at the end. Ratios carry over to other machines; absolute figures do not. Machine of the last run: ${describeMachine()}. Findings: [experiments/performance](experiments/performance/README.md).
`;
}

const UNKNOWN = `## Limitations

- Everything runs over loopback on one machine: no network, no TLS, and the load generator shares the cores.
- The simulator has loopback latency; a real platform's delay adds to every capture figure.
- p99 over tens of thousands of requests does not bound the worst one in a million.
- A busy machine worsens figures; ratios suffer less.
`;
