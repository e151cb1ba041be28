import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { createDiskWatch } from './answering.ts';

const MEGABYTE = 1024 * 1024;

describe('disk watch', () => {
  it('reports when a disk is nearly full and when it has room again', async () => {
    const clock = createManualClock(0);
    let freeBytes = 100_000 * MEGABYTE;
    const watch = createDiskWatch({
      folder: '.',
      clock,
      logger: silentLogger,
      readFreeBytes: async () => freeBytes,
    });
    await watch.start();
    assert.equal(watch.problem(), null);
    freeBytes = 10 * MEGABYTE;
    await clock.advanceAsync(30_000);
    assert.equal(watch.problem(), 'the disk is nearly full: 10 MB left');
    freeBytes = 1_000 * MEGABYTE;
    await clock.advanceAsync(30_000);
    assert.equal(watch.problem(), null);
    await watch.stop();
  });

  it('does not check again if stopped during a check', async () => {
    const clock = createManualClock(0);
    const reads: PromiseWithResolvers<number>[] = [];
    const watch = createDiskWatch({
      folder: '.',
      clock,
      logger: silentLogger,
      readFreeBytes() {
        reads.push(Promise.withResolvers());
        return reads.at(-1)!.promise;
      },
    });
    void watch.start();
    const stopped = watch.stop();
    reads[0]!.resolve(100_000 * MEGABYTE);
    await stopped;
    await clock.advanceAsync(300_000);
    assert.equal(reads.length, 1);
  });
});
