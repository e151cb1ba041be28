// Tests fleet guarantees repeatedly: leaders killed and PostgreSQL restarted under load, limits and
// revocation across replicas, a pooler in front, and failover to a standby. npx tallycast lab roles --rounds
// 50 --restarts 10

import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createKeyService } from '../../src/access/key-service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import {
  compareCounts,
  killLeader,
  startLoad,
  startPosting,
  waitForEpochAfter,
  waitForLeader,
} from '../../test/roles/chaos.ts';
import { type Fleet, startFleet, waitForReplicas } from '../../test/roles/fleet.ts';
import { type OwnPostgres, startOwnPostgres } from '../../test/roles/own-postgres.ts';
import { type PostgresPair, startPostgresPair } from '../../test/roles/standby-postgres.ts';
import { findPooler, startPooler } from '../../test/support/pooler.ts';

const TAKE_OVER_WITHIN_MS = 5_000;
const REVOKED_WITHIN_MS = 2_000;
/** Pool size for all processes together. */
const SESSIONS = 8;
/** How long load runs before the primary is killed. */
const BEFORE_MS = 5_000;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    restarts: { type: 'string', default: '1' },
    apis: { type: 'string', default: '3' },
    readers: { type: 'string', default: '6' },
    pro: { type: 'boolean', default: false },
    pooler: { type: 'boolean', default: false },
    failover: { type: 'boolean', default: false },
  },
});

const broken: string[] = [];
let pair: PostgresPair | null = null;
const fleet = await startFleet({ ingests: 2, apis: Number(values.apis), startPostgres });
try {
  await waitForReplicas(fleet);
  if (pair) await checkFailOver(fleet, pair);
  else await checkTakeOvers(fleet, Number(values.rounds), Number(values.restarts));
  await checkLimit(fleet, 'FREE', 100, 130);
  if (values.pro) await checkLimit(fleet, 'PRO', 10_000, 10_400);
  await checkRevocation(fleet);
} finally {
  await fleet.stop();
}
console.log(broken.length === 0 ? 'roles: nothing broken' : `roles: broken\n  ${broken.join('\n  ')}`);
process.exitCode = broken.length === 0 ? 0 : 1;

async function startPostgres(): Promise<OwnPostgres> {
  pair = values.failover ? await startPostgresPair() : null;
  const server = pair ?? (await startOwnPostgres());
  if (!values.pooler) return server;
  const program = findPooler();
  if (program === null) throw new Error('pgbouncer is not installed: apt-get install pgbouncer');
  const pooler = await startPooler(program, server.url, SESSIONS);
  const stop = async () => {
    await pooler.stop();
    await server.stop();
  };
  return { ...server, url: pooler.url, directUrl: server.url, stop };
}

/** Writes one row after another and records those the store acknowledged. */
function startWriting({ store }: Fleet) {
  const acknowledged: string[] = [];
  let isStopped = false;
  const writing = (async () => {
    for (let i = 0; !isStopped; i++) {
      const name = `acknowledged ${i}`;
      const isWritten = store.cursors.put(name, name).then(
        () => true,
        () => false,
      );
      if (await isWritten) acknowledged.push(name);
      else await wait(20);
    }
  })();
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await writing;
    },
  };
}

async function checkFailOver(fleet: Fleet, { failOver }: PostgresPair): Promise<void> {
  const load = startLoad(fleet, Number(values.readers), 20);
  const poster = startPosting(fleet, 100);
  const writer = startWriting(fleet);
  await wait(BEFORE_MS);
  const { length: before } = writer.acknowledged;
  const epoch = (await waitForLeader(fleet)).epoch()!;
  const killedMs = performance.now();
  const passedMs = () => Math.round(performance.now() - killedMs);
  await failOver();
  const promotedMs = passedMs();
  await poster.stop();
  const { atMs } = await waitForEpochAfter(fleet, epoch);
  const wrong = await compareCounts(fleet, 60_000, 50);
  const rightMs = passedMs();
  await writer.stop();
  await load.stop();
  let lost = 0;
  for (const name of writer.acknowledged) if ((await fleet.store.cursors.find(name)) !== name) lost += 1;
  console.log(`primary killed, standby promoted after ${promotedMs} ms`);
  console.log(`new leader after ${Math.round(atMs - killedMs)} ms; every count correct after ${rightMs} ms`);
  console.log(`posts made: ${poster.posted}; wrong counts: ${wrong.length}`);
  console.log(
    `rows acknowledged: ${before} before, ${writer.acknowledged.length - before} after; lost: ${lost}`,
  );
  console.log(`reads: ${load.requests}; status other than 200: ${total(load.refused)}`);
  if (lost > 0) broken.push(`${lost} acknowledged rows were lost`);
  for (const count of wrong) broken.push(`count ${JSON.stringify(count)}`);
  for (const [what, times] of load.refused) broken.push(`read ${what}: ${times} times`);
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((a, b) => a + b, 0);
}

async function checkTakeOvers(fleet: Fleet, rounds: number, restarts: number): Promise<void> {
  const load = startLoad(fleet, Number(values.readers), 20);
  const poster = startPosting(fleet, 250);
  const tookMs: number[] = [];
  const restartEvery = Math.max(1, Math.ceil(rounds / Math.max(1, restarts)));
  for (let round = 0; round < rounds; round++) {
    tookMs.push((await killLeader(fleet)).byMs);
    if (round % restartEvery === restartEvery - 1 && round / restartEvery < restarts) {
      const before = (await waitForLeader(fleet)).epoch()!;
      await fleet.postgres.restart();
      await waitForEpochAfter(fleet, before);
    }
    process.stderr.write(`round ${round + 1}: new leader after ${Math.round(tookMs.at(-1)!)} ms\n`);
  }
  await poster.stop();
  const wrong = await compareCounts(fleet, 60_000);
  await load.stop();
  const slowestMs = Math.max(...tookMs);
  console.log(`leaders killed: ${rounds}; slowest new leader: ${Math.round(slowestMs)} ms`);
  console.log(`database restarts: ${restarts}; posts made: ${poster.posted}; wrong counts: ${wrong.length}`);
  console.log(`reads: ${load.requests}; status other than 200: ${total(load.refused)}`);
  if (slowestMs > TAKE_OVER_WITHIN_MS) broken.push(`a new leader took ${Math.round(slowestMs)} ms`);
  for (const count of wrong) broken.push(`count ${JSON.stringify(count)}`);
  for (const [what, times] of load.refused) broken.push(`read ${what}: ${times} times`);
}

async function checkLimit(
  fleet: Fleet,
  tier: 'FREE' | 'PRO',
  limit: number,
  requests: number,
): Promise<void> {
  const { key } = await fleet.issueKey(tier);
  let granted = 0;
  let next = 0;
  const sendAll = async () => {
    while (next < requests) {
      const { url } = fleet.apis[next++ % fleet.apis.length]!;
      const response = await fetch(`${url}/api/v1/meta/account_a`, { headers: { 'X-API-Key': key } });
      await response.arrayBuffer();
      if (response.status === 200) granted += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, sendAll));
  console.log(`${tier}: ${granted} of ${requests} granted, limit ${limit}`);
  if (granted > limit || granted < limit * 0.99) broken.push(`${tier} limit: ${granted} granted`);
}

async function checkRevocation(fleet: Fleet): Promise<void> {
  const { key, keyId } = await fleet.issueKey('PRO');
  const ask = () =>
    Promise.all(
      fleet.apis.map(async ({ url }) => {
        const response = await fetch(`${url}/api/v1/signals/account_a`, { headers: { 'X-API-Key': key } });
        await response.arrayBuffer();
        return response.status;
      }),
    );
  await ask();
  await createKeyService(fleet.store.keys, systemClock).revoke(keyId);
  const startedMs = performance.now();
  while (!(await ask()).every((status) => status === 401)) await wait(20);
  const tookMs = Math.round(performance.now() - startedMs);
  console.log(`a revoked key stopped working everywhere after ${tookMs} ms`);
  if (tookMs > REVOKED_WITHIN_MS) broken.push(`revocation took ${tookMs} ms`);
}
