// A folder on a simulated disk that can become full at any write, for child processes started with `env`.

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SpaceControl {
  /** Allows this many more writes, after which every write fails. */
  allow(writes: number): void;
  free(): void;
  /** Number of attempted writes so far. */
  asked(): number;
}

export interface FullDisk extends SpaceControl {
  readonly folder: string;
  /** File from which child processes read the allowed number of writes. */
  readonly control: string;
  readonly env: Record<string, string>;
  clear(): void;
}

const NO_LIMIT = -1;

export function createFullDisk(): FullDisk {
  const scratchDir = mkdtempSync(join(tmpdir(), 'tallycast-full-disk-'));
  const library = join(scratchDir, 'full-disk.so');
  const source = join(import.meta.dirname, 'full-disk.c');
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
  const control = join(scratchDir, 'control');
  writeFileSync(control, new Uint8Array(new BigInt64Array([BigInt(NO_LIMIT), 0n]).buffer));
  const folder = join(scratchDir, 'disk');
  return {
    folder,
    control,
    env: { LD_PRELOAD: library, FULL_DISK_FOLDER: folder, FULL_DISK_CONTROL: control },
    ...openSpaceControl(control),
    clear: () => rmSync(scratchDir, { recursive: true, force: true }),
  };
}

export function openSpaceControl(control: string): SpaceControl {
  function access<T>(use: (file: number) => T): T {
    const file = openSync(control, 'r+');
    try {
      return use(file);
    } finally {
      closeSync(file);
    }
  }
  const allow = (writes: number) =>
    access((file) => void writeSync(file, new BigInt64Array([BigInt(writes)]), 0, 8, 0));
  return {
    allow,
    free: () => allow(NO_LIMIT),
    asked: () =>
      access((file) => {
        const numbers = new BigInt64Array(2);
        readSync(file, numbers, 0, 16, 0);
        return Number(numbers[1]);
      }),
  };
}
