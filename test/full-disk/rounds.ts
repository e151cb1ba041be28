// Starts the processes on the full disk and returns their results; throws on failure.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FullDisk } from './full-disk.ts';
import type { ServiceResult } from './service-child.ts';
import type { RoundsResult } from './store-child.ts';

const run = promisify(execFile);

export function runStoreRounds(
  disk: FullDisk,
  { rounds, bodyBytes }: { rounds: number; bodyBytes: number },
): Promise<RoundsResult> {
  return runChild<RoundsResult>(disk, 'store-child.ts', [rounds, bodyBytes]);
}

export function runServiceRounds(
  disk: FullDisk,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<ServiceResult> {
  return runChild<ServiceResult>(disk, 'service-child.ts', [rounds, seed]);
}

async function runChild<T>(disk: FullDisk, file: string, numbers: number[]): Promise<T> {
  const args = [join(import.meta.dirname, file), disk.folder, disk.control, ...numbers.map(String)];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...disk.env } });
  return JSON.parse(stdout) as T;
}
