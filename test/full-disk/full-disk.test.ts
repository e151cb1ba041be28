// The disk is full at any write, as reported by the operating system. `npx tallycast lab disk-full` runs many
// more rounds.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createFullDisk, type FullDisk } from './full-disk.ts';
import { runServiceRounds, runStoreRounds } from './rounds.ts';

describe('full disk', () => {
  let disk: FullDisk;
  beforeEach(() => {
    disk = createFullDisk();
  });
  afterEach(() => disk.clear());

  it('at any store write is reported, allows reads, damages nothing, and delays writes until there is space', async () => {
    const result = await runStoreRounds(disk, { rounds: Infinity, bodyBytes: 1_000 });
    assert.ok(result.refused > result.rounds);
  });

  it('during large writes or a checkpoint has the same effect', async () => {
    const result = await runStoreRounds(disk, { rounds: 20, bodyBytes: 5_000_000 });
    assert.ok(result.writesPerRound > 2_000, 'the write-ahead log was merged into the file');
  });

  it('under the whole service, from its first minute, interrupts no reads and loses no post', async () => {
    const result = await runServiceRounds(disk, { rounds: 2, seed: 1 });
    assert.ok(result.reads > 0);
  });
});
