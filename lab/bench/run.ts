// npm run bench [-- NAME...] [--quick] [--json] [--minutes N]: measures every documented value
// against its baseline and prints one table.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import type { BenchOptions } from './core/bench.ts';
import type { BenchRow } from './core/row.ts';
import { formatTable } from './core/table.ts';
import { BENCHES, findBench } from './registry.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    rate: { type: 'string' },
  },
});

await main();

async function main(): Promise<void> {
  const unknown = positionals.find((name) => !findBench(name));
  if (unknown) {
    console.error(`Unknown bench ${unknown}. Run npm run bench -- --help for the list.`);
    process.exitCode = 2;
    return;
  }
  const scratchDir = mkdtempSync(join(tmpdir(), 'tallycast-bench-'));
  const notes = new Set<string>();
  const options = createOptions(scratchDir, notes);
  try {
    const names =
      positionals.length > 0 ? positionals : BENCHES.filter(({ isLong }) => !isLong).map(({ name }) => name);
    const rows: BenchRow[] = [];
    for (const name of names) rows.push(...(await runOne(name, options, notes)));
    report(rows, notes);
    const isUnmeasured = rows.some(({ baseline, ours }) => baseline === 0 && ours > 0);
    if (isUnmeasured || (values.strict && rows.some(({ pass }) => !pass))) process.exitCode = 1;
  } finally {
    rmSync(scratchDir, { recursive: true, force: true });
  }
}

function createOptions(scratchDir: string, notes: Set<string>): BenchOptions {
  const say = (text: string) => void process.stderr.write(`  ${text}\n`);
  return {
    isQuick: values.quick,
    minutes: values.minutes === undefined ? null : Number(values.minutes),
    perSecond: values.rate === undefined ? null : Number(values.rate),
    say,
    note: (text) => void notes.add(text),
    scratchDir,
  };
}

/** A failing bench does not stop the others. */
async function runOne(name: string, options: BenchOptions, notes: Set<string>): Promise<BenchRow[]> {
  process.stderr.write(`${name}\n`);
  const startedMs = performance.now();
  try {
    return await findBench(name)!.run(options);
  } catch (error) {
    notes.add(`${name} could not be measured: ${inspect(error)}`);
    return [
      { name: `${name}: could not be measured`, ours: 1, baseline: 0, ratio: 1, target: 0, pass: false },
    ];
  } finally {
    process.stderr.write(`  ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
  }
}

function report(rows: readonly BenchRow[], notes: ReadonlySet<string>): void {
  if (values.json) {
    const toRecord = ({ name, ours, baseline, ratio, target, pass, spread }: BenchRow) => ({
      name,
      ours,
      baseline,
      ratio,
      target,
      pass,
      ...(spread === undefined ? {} : { spread }),
    });
    console.log(JSON.stringify(rows.map(toRecord), null, 2));
  } else console.log(formatTable(rows));
  for (const note of notes) process.stderr.write(`note: ${note}\n`);
}
