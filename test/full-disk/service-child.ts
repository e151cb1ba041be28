// Runs the whole service with default settings on a disk that repeatedly becomes full while posts arrive and
// clients send requests. Prints one line of JSON; started by tests and by npx tallycast lab disk-full. Run
// as: node test/full-disk/service-child.ts DATA_DIR CONTROL ROUNDS SEED

import assert from 'node:assert/strict';
import { createRandom } from '../../src/runtime/random.ts';
import { NO_LIMITS } from '../hostile/no-limits.ts';
import { bootService, waitUntil } from '../support/boot.ts';
import { openSpaceControl } from './full-disk.ts';

export interface ServiceResult {
  rounds: number;
  posts: number;
  reads: number;
}

const READS = ['/api/v1/meta/account_a', '/api/v1/prediction/account_b', '/api/v1/meta/account_a/tweets'];
/** Maximum writes before the disk is full, about a second of service. */
const MAX_ALLOWED = 60;

const [dataDir, control, rounds, seed] = process.argv.slice(2);
const random = createRandom(Number(seed));
const space = openSpaceControl(control!);
const service = await bootService({
  args: ['--data-dir', dataDir!],
  overrides: { settings: { limits: NO_LIMITS } },
  until: 'forecasts',
});
const simulator = service.app.simulator!.simulator!;
const key = await service.issueKey('PRO');
const result: ServiceResult = { rounds: Number(rounds), posts: 0, reads: 0 };

async function readAll(): Promise<void> {
  for (const path of READS) {
    const response = await fetch(service.url + path, { headers: { 'X-API-Key': key } });
    assert.equal(response.status, 200, `${path} returns ${response.status}: ${await response.text()}`);
    result.reads += 1;
  }
}

async function readProblems(): Promise<string[]> {
  const response = await fetch(`${service.url}/api/v1/health`);
  return ((await response.json()) as { problems: string[] }).problems;
}

/** Checks that every displayed post is on disk, even while the disk is full. */
async function checkShown(): Promise<void> {
  for (const accountId of ['a', 'b']) {
    const known = new Set(await service.app.store.posts.listKnownIds(accountId, 0));
    const shown = service.app.board.find(accountId)!.recentPosts;
    assert.deepEqual(
      shown.map(({ postId }) => postId).filter((id) => !known.has(id)),
      [],
    );
  }
}

async function register(email: string): Promise<Response> {
  const body = JSON.stringify({ type: 'human', case: 'research', email });
  const headers = { 'Content-Type': 'application/json' };
  return fetch(`${service.url}/api/v1/waitlist`, { method: 'POST', headers, body });
}

async function runRound(round: number): Promise<void> {
  space.allow(Math.floor(random.uniform() * MAX_ALLOWED));
  const ids = ['a', 'b'].map((accountId) => simulator.injectPost({ accountId, kind: 'original' }).id);
  result.posts += ids.length;
  await waitUntil(async () => {
    await readAll();
    await checkShown();
    return (await readProblems()).includes('the store rejects writes');
  });
  const refused = await register(`r${round}@example.test`);
  assert.equal(refused.status, 503, await refused.text());
  await readAll();
  space.free();
  const isShown = (id: string) =>
    ['a', 'b'].some((accountId) =>
      service.app.board.find(accountId)!.recentPosts.some((post) => post.postId === id),
    );
  await waitUntil(() => ids.every(isShown));
  await waitUntil(async () => (await readProblems()).length === 0);
  assert.equal((await register(`r${round}@example.test`)).status, 200);
}

/** Checks that every delivered post is stored, and that every count matches the stored posts. */
async function isAllKept(): Promise<boolean> {
  const { board, store } = service.app;
  for (const accountId of ['a', 'b']) {
    const known = new Set(await store.posts.listKnownIds(accountId, 0));
    const handedOut = simulator
      .truePosts(0, Infinity, accountId)
      .filter((post) => post.firstServedTs !== null);
    if (!handedOut.every(({ id, editIds }) => [id, ...editIds].some((each) => known.has(each)))) return false;
    for (const { event, counters } of board.find(accountId)!.events) {
      const { startTs, endTs } = event.window;
      if (counters.real !== (await store.posts.countCounted(accountId, startTs, endTs))) return false;
    }
  }
  return true;
}

for (let round = 0; round < result.rounds; round++) await runRound(round);
await waitUntil(isAllKept);
// A clean shutdown needs no disk space either.
space.allow(0);
await service.stop();
console.log(JSON.stringify(result));
