// Endless storms: a new seed each time, one log line per seed, and for a failing seed the shortest failing history.

import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { randomSeed } from '../../src/runtime/random.ts';
import type { Scene } from './scene.ts';
import { shrinkHistory } from './shrink.ts';
import type { StormResult } from './storm.ts';

export interface ForeverOptions {
  engine: string;
  days: number;
  /** One JSON object per line: seed, commit, engine, days, faults, broken, and the shortest failing history. */
  logFile: string;
  /** null to run until stopped. */
  runs: number | null;
  /** Runs one storm, with the given scenes instead of those drawn from the seed. */
  storm(seed: number, scenes: readonly Scene[] | null): Promise<StormResult>;
  say(text: string): void;
  nextSeed?: () => number;
  commit?: string;
}

/** True if no run failed. */
export async function stormForever(options: ForeverOptions): Promise<boolean> {
  const { engine, days, nextSeed = randomSeed, commit = findCommit() } = options;
  let isWell = true;
  for (let run = 0; options.runs === null || run < options.runs; run++) {
    const seed = nextSeed();
    const { faults, broken, scenes } = await options.storm(seed, null);
    const isBroken = broken.length > 0;
    const shortest = isBroken ? await shorten(options, seed, scenes) : null;
    const entry = {
      ts: new Date().toISOString(),
      seed,
      commit,
      engine,
      days,
      faults,
      broken: broken.slice(0, 20),
    };
    appendFileSync(options.logFile, `${JSON.stringify(isBroken ? { ...entry, shortest } : entry)}\n`);
    options.say(`seed ${seed}: ${faults} faults, ${broken.length} broken`);
    isWell &&= !isBroken;
  }
  return isWell;
}

async function shorten(
  { storm, say }: ForeverOptions,
  seed: number,
  scenes: readonly Scene[],
): Promise<readonly Scene[]> {
  say(`seed ${seed} is broken; minimising its ${scenes.length} scenes`);
  return shrinkHistory(scenes, async (shorter) => (await storm(seed, shorter)).broken.length > 0);
}

function findCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
