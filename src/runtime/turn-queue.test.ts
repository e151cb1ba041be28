import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTurnQueue } from './turn-queue.ts';

describe('turn queue', () => {
  it('runs the most urgent first, only so many at a time', async () => {
    const queue = createTurnQueue(2);
    const begun: number[] = [];
    const open = new Map<number, PromiseWithResolvers<void>>();
    const work = (urgency: number) =>
      queue.enter(urgency, async () => {
        begun.push(urgency);
        open.set(urgency, Promise.withResolvers());
        await open.get(urgency)!.promise;
      });
    const all = [1, 5, 3, 4, 2].map(work);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    await turn();
    assert.deepEqual(begun, [5, 4]);
    open.get(4)!.reject(new Error('load failed'));
    await assert.rejects(all[3]!, /load failed/);
    await turn();
    assert.deepEqual(begun, [5, 4, 3]);
    const late = work(9);
    open.get(5)!.resolve();
    await turn();
    assert.deepEqual(begun, [5, 4, 3, 9]);
    for (const urgency of [3, 9, 2, 1]) {
      open.get(urgency)!.resolve();
      await turn();
    }
    await Promise.all([late, ...all.filter((_, i) => i !== 3)]);
  });
});
