// Feeds mutated inputs to every parser, and reports unexpected exceptions and slow inputs.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRandom, type Random } from '../../src/runtime/random.ts';
import { mutateJson, mutateText, pick } from './mutate.ts';
import type { ParserTarget } from './parser-target.ts';
import { listTargets } from './parser-targets.ts';
import { ENDS, pumpedTexts, pumpJson, pumpText } from './pumped.ts';

const SLOW_EVERY = 100;
/**
 * Yields to the event loop after this many inputs, because parsers' weak references are released only then.
 */
const INPUTS_PER_TURN = 100;
/** Maximum problems listed per parser, because one fault may be triggered by every input. */
const MAX_PROBLEMS = 100;

export interface FuzzReport {
  inputs: number;
  problems: string[];
  slowestMs: number;
  slowest: string;
}

/** Runs this many inputs per parser; `onDone` receives each parser's findings. */
export async function fuzzParsers(
  seed: number,
  inputsEach: number,
  {
    isWanted = () => true,
    onDone = () => {},
  }: { isWanted?: (name: string) => boolean; onDone?: (name: string, report: FuzzReport) => void } = {},
): Promise<FuzzReport> {
  const reports: FuzzReport[] = [];
  for (const target of await listTargets()) {
    if (!isWanted(target.name)) continue;
    // Use a separate seed per parser, so that its inputs do not depend on the other parsers.
    const random = createRandom(seed).fork(target.name);
    const inputs = target.isSlow ? Math.ceil(inputsEach / SLOW_EVERY) : inputsEach;
    const report: FuzzReport = { ...NOTHING, inputs, problems: [] };
    for (let i = 0; i < inputs; i++) {
      await runOne(target, drawInput(target, random), report);
      if (i % INPUTS_PER_TURN === 0) await nextTurn();
    }
    reports.push(report);
    onDone(target.name, report);
  }
  return addUp(reports);
}

const NOTHING = { inputs: 0, problems: [], slowestMs: 0, slowest: '' };

function addUp(reports: readonly FuzzReport[]): FuzzReport {
  return reports.reduce<FuzzReport>((sum, report) => {
    const { slowestMs, slowest } = report.slowestMs > sum.slowestMs ? report : sum;
    const problems = [...sum.problems, ...report.problems];
    return { inputs: sum.inputs + report.inputs, problems, slowestMs, slowest };
  }, NOTHING);
}

function drawInput({ kind, samples }: ParserTarget, random: Random): unknown {
  const sample = pick(samples, random);
  return kind === 'json' ? mutateJson(sample, random) : mutateText(sample as string, random);
}

/** Sends long texts that cause backtracking to every text parser, and in every JSON string. */
export async function pumpParsers(
  length: number,
  { ends = ENDS, only = '' }: { ends?: readonly string[]; only?: string } = {},
): Promise<FuzzReport> {
  const report: FuzzReport = { ...NOTHING, problems: [] };
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

/** Measures thread CPU time, which excludes other load. */
async function runOne(target: ParserTarget, input: unknown, report: FuzzReport): Promise<void> {
  const started = process.threadCpuUsage();
  try {
    await target.run(input);
  } catch (error) {
    if (!target.mayThrow?.(error) && report.problems.length < MAX_PROBLEMS)
      report.problems.push(describe(target, input, error));
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
