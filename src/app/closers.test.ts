import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Logger, silentLogger } from '../runtime/logger.ts';
import { createClosers } from './closers.ts';

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
});
