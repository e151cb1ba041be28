import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gatherAllowances } from './gather-allowances.ts';
import type { AllowanceOrder } from './queries/allowances.ts';

const WINDOW = { windowMs: 1_000, slotMs: 1, nowTs: 0 };

/** Resolves on demand, and records which requests were batched together. */
function createSettling() {
  const batches: AllowanceOrder[][] = [];
  const open: PromiseWithResolvers<void>[] = [];
  const settle: Parameters<typeof gatherAllowances>[0]['settle'] = async (orders) => {
    batches.push([...orders]);
    const answer = Promise.withResolvers<void>();
    open.push(answer);
    await answer.promise;
    return orders.map(({ kind, args }) =>
      kind === 'take' ? { granted: args[1], used: args[1], nextFreeTs: 0 } : null,
    );
  };
  return { batches, open, queries: { settle } as Parameters<typeof gatherAllowances>[0] };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('batched allowance requests', () => {
  it('are sent together, in order, if they arrive while a batch runs', async () => {
    const { batches, open, queries } = createSettling();
    const allowances = gatherAllowances(queries);
    const first = [allowances.take('a', 1, 9, WINDOW), allowances.take('b', 2, 9, WINDOW)];
    await turn();
    const given = allowances.giveBack('a', 1, { ...WINDOW, takenTs: 0 });
    const later = allowances.take('a', 3, 9, WINDOW);
    open[0]!.resolve();
    assert.deepEqual(
      (await Promise.all(first)).map(({ granted }) => granted),
      [1, 2],
    );
    await turn();
    open[1]!.resolve();
    await given;
    assert.equal((await later).granted, 3);
    assert.deepEqual(
      batches.map((batch) => batch.map(({ kind, args }) => `${kind} ${args[0]} ${args[1]}`)),
      [
        ['take a 1', 'take b 2'],
        ['give-back a 1', 'take a 3'],
      ],
    );
  });

  it('fail together, without stopping the next batch', async () => {
    const { open, queries } = createSettling();
    const allowances = gatherAllowances(queries);
    const failing = [allowances.take('a', 1, 9, WINDOW), allowances.take('b', 1, 9, WINDOW)];
    await turn();
    open[0]!.reject(new Error('unavailable'));
    for (const one of failing) await assert.rejects(one, /unavailable/);
    const next = allowances.take('a', 1, 9, WINDOW);
    await turn();
    open[1]!.resolve();
    assert.equal((await next).granted, 1);
  });
});
