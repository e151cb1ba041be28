// Watches the free space on the embedded store's disk and warns before it is full.

import { statfs } from 'node:fs/promises';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat } from '../runtime/repeat.ts';

export interface DiskWatch {
  /** Resolves after the first check. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Problem to report in /health; null while there is room. */
  problem(): string | null;
}

export interface DiskWatchOptions {
  folder: string;
  clock: Clock;
  logger: Logger;
  readFreeBytes?: (folder: string) => Promise<number>;
}

const LOOK_EVERY_MS = 30_000;
const MEGABYTE = 1024 * 1024;
const WARN_BYTES = 512 * MEGABYTE;
const DEGRADED_BYTES = 64 * MEGABYTE;

export function createDiskWatch(options: DiskWatchOptions): DiskWatch {
  const { folder, clock, logger, readFreeBytes = askFileSystem } = options;
  let problem: string | null = null;
  let hasWarned = false;

  const looking = createRepeat({
    clock,
    pauseMs: LOOK_EVERY_MS,
    run: async () => judge(await readFreeBytes(folder)),
    onError: (error) => logger.debug({ error: errorMessage(error) }, 'free disk space unknown'),
  });

  function judge(freeBytes: number): void {
    const freeMb = Math.floor(freeBytes / MEGABYTE);
    if (freeBytes < WARN_BYTES && !hasWarned) logger.warn({ freeMb }, 'disk filling up');
    hasWarned = freeBytes < WARN_BYTES;
    problem = freeBytes < DEGRADED_BYTES ? `the disk is nearly full: ${freeMb} MB left` : null;
  }

  return {
    start: looking.start,
    stop: looking.stop,
    problem: () => problem,
  };
}

async function askFileSystem(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
