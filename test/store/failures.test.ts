import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';
import { waitUntil } from '../support/boot.ts';
import { createPlace, type StorePlace } from './engines.ts';
import type { TcpGate } from './tcp-gate.ts';
import { createTcpGate } from './tcp-gate.ts';

const UNREACHABLE = { name: 'StoreError', isRetryable: true };

/** Opens a store connected to the server through a TCP gate. */
async function withGate(
  run: (store: Store, gate: TcpGate, place: StorePlace) => Promise<void>,
): Promise<void> {
  const place = await createPlace('postgres');
  const url = new URL(place.options.databaseUrl!);
  const gate = await createTcpGate(Number(url.port));
  url.port = String(gate.port);
  const store = await openStore({ ...place.options, databaseUrl: url.toString() });
  try {
    await run(store, gate, place);
  } finally {
    gate.open();
    await store.close();
    await gate.close();
    await place.clear();
  }
}

describe('a PostgreSQL outage', () => {
  it('makes calls fail with a clear message until the server recovers', async () => {
    await withGate(async (store, gate) => {
      await store.cursors.put('a', '1');
      gate.shut();
      await assert.rejects(store.cursors.find('a'), UNREACHABLE);
      await assert.rejects(store.cursors.put('a', '2'), UNREACHABLE);
      assert.equal((await store.health()).isWritable, false);
      gate.open();
      assert.equal(await store.cursors.find('a'), '1');
      await store.cursors.put('a', '3');
      assert.deepEqual(await store.health(), { isWritable: true, problem: null });
    });
  });

  it('does not affect readers if only their sessions end', async () => {
    const place = await createPlace('postgres');
    try {
      const logged: object[] = [];
      const logger = { ...silentLogger, warn: (details: object) => void logged.push(details) };
      const store = await openStore({ ...place.options, logger });
      await Promise.all(Array.from({ length: 8 }, () => store.cursors.put('a', '1')));
      await place.endConnections();
      const values = await Promise.all(Array.from({ length: 8 }, () => store.cursors.find('a')));
      assert.deepEqual(values, Array(8).fill('1'));
      await waitUntil(() => logged.length > 0);
      await store.close();
      for (const details of logged) assert.deepEqual(Object.keys(details), ['error'], 'no connection');
    } finally {
      await place.clear();
    }
  });

  it('is followed by notifications of missed snapshots', async () => {
    await withGate(async (store, gate, place) => {
      const teller = await place.open();
      const heard: string[] = [];
      let onHeard = () => {};
      await store.snapshots.listen((name, version) => {
        heard.push(`${name} ${version}`);
        onHeard();
      });
      gate.shut();
      await teller.snapshots.put('a', 7, '{}');
      const reported = new Promise<void>((resolve) => (onHeard = resolve));
      gate.open();
      await reported;
      assert.deepEqual(heard, ['a 7']);
    });
  });
});

describe('a long loop of reads on the embedded store', () => {
  it('lets other work run in between', async () => {
    const place = await createPlace('sqlite');
    const store = await openStore(place.options);
    let turns = 0;
    let isOver = false;
    const takeTurns = () => {
      turns++;
      if (!isOver) setImmediate(takeTurns);
    };
    setImmediate(takeTurns);
    for (let i = 0; i < 5_000; i++) await store.cursors.find('a');
    isOver = true;
    assert.ok(turns > 1, `${turns} turns`);
    await store.close();
    await place.clear();
  });
});
