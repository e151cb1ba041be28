import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../domain/units.ts';
import { createManualClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { createJob } from './job.ts';

describe('a job', () => {
  it('repeats a failed round after a minute, and waits its whole period after a good one', async () => {
    const clock = createManualClock(0);
    const startedTs: number[] = [];
    const job = createJob({
      ...{ name: 'test', periodMs: 6 * HOUR_MS, clock, logger: silentLogger },
      async run() {
        startedTs.push(clock.now());
        if (startedTs.length === 1) throw new Error('the store is down');
      },
    });
    job.start();
    for (let minute = 0; minute < 7 * 60; minute++) {
      await new Promise(setImmediate);
      clock.advance(MINUTE_MS);
    }
    await job.stop();
    assert.deepEqual(startedTs, [0, MINUTE_MS, MINUTE_MS + 6 * HOUR_MS]);
  });
});
