import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFairTurns } from './fair-turns.ts';

describe('fair scheduling', () => {
  it("serves a second caller after only one of the first caller's 32 requests", async () => {
    const turns = createFairTurns();
    const served: string[] = [];
    const ask = (caller: string) => turns.enter(caller, async () => void served.push(caller));
    const greedy = Array.from({ length: 32 }, () => ask('greedy'));
    await greedy[0];
    await ask('other');
    assert.ok(served.indexOf('other') <= 3, served.join(' '));
    await Promise.all(greedy);
    assert.equal(served.length, 33);
  });

  it('runs one task at a time and continues after a failure', async () => {
    const turns = createFairTurns();
    let atWork = 0;
    const work = async (fails: boolean) => {
      atWork += 1;
      assert.equal(atWork, 1);
      await new Promise((resolve) => setImmediate(resolve));
      atWork -= 1;
      if (fails) throw new Error('failed');
    };
    const all = [true, false, true, false].map((fails, i) => turns.enter(`caller ${i}`, () => work(fails)));
    const settled = await Promise.allSettled(all);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });
});
