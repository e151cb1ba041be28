import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { listShards, planShare, SHARDS, shardOf } from './shard.ts';

const ACCOUNTS = Array.from({ length: 1_000 }, (_, i) => ({ accountId: `account_${i}` }));

describe('shards', () => {
  it('never change for an account, because stored epochs belong to them', () => {
    assert.deepEqual(['a', 'b', 'elonmusk', 'account_17'].map(shardOf), [1, 10, 11, 3]);
  });

  it('have similar numbers of accounts', () => {
    const sizes = [...Map.groupBy(ACCOUNTS, ({ accountId }) => shardOf(accountId)).values()].map(
      (of) => of.length,
    );
    assert.equal(sizes.length, SHARDS);
    assert.ok(Math.max(...sizes) < 1.5 * (ACCOUNTS.length / SHARDS), sizes.join());
    assert.ok(listShards(ACCOUNTS).every((shard) => shard >= 1 && shard <= SHARDS));
  });

  it('are led completely and evenly after a few looks, while processes come and go', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: SHARDS }), counts, (size, stages) => {
        const shards = Array.from({ length: size }, (_, i) => i + 1);
        let held: number[][] = [];
        for (const processes of stages) {
          held = Array.from({ length: processes }, (_, i) => held[i] ?? []);
          for (let round = 0; round < 2 * SHARDS; round++) held = lookInTurn(shards, held);
          assert.deepEqual(
            held.flat().sort((a, b) => a - b),
            shards,
          );
          assert.ok(held.every((own) => own.length <= Math.ceil(size / processes)));
        }
      }),
    );
  });

  it('pass to a survivor at once, and to a process that joins one at a time', () => {
    const shards = Array.from({ length: SHARDS }, (_, i) => i + 1);
    const held = shards.slice(0, 8);
    const alone = planShare({ shards, held, taken: new Set(held), processes: 1 });
    assert.deepEqual(alone, { take: shards.slice(8), giveBack: [] });
    const view = { shards, held: shards, processes: 2 };
    assert.deepEqual(planShare({ ...view, taken: new Set(shards) }), { take: [], giveBack: [9] });
    assert.deepEqual(planShare({ ...view, taken: new Set(shards.slice(1)) }).giveBack, []);
  });
});

/** Each process looks once, one after the other. */
function lookInTurn(shards: readonly number[], held: readonly number[][]): number[][] {
  const next = held.map((own) => [...own]);
  for (const [i, own] of next.entries()) {
    const taken = new Set(next.flat());
    const { take, giveBack } = planShare({ shards, held: own, taken, processes: held.length });
    next[i] = [...own.filter((shard) => !giveBack.includes(shard)), ...take];
  }
  return next;
}
