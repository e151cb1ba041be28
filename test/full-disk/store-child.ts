// Writes a little of everything while the disk becomes full at the first write, then at the second and so on,
// and checks the stored data after each round. Prints one line of JSON. Run as:
// node test/full-disk/store-child.ts DATA_DIR CONTROL ROUNDS BODY_BYTES

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../src/runtime/clock.ts';
import { StoreError } from '../../src/runtime/errors.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import {
  START_TS,
  sampleEntry,
  sampleForecast,
  samplePayment,
  samplePost,
  sampleQuote,
  sampleUsage,
} from '../store/samples.ts';
import { openSpaceControl } from './full-disk.ts';

export interface RoundsResult {
  rounds: number;
  /** Writes per round. */
  writesPerRound: number;
  granted: number;
  refused: number;
}

const [dataDir, control, rounds, bodyBytes] = process.argv.slice(2);
const space = openSpaceControl(control!);
const store = await openStore({ dataDir: dataDir!, clock: systemClock, logger: silentLogger });
const checker = new DatabaseSync(join(dataDir!, 'tallycast.sqlite'), { readOnly: true });
let standing: Standing = { cursor: undefined, snapshotVersion: undefined };

interface Standing {
  cursor: string | undefined;
  snapshotVersion: number | undefined;
}

/** One write to each kind of table, by name; names are unique per round. */
function listWrites(round: number): Record<string, () => Promise<unknown>> {
  const name = `r${round}`;
  const post = samplePost({ accountId: name, postId: name });
  return {
    post: () => store.posts.recordCaptures([post]),
    usage: () => store.usage.append([sampleUsage({ keyId: name })]),
    count: () => store.counts.record([{ eventId: round, feed: 'oracle', count: 1, observedTs: START_TS }]),
    quote: () => store.quotes.record([sampleQuote({ tokenId: name })]),
    forecast: () => store.forecasts.record([sampleForecast({ eventId: round })]),
    payment: () => store.payments.insert(samplePayment({ paymentId: name, nonce: name }), '{}'),
    waitlist: () => store.waitlist.register(sampleEntry({ email: `${name}@example.test` })),
    cursor: () => store.cursors.put('posts:a', name),
    snapshot: () => store.snapshots.put('a', round, makeBody(round)),
  };
}

/** SQLite skips pages with unchanged content, so every round writes different content. */
function makeBody(round: number): string {
  return createHash('shake256', { outputLength: Number(bodyBytes) / 2 })
    .update(String(round))
    .digest('hex');
}

async function findKept(round: number): Promise<Record<string, boolean>> {
  const name = `r${round}`;
  const usage = await store.usage.totals(name, START_TS, START_TS + 1);
  return {
    post: (await store.posts.count(name)) === 1,
    usage: usage.requests === 1,
    count: (await store.counts.latest([round])).length === 1,
    quote: (await store.quotes.latest([name])).length === 1,
    forecast: (await store.forecasts.latest([round])).length === 1,
    payment: (await store.payments.find(name)) !== undefined,
    cursor: (await store.cursors.find('posts:a')) === name,
    snapshot: (await store.snapshots.find('a'))?.version === round,
  };
}

/** Returns the names of successful writes; failed writes must give a reason. */
async function writeAll(round: number): Promise<Set<string>> {
  const granted = new Set<string>();
  for (const [name, write] of Object.entries(listWrites(round))) {
    try {
      await write();
      granted.add(name);
    } catch (error) {
      assert.ok(error instanceof StoreError && error.isRetryable, `${name}: ${error}`);
      assert.match(error.message, /the disk is full|the disk cannot be read or written/);
    }
  }
  return granted;
}

async function checkKept(round: number, granted: ReadonlySet<string>): Promise<void> {
  for (const [name, isKept] of Object.entries(await findKept(round)))
    assert.equal(isKept, granted.has(name), `round ${round}: ${name} ${isKept ? 'was stored' : 'is lost'}`);
  if (granted.has('cursor')) standing.cursor = `r${round}`;
  if (granted.has('snapshot')) standing.snapshotVersion = round;
  const snapshotVersion = (await store.snapshots.find('a'))?.version;
  assert.deepEqual({ cursor: await store.cursors.find('posts:a'), snapshotVersion }, standing);
}

/** Checks that every failed write succeeds at the first attempt once there is space again. */
async function recover(round: number, granted: ReadonlySet<string>): Promise<void> {
  const refused = Object.entries(listWrites(round)).filter(([name]) => !granted.has(name));
  for (const [, write] of refused) await write();
  await checkKept(round, new Set(Object.keys(listWrites(round))));
  assert.deepEqual(await store.health(), { isWritable: true, problem: null });
  assert.equal(checker.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
}

async function runRounds(): Promise<RoundsResult> {
  await writeAll(0);
  standing = { cursor: 'r0', snapshotVersion: 0 };
  const askedBefore = space.asked();
  await recover(1, new Set());
  const writesPerRound = space.asked() - askedBefore;
  const total = Math.min(Number(rounds), writesPerRound);
  const result: RoundsResult = { rounds: total, writesPerRound, granted: 0, refused: 0 };
  for (let i = 0; i < total; i++) {
    const round = 2 + i;
    space.allow(Math.floor((i * writesPerRound) / total));
    const granted = await writeAll(round);
    const refused = Object.keys(listWrites(round)).length - granted.size;
    await checkKept(round, granted);
    if (refused > 0) assert.equal((await store.health()).isWritable, false);
    space.free();
    await recover(round, granted);
    result.granted += granted.size;
    result.refused += refused;
  }
  return result;
}

const result = await runRounds();
checker.close();
await store.close();
console.log(JSON.stringify(result));
