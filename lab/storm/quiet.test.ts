import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { it } from 'node:test';
import { createQuiet } from './quiet.ts';

it('leaves no listener behind after store calls, and skips those of a dead process', async () => {
  const quiet = createQuiet();
  const death = new AbortController();
  const calls = [1, 2, 3].map((value) => quiet.run('test', async () => value, death.signal));
  assert.deepEqual(await Promise.all(calls), [1, 2, 3]);
  await quiet.settle();
  assert.equal(getEventListeners(death.signal, 'abort').length, 0);
  void quiet.run('test', () => new Promise(() => {}), death.signal);
  void quiet.run('test', () => assert.fail('ran after death'), death.signal);
  death.abort();
  await quiet.settle();
});
