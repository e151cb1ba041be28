import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { lockTrader } from './journal.ts';

it('allows one trader per folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-lock-'));
  try {
    const unlock = lockTrader(folder);
    assert.throws(() => lockTrader(folder), /a trader is already running/);
    unlock();
    lockTrader(folder)();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
