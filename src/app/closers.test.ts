import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../runtime/clock.ts';
import { type Logger, silentLogger } from '../runtime/logger.ts';
import { createClosers } from './closers.ts';

/** Longer than the time limits of two components. */
const STOP_WITHIN_MS = 16_000;

describe('closers', () => {
  it('close components once each, in reverse order', async () => {
    const closed: string[] = [];
    const closers = createClosers(silentLogger);
    for (const name of ['store', 'sources', 'api']) closers.add(name, async () => void closed.push(name));
    await closers.closeAll();
    await closers.closeAll();
    assert.deepEqual(closed, ['api', 'sources', 'store']);
  });

  it('report a component that fails to close and still close the others', async () => {
    const reported: unknown[] = [];
    const logger: Logger = { ...silentLogger, error: (fields) => void reported.push(fields) };
    const closed: string[] = [];
    const closers = createClosers(logger);
    closers.add('store', async () => void closed.push('store'));
    closers.add('api', () => Promise.reject(new Error('stuck')));
    await closers.closeAll();
    assert.deepEqual(closed, ['store']);
    assert.deepEqual(reported, [{ part: 'api', error: 'stuck' }]);
  });

  it('close every component even if some hang, and end in time', async () => {
    const clock = createManualClock(0);
    const closers = createClosers(silentLogger, clock);
    const closed: string[] = [];
    closers.add('store', async () => void closed.push('store'));
    for (const name of ['hung', 'also hung']) closers.add(name, () => new Promise(() => {}));
    const all = closers.closeAll();
    await clock.advanceAsync(STOP_WITHIN_MS);
    await all;
    assert.deepEqual(closed, ['store']);
  });
});
