// Feeds mutated inputs to every parser, and tells what was thrown that should not be, and what took long.

import { createRandom, type Random } from '../../src/runtime/random.ts';
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

/** So many to each; `onDone` is told after each parser. */
export async function fuzzParsers(
  seed: number,
  inputsEach: number,
  { only = '', onDone = () => {} }: { only?: string; onDone?: (name: string, inputs: number) => void } = {},
): Promise<FuzzReport> {
  const random = createRandom(seed);
  const report: FuzzReport = { inputs: 0, problems: [], slowestMs: 0, slowest: '' };
  for (const target of await listTargets()) {
    if (!target.name.includes(only)) continue;
    const inputs = target.isSlow ? Math.ceil(inputsEach / SLOW_EVERY) : inputsEach;
    for (let i = 0; i < inputs; i++) await runOne(target, drawInput(target, random), report);
    report.inputs += inputs;
    onDone(target.name, inputs);
  }
  return report;
}

function drawInput({ kind, samples }: ParserTarget, random: Random): unknown {
  const sample = pick(samples, random);
  return kind === 'json' ? mutateJson(sample, random) : mutateText(sample as string, random);
}

/** Long texts that make patterns try again and again, to every parser of text and in every text of JSON. */
export async function pumpParsers(
  length: number,
  { ends = ENDS, only = '' }: { ends?: readonly string[]; only?: string } = {},
): Promise<FuzzReport> {
  const report: FuzzReport = { inputs: 0, problems: [], slowestMs: 0, slowest: '' };
  for (const target of await listTargets()) {
    if (target.isSlow || !target.name.includes(only)) continue;
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
