import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import type { UsageColumns, UsageStore } from '../../store/ports.ts';
import { createUsageRecorder } from './usage-recorder.ts';

function createScene(capacity = 100) {
  const clock = createManualClock(10_250);
  const writes: number[] = [];
  const append = async (rows: unknown) => void writes.push((rows as UsageColumns).length);
  const recorder = createUsageRecorder(
    { append } as UsageStore,
    { isEnabled: true, capacity, flushIntervalMs: 5_000, retentionDays: 90 },
    clock,
    silentLogger,
  );
  const ask = (times: number) => {
    for (let i = 0; i < times; i++) recorder.ring.push(clock.now(), 'k', `/${i}`, 'GET', 200, 1, 10, null);
  };
  recorder.start();
  return { clock, writes, recorder, ask };
}

describe('usage recorder', () => {
  it("writes an interval's rows in one batch when it ends", async () => {
    const { clock, writes, recorder, ask } = createScene();
    for (let second = 0; second < 4; second++) {
      ask(2);
      await clock.advanceAsync(1_000);
    }
    assert.deepEqual(writes, []);
    await clock.advanceAsync(1_000);
    assert.deepEqual(writes, [8]);
    ask(1);
    await clock.advanceAsync(5_000);
    assert.deepEqual(writes, [8, 1]);
    await recorder.stop();
  });

  it('flushes before the ring fills up', async () => {
    const { clock, writes, recorder, ask } = createScene(10);
    ask(5);
    await clock.advanceAsync(1_000);
    assert.deepEqual(writes, [5]);
    await recorder.stop();
  });

  it('writes the remaining rows when it stops', async () => {
    const { writes, recorder, ask } = createScene();
    ask(3);
    await recorder.stop();
    assert.deepEqual(writes, [3]);
  });
});
