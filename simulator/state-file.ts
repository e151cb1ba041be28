// Stores which simulator a data folder belongs to, so that a restarted service finds the same history and its
// time never runs backwards.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, SECOND_MS } from '../src/domain/units.ts';
import { UsageError } from '../src/runtime/errors.ts';

/** With this seed the accounts are near their long-run rates when history ends, after a busy spring. */
export const DEFAULT_SIMULATOR_SEED = 71;
export const HISTORY_DAYS = 150;
const STATE_FILE = 'world.json';
/** How often the caller should save, in real time. */
export const SAVE_PERIOD_MS = 2 * SECOND_MS;

export interface SimulatorFile {
  readonly seed: number;
  readonly anchorTs: number;
  /** Simulated time at which to resume. */
  readonly originTs: number;
  /** Call every SAVE_PERIOD_MS and at the end, with the simulated time. */
  save(simulatorTs: number): void;
}

interface Saved {
  seed: number;
  anchorTs: number;
  /** Upper bound of simulated time so far. */
  reachedTs: number;
}

export function loadOrCreateSimulatorState(
  dataDir: string,
  options: { seed?: number | undefined; speed: number; nowTs: number },
): SimulatorFile {
  const path = join(dataDir, STATE_FILE);
  const saved = readSaved(path);
  if (saved && options.seed !== undefined && saved.seed !== options.seed) {
    throw new UsageError(
      `${path} belongs to the simulator with seed ${saved.seed}. Start with that seed or in another data folder.`,
    );
  }
  const seed = saved?.seed ?? options.seed ?? DEFAULT_SIMULATOR_SEED;
  const anchorTs = saved?.anchorTs ?? Math.floor((options.nowTs - HISTORY_DAYS * DAY_MS) / DAY_MS) * DAY_MS;
  const originTs = Math.max(options.nowTs, saved?.reachedTs ?? 0);

  function save(simulatorTs: number): void {
    // How far a fast simulator may run until the next save or a kill.
    const aheadMs = options.speed > 1 ? 2 * SAVE_PERIOD_MS * options.speed : 0;
    writeSaved(dataDir, path, { seed, anchorTs, reachedTs: Math.ceil(simulatorTs + aheadMs) });
  }

  save(originTs);
  return { seed, anchorTs, originTs, save };
}

function readSaved(path: string): Saved | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const value = JSON.parse(text) as Partial<Saved>;
  const { seed, anchorTs, reachedTs } = value;
  if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(anchorTs) || !Number.isSafeInteger(reachedTs)) {
    throw new UsageError(`${path} is damaged. Rename it to start a new simulator.`);
  }
  return { seed: seed!, anchorTs: anchorTs!, reachedTs: reachedTs! };
}

/** Written to a temporary file and renamed, so that a crash leaves either the old or the new file. */
function writeSaved(dataDir: string, path: string, saved: Saved): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(saved)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
