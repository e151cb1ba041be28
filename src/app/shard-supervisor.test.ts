import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listShards } from '../domain/shard.ts';
import { createManualClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import type { ShardStore, Store } from '../store/ports.ts';
import { createShardSupervisor } from './shard-supervisor.ts';

const ACCOUNTS = Array.from({ length: 40 }, (_, i) => ({ accountId: `account_${i}` }));
const SHARDS = listShards(ACCOUNTS);

/** Locks of several processes, in memory. */
function createLocks() {
  const held = new Map<number, symbol>();
  const members = new Map<symbol, AbortController>();
  const refused = new Set<number>();
  let epoch = 0;
  const store: ShardStore = {
    listLeaders: async () => [],
    async join() {
      const member = Symbol('member');
      const lost = new AbortController();
      members.set(member, lost);
      const leave = () => {
        members.delete(member);
        for (const [shard, holder] of held) if (holder === member) held.delete(shard);
      };
      lost.signal.addEventListener('abort', leave);
      return {
        lost: lost.signal,
        look: async () => ({ processes: members.size, taken: new Set(held.keys()) }),
        async take(shard) {
          if (held.has(shard)) return null;
          if (refused.delete(shard)) throw new Error('the row is locked');
          held.set(shard, member);
          const release = async () => void (held.get(shard) === member && held.delete(shard));
          return { epoch: ++epoch, lost: lost.signal, release, store: {} as Store };
        },
        leave: async () => leave(),
      };
    },
  };
  return { store, held, members, refused };
}

describe('the shards of a process', () => {
  it('are its share of all, before and after others come and go', async () => {
    const clock = createManualClock(0);
    const locks = createLocks();
    const running = new Set<string>();
    const start = (name: string) => {
      const prepare = async (shard: number) => ({
        start: () => void running.add(`${name} ${shard}`),
        stop: async () => void running.delete(`${name} ${shard}`),
      });
      const options = { shards: locks.store, accounts: ACCOUNTS, logger: silentLogger, prepare, clock };
      const supervisor = createShardSupervisor(options);
      void supervisor.start();
      return supervisor;
    };
    const pass = async () => {
      for (let i = 0; i < 120; i++) await clock.advanceAsync(500);
      assert.equal(running.size, SHARDS.length);
      assert.equal(locks.held.size, SHARDS.length);
    };
    locks.refused.add(SHARDS[0]!);
    const first = start('first');
    await pass();
    assert.ok(SHARDS.every((shard) => first.leads(shard)));
    const second = start('second');
    await pass();
    const led = SHARDS.filter((shard) => second.leads(shard)).length;
    assert.equal(led, Math.floor(SHARDS.length / 2));
    // Its session ends, as after kill -9 or a restart of the database; it joins again.
    [...locks.members.values()][0]!.abort(new Error('the connection ended'));
    await pass();
    await first.stop();
    await pass();
    assert.ok(SHARDS.every((shard) => second.leads(shard)) && !first.isLeading());
    await second.stop();
    assert.deepEqual([...running], []);
  });

  it('are given back and taken again if their state cannot be rebuilt', async () => {
    const clock = createManualClock(0);
    const locks = createLocks();
    let attempts = 0;
    const prepare = async () => {
      attempts += 1;
      if (attempts <= 2) throw new Error('the store is down');
      return { start: () => {}, stop: async () => {} };
    };
    const accounts = ACCOUNTS.slice(0, 1);
    const options = { shards: locks.store, accounts, logger: silentLogger, prepare, clock };
    const supervisor = createShardSupervisor(options);
    void supervisor.start();
    for (let i = 0; i < 20; i++) await clock.advanceAsync(500);
    assert.equal(attempts, 3);
    assert.equal(locks.held.size, 1);
    await supervisor.stop();
    assert.equal(locks.held.size, 0);
  });

  it('are not passed on before their state is rebuilt', async () => {
    const clock = createManualClock(0);
    const locks = createLocks();
    const rebuilt = Promise.withResolvers<void>();
    const start = (prepared: Promise<void>) => {
      const prepare = async () => {
        await prepared;
        return { start: () => {}, stop: async () => {} };
      };
      const options = { shards: locks.store, accounts: ACCOUNTS, logger: silentLogger, prepare, clock };
      const supervisor = createShardSupervisor(options);
      void supervisor.start();
      return supervisor;
    };
    const first = start(rebuilt.promise);
    await clock.advanceAsync(10_000);
    const second = start(Promise.resolve());
    for (let i = 0; i < 120; i++) await clock.advanceAsync(500);
    assert.ok(SHARDS.every((shard) => first.leads(shard)));
    rebuilt.resolve();
    for (let i = 0; i < 120; i++) await clock.advanceAsync(500);
    assert.equal(SHARDS.filter((shard) => second.leads(shard)).length, Math.floor(SHARDS.length / 2));
    await Promise.all([first.stop(), second.stop()]);
  });

  it('pass on to another process while their work still stops', async () => {
    const clock = createManualClock(0);
    const locks = createLocks();
    const stopped = Promise.withResolvers<void>();
    const start = (stop: () => Promise<void>) => {
      const prepare = async () => ({ start: () => {}, stop });
      const options = { shards: locks.store, accounts: ACCOUNTS, logger: silentLogger, prepare, clock };
      const supervisor = createShardSupervisor(options);
      void supervisor.start();
      return supervisor;
    };
    const first = start(() => stopped.promise);
    for (let i = 0; i < 20; i++) await clock.advanceAsync(500);
    const second = start(async () => {});
    for (let i = 0; i < 120; i++) await clock.advanceAsync(500);
    assert.equal(SHARDS.filter((shard) => second.leads(shard)).length, Math.floor(SHARDS.length / 2));
    assert.ok(SHARDS.every((shard) => first.leads(shard) !== second.leads(shard)));
    stopped.resolve();
    await second.stop();
    await first.stop();
    assert.equal(locks.held.size, 0);
  });
});
