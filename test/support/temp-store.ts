// Folders and embedded stores for one test run.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';

const folders = new Set<string>();

/** A new folder that is removed when the test program ends. */
export function makeTempFolder(name: string): string {
  if (folders.size === 0) process.once('exit', removeFolders);
  const folder = mkdtempSync(join(tmpdir(), `tallycast-${name}-`));
  folders.add(folder);
  return folder;
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

export interface TempStore {
  store: Store;
  close(): Promise<void>;
}

/** An embedded store in a separate folder. */
export async function openTempStore(clock: Clock = systemClock): Promise<TempStore> {
  const store = await openStore({ dataDir: makeTempFolder('store'), clock, logger: silentLogger });
  return { store, close: () => store.close() };
}
