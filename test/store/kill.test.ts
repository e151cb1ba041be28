import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { verifyStore } from '../../src/cli/verify-store.ts';
import { createRandom } from '../../src/runtime/random.ts';
import type { Store } from '../../src/store/ports.ts';
import { describeFreshStore, type StorePlace } from './engines.ts';
import { START_TS } from './samples.ts';

const CHILD = fileURLToPath(new URL('./writing-child.ts', import.meta.url));
const ROUNDS = { sqlite: 12, postgres: 3 };
const MAX_LIFE_MS = 40;

describeFreshStore('a killed writer', (test, engine) => {
  test(`loses no acknowledged row in ${ROUNDS[engine]} rounds`, async (store, place) => {
    const random = createRandom(20261115);
    const acknowledged: string[] = [];
    const rounds = Array.from({ length: ROUNDS[engine] }, (_, round) => round);
    // Run two at a time, which also covers two processes writing one file, and takes less time.
    const runLane = async (lane: number) => {
      for (const round of rounds.filter((candidate) => candidate % 2 === lane)) {
        acknowledged.push(...(await writeUntilKilled(place, round, random.uniform() * MAX_LIFE_MS)));
      }
    };
    await Promise.all([runLane(0), runLane(1)]);
    assert.ok(acknowledged.length >= ROUNDS[engine], `only ${acknowledged.length} rows were acknowledged`);
    await assertAllThere(store, acknowledged);
    await assertLogWhole(store, acknowledged);
    if (engine === 'sqlite') assertSound(join(place.options.dataDir, 'tallycast.sqlite'));
  });
});

/** Kills the child some time after its first acknowledgement, so that every kill interrupts writes. */
async function writeUntilKilled(place: StorePlace, round: number, lifeMs: number): Promise<string[]> {
  const { dataDir, databaseUrl } = place.options;
  const args = [CHILD, dataDir, String(round), ...(databaseUrl ? [databaseUrl] : [])];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(dataDir, 'compiled') },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  await wait(lifeMs);
  child.kill('SIGKILL');
  await once(child, 'close');
  // Drop an incomplete last line, which was not an acknowledgement.
  return output.split('\n').slice(0, -1);
}

async function assertAllThere(store: Store, acknowledged: readonly string[]): Promise<void> {
  const posts = new Set(await store.posts.listStandingIds('a', 0));
  const usage = await store.usage.byEndpoint('key-1', START_TS, START_TS + 1);
  const used = new Map(usage.map(({ endpoint, requests }) => [endpoint, requests]));
  assert.deepEqual(
    acknowledged.filter((id) => !posts.has(id) || used.get(id) !== 1),
    [],
  );
}

/** Checks that every acknowledged entry is sealed or waiting, exactly once, and that the chain is intact. */
async function assertLogWhole(store: Store, acknowledged: readonly string[]): Promise<void> {
  const { problems, hours } = await verifyStore(store);
  assert.deepEqual(problems, []);
  assert.ok(hours > 0, 'no hour was sealed');
  const texts = (await store.seals.readOpen()).entries.map(({ entry }) => entry);
  for (const { hourTs } of await store.seals.list(-1, 100_000)) {
    texts.push(...(await store.seals.findHour(hourTs))!.entries);
  }
  const logged = texts.map((text) => JSON.parse(text).content.postId as string);
  const known = new Set(logged);
  assert.equal(known.size, logged.length);
  assert.deepEqual(
    acknowledged.filter((id) => !known.has(id)),
    [],
  );
}

function assertSound(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  const result = database.prepare('pragma integrity_check').get();
  database.close();
  assert.equal(result?.integrity_check, 'ok');
}
