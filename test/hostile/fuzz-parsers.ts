// Feeds mutated inputs to every parser, and tells what was thrown that should not be, and what took long.

import { createRandom } from '../../src/runtime/random.ts';
import { mutateJson, mutateText, pick } from './mutate.ts';
import { listTargets, type ParserTarget } from './parser-targets.ts';

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
  for (let i = 0; i < inputs; i++) {
    const target = targets[i % targets.length]!;
    const sample = pick(target.samples, random);
    const input = target.kind === 'json' ? mutateJson(sample, random) : mutateText(sample as string, random);
    const tookMs = runOne(target, input, report.problems);
    if (tookMs > report.slowestMs) Object.assign(report, { slowestMs: tookMs, slowest: target.name });
  }
  return report;
}

function runOne(target: ParserTarget, input: unknown, problems: string[]): number {
  const startedMs = performance.now();
  try {
    target.run(input);
  } catch (error) {
    if (!target.mayThrow?.(error)) problems.push(describe(target, input, error));
  }
  return performance.now() - startedMs;
}

function describe({ name }: ParserTarget, input: unknown, error: unknown): string {
  const where = error instanceof Error ? error.stack?.split('\n').slice(0, 3).join(' ') : String(error);
  return `${name}: ${where} for ${JSON.stringify(input)?.slice(0, 300)}`;
}
