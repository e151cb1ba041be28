// The disk becomes full at any write, as reported by the operating system.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createFullDisk, type FullDisk } from './full-disk.ts';
import type { RoundsResult } from './store-child.ts';

describe('a full disk', () => {
  let disk: FullDisk;
  beforeEach(() => {
    disk = createFullDisk();
  });
  afterEach(() => disk.clear());

  async function runRounds(rounds: number, bodyBytes: number): Promise<RoundsResult> {
    const child = join(import.meta.dirname, 'store-child.ts');
    const args = [child, disk.folder, disk.control, String(rounds), String(bodyBytes)];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, ...disk.env },
    });
    return JSON.parse(stdout) as RoundsResult;
  }

  it('at any store write is reported, allows reads, corrupts nothing, and only delays writes', async () => {
    const result = await runRounds(Infinity, 1_000);
    assert.ok(result.refused > result.rounds);
  });

  it('during large writes or a checkpoint has the same effect', async () => {
    const result = await runRounds(20, 5_000_000);
    assert.ok(result.writesPerRound > 2_000, 'the write-ahead log was merged into the file');
  });
});
