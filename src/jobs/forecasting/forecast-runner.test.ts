import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import {
  createRunnerPool,
  createWorkerRunner,
  type EngineCall,
  type EngineThread,
  type ForecastRunner,
} from './forecast-runner.ts';

class FakeThread extends EventEmitter {
  readonly calls: EngineCall[] = [];
  isTerminated = false;
  postMessage(call: EngineCall): void {
    this.calls.push(call);
  }
  async terminate(): Promise<number> {
    this.isTerminated = true;
    return 0;
  }
  unref(): void {}
}

describe('forecast worker', () => {
  it('does not affect its replacement if it exits late', async () => {
    const threads: FakeThread[] = [];
    const runner = createWorkerRunner(() => {
      threads.push(new FakeThread());
      return threads.at(-1) as unknown as EngineThread;
    });
    const ask = () => runner.forecast(...([] as unknown as Parameters<typeof runner.forecast>));
    const failed = assert.rejects(ask(), /broken/);
    threads[0]!.emit('error', new Error('broken'));
    await failed;
    const answered = ask();
    threads[0]!.emit('exit', 1);
    threads[1]!.emit('message', { id: threads[1]!.calls[0]!.id, result: 'done' });
    assert.equal(await answered, 'done');
    void ask();
    assert.equal(threads.length, 2, 'the replacement stays in use');
    await runner.close();
    assert.equal(threads[1]!.isTerminated, true);
  });
});

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
