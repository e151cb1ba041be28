// Runs a storm in a temporary location.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScratchStores } from '../../lab/storm/scratch-stores.ts';
import { runStorm, type StormOptions, type StormResult } from '../../lab/storm/storm.ts';

export interface Weather extends Partial<Pick<StormOptions, 'days' | 'scenes'>> {
  engine: 'sqlite' | 'postgres';
  seed: number;
}

export async function weather({ engine, days = 0, ...order }: Weather): Promise<StormResult> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tallycast-storm-'));
  const stores = await openScratchStores(engine, folder);
  try {
    return await runStorm({ days, ...order, ...stores });
  } finally {
    await stores.clear();
    rmSync(folder, { recursive: true, force: true });
  }
}
