// Feeds mutated inputs to every parser, and tells what was thrown that should not be, and what took long.

import { createRandom } from '../../src/runtime/random.ts';
import { mutateJson, mutateText, pick } from './mutate.ts';
import { listTargets, type ParserTarget } from './parser-targets.ts';
import { ENDS, pumpedTexts, pumpJson, pumpText } from './pumped.ts';

const SLOW_EVERY = 100;

export interface FuzzReport {
  inputs: number;
  problems: string[];
  slowestMs: number;
  slowest: string;
}

export async function fuzzParsers(seed: number, inputs: number): Promise<FuzzReport> {
  const targets = await listTargets();
  const random = createRandom(seed);
  const report: FuzzReport = { inputs, problems: [], slowestMs: 0, slowest: '' };
  for (let i = 0, turn = 0; i < inputs; turn++) {
    const target = targets[turn % targets.length]!;
    if (target.isSlow && turn % (SLOW_EVERY * targets.length) >= targets.length) continue;
    i += 1;
    const sample = pick(target.samples, random);
    const input = target.kind === 'json' ? mutateJson(sample, random) : mutateText(sample as string, random);
    await runOne(target, input, report);
  }
  return report;
}

/** Long texts that make patterns try again and again, to every parser of text and in every text of JSON. */
export async function pumpParsers(length: number, ends: readonly string[] = ENDS): Promise<FuzzReport> {
  const report: FuzzReport = { inputs: 0, problems: [], slowestMs: 0, slowest: '' };
  for (const target of await listTargets()) {
    if (target.isSlow) continue;
    const sample = target.samples[0];
    for (const text of pumpedTexts(length, ends)) {
      const inputs = target.kind === 'json' ? [pumpJson(sample, text)] : pumpText(sample as string, text);
      for (const input of inputs) await runOne(target, input, report);
      report.inputs += inputs.length;
    }
  }
  return report;
}

/** By the thread's own time: whoever else is busy does not count. */
async function runOne(target: ParserTarget, input: unknown, report: FuzzReport): Promise<void> {
  const started = process.threadCpuUsage();
  try {
    await target.run(input);
  } catch (error) {
    if (!target.mayThrow?.(error)) report.problems.push(describe(target, input, error));
  }
  const { user, system } = process.threadCpuUsage(started);
  const tookMs = (user + system) / 1_000;
  if (tookMs > report.slowestMs)
    Object.assign(report, { slowestMs: tookMs, slowest: nameInput(target, input) });
}

function nameInput({ name }: ParserTarget, input: unknown): string {
  return `${name}: ${(JSON.stringify(input) ?? '').slice(0, 80)}`;
}

function describe({ name }: ParserTarget, input: unknown, error: unknown): string {
  const where = error instanceof Error ? error.stack?.split('\n').slice(0, 3).join(' ') : String(error);
  return `${name}: ${where} for ${JSON.stringify(input)?.slice(0, 300)}`;
}
