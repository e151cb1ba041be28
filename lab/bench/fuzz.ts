// npx tallycast lab fuzz --inputs 1000000: feeds this many mutated inputs to each parser; none may throw
// unexpectedly or stall.

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { addUp, type FuzzReport, fuzzParsers, pumpParsers } from '../../test/hostile/fuzz-parsers.ts';
import { listTargets } from '../../test/hostile/parser-targets.ts';

const STALL_MS = 200;
const PUMPED_CHARACTERS = 100_000;

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '1' },
    resume: { type: 'string', default: '' },
    /** Runs one parser, by full name, and prints its report as JSON; used by worker processes. */
    parser: { type: 'string', default: '' },
  },
});
const [seed, inputs] = [Number(values.seed), Number(values.inputs)];
const startedMs = performance.now();

interface Done {
  name: string;
  seed: number;
  inputs: number;
  report: FuzzReport;
}

/** Parsers to skip: finished in an earlier run with the same seed and number of inputs. */
function readDone(): Done[] {
  if (values.resume === '' || !existsSync(values.resume)) return [];
  const lines = readFileSync(values.resume, 'utf8').split('\n').filter(Boolean);
  const all = lines.map((line) => JSON.parse(line) as Done);
  return all.filter(
    (done) => done.seed === seed && done.inputs === inputs && done.name.includes(values.only),
  );
}

function print(name: string, report: FuzzReport): void {
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const { problems, slowestMs } = report;
  console.log(
    `${name}: ${report.inputs} inputs, ${problems.length} unexpected, slowest ${slowestMs.toFixed(1)} ms, at ${seconds} s`,
  );
  const done: Done = { name, seed, inputs, report };
  if (values.resume !== '') appendFileSync(values.resume, `${JSON.stringify(done)}\n`);
}

async function runJob(name: string): Promise<FuzzReport> {
  const args = ['--parser', name, '--inputs', values.inputs, '--seed', values.seed];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const report = JSON.parse(await text(child.stdout)) as FuzzReport;
  print(name, report);
  return report;
}

async function runAll(names: string[]): Promise<FuzzReport[]> {
  const jobs = Number(values.jobs);
  const isWanted = (name: string) => names.includes(name);
  if (jobs <= 1) return [await fuzzParsers(seed, inputs, { isWanted, onDone: print })];
  const reports: FuzzReport[] = [];
  const runLane = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) reports.push(await runJob(name));
  };
  await Promise.all(Array.from({ length: jobs }, runLane));
  return reports;
}

async function fuzz(): Promise<boolean> {
  const done = readDone();
  const all = (await listTargets()).map(({ name }) => name).filter((name) => name.includes(values.only));
  const left = all.filter((name) => !done.some((one) => one.name === name));
  const found = addUp([...done.map(({ report }) => report), ...(await runAll(left))]);
  const pumped = await pumpParsers(PUMPED_CHARACTERS, { only: values.only });
  for (const problem of [...found.problems, ...pumped.problems].slice(0, 20)) console.log(problem);
  console.log(
    `${found.inputs} inputs to ${all.length} parsers, ${found.problems.length} unexpected failures, ` +
      `slowest ${found.slowestMs.toFixed(1)} ms (${found.slowest})`,
  );
  console.log(
    `${pumped.inputs} inputs of ${PUMPED_CHARACTERS} repeated characters, ${pumped.problems.length} unexpected failures, ` +
      `slowest ${pumped.slowestMs.toFixed(1)} ms (${pumped.slowest})`,
  );
  const isQuick = Math.max(found.slowestMs, pumped.slowestMs) <= STALL_MS;
  return isQuick && found.problems.length + pumped.problems.length === 0;
}

if (values.parser !== '') {
  const report = await fuzzParsers(seed, inputs, { isWanted: (name) => name === values.parser });
  console.log(JSON.stringify(report));
} else process.exitCode = (await fuzz()) ? 0 : 1;
