// The disk becomes full at any write, as reported by the operating system. For many more rounds, run `npx
// tallycast lab disk-full`.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createFullDisk, type FullDisk } from './full-disk.ts';
import { runServiceRounds, runStoreRounds } from './rounds.ts';

describe('a full disk', () => {
  let disk: FullDisk;
  beforeEach(() => {
    disk = createFullDisk();
  });
  afterEach(() => disk.clear());

  it('at any store write is reported, allows reads, corrupts nothing, and only delays writes', async () => {
    const result = await runStoreRounds(disk, { rounds: Infinity, bodyBytes: 1_000 });
    assert.ok(result.refused > result.rounds);
  });

  it('during large writes or a checkpoint has the same effect', async () => {
    const result = await runStoreRounds(disk, { rounds: 20, bodyBytes: 5_000_000 });
    assert.ok(result.writesPerRound > 2_000, 'the write-ahead log was merged into the file');
  });

  it('interrupts no reads and loses no post in the whole service', async () => {
    const result = await runServiceRounds(disk, { rounds: 2, seed: 1 });
    assert.ok(result.reads > 0);
  });
});
