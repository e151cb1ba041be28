import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../src/domain/units.ts';
import { HISTORY_DAYS, loadOrCreateSimulatorState } from './state-file.ts';

const NOW_TS = Date.UTC(2026, 10, 15, 15, 7);

function inFolder(run: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
  try {
    run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('simulator file', () => {
  it('anchors the first start at the beginning of history and keeps that anchor', () =>
    inFolder((folder) => {
      const first = loadOrCreateSimulatorState(folder, { seed: 3, speed: 1, nowTs: NOW_TS });
      assert.equal(first.originTs, NOW_TS);
      assert.equal(first.anchorTs % DAY_MS, 0);
      assert.ok(NOW_TS - first.anchorTs >= HISTORY_DAYS * DAY_MS);
      const second = loadOrCreateSimulatorState(folder, { speed: 1, nowTs: NOW_TS + 9 * DAY_MS });
      assert.deepEqual(
        [second.seed, second.anchorTs, second.originTs],
        [3, first.anchorTs, NOW_TS + 9 * DAY_MS],
      );
    }));

  it('never lets a fast simulator go back in time, even if killed after a save', () =>
    inFolder((folder) => {
      const fast = loadOrCreateSimulatorState(folder, { speed: 1000, nowTs: NOW_TS });
      fast.save(NOW_TS + 5 * HOUR_MS);
      const killedAtTs = NOW_TS + 5 * HOUR_MS + 2000 * 1000;
      const again = loadOrCreateSimulatorState(folder, { speed: 1000, nowTs: NOW_TS + 60_000 });
      assert.ok(again.originTs >= killedAtTs);
      assert.ok(again.originTs < killedAtTs + 2 * HOUR_MS);
    }));

  it('rejects a different seed on the same data', () =>
    inFolder((folder) => {
      loadOrCreateSimulatorState(folder, { seed: 3, speed: 1, nowTs: NOW_TS });
      assert.throws(() => loadOrCreateSimulatorState(folder, { seed: 4, speed: 1, nowTs: NOW_TS }), /seed 3/);
    }));
});
