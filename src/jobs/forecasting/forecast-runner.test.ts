import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  createBackgroundRunner,
  createWorkerRunner,
  type EngineCall,
  type EngineThread,
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

const NICE_FIELD = 16;

function countLowestThreads(): number {
  const stats = readdirSync('/proc/self/task').map((id) =>
    readFileSync(`/proc/self/task/${id}/stat`, 'utf8'),
  );
  // The thread name in parentheses may contain spaces, so split after it.
  return stats.filter((stat) => stat.split(') ').at(-1)!.split(' ')[NICE_FIELD] === '19').length;
}

describe('background work', {
  skip: process.platform !== 'linux' && 'per-thread priority is Linux-only',
}, () => {
  it("lowers only its own thread's priority", async () => {
    const before = countLowestThreads();
    const runner = createBackgroundRunner();
    try {
      await assert.rejects(runner.observe('unknown', []), /no history has been loaded/);
      assert.equal(countLowestThreads(), before + 1);
    } finally {
      await runner.close();
    }
  });
});
