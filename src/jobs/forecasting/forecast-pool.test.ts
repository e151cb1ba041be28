import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRunnerPool } from './forecast-pool.ts';
import type { ForecastRunner } from './forecast-runner.ts';

function createNoting() {
  const asked: string[][] = [];
  let isClosed = 0;
  const create = () => {
    const own: string[] = [];
    asked.push(own);
    const note = (method: string) => async (accountId: unknown) => void own.push(`${method} ${accountId}`);
    return {
      load: note('load'),
      observe: note('observe'),
      forecast: note('forecast'),
      whatIf: note('whatIf'),
      close: async () => void (isClosed += 1),
    } as unknown as ForecastRunner;
  };
  return { asked, create, closed: () => isClosed };
}

describe('forecaster threads', () => {
  it('split the accounts evenly and keep each account on one thread', async () => {
    const { asked, create, closed } = createNoting();
    const pool = createRunnerPool(2, create);
    const call = (method: 'load' | 'observe' | 'forecast', accountId: string) =>
      (pool[method] as (id: string) => Promise<unknown>)(accountId);
    for (const accountId of ['a', 'b', 'c']) await call('load', accountId);
    for (const accountId of ['c', 'b', 'a']) await call('forecast', accountId);
    await call('load', 'a');
    assert.deepEqual(asked, [
      ['load a', 'load c', 'forecast c', 'forecast a', 'load a'],
      ['load b', 'forecast b'],
    ]);
    await pool.close();
    assert.equal(closed(), 2);
  });
});
