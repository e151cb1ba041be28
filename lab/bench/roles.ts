// Fleet guarantees, repeated: leaders killed and PostgreSQL restarted under load, limits and revocation
// across replicas. npx tallycast lab roles --rounds 50 --restarts 10

import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createKeyDesk } from '../../src/access/key-desk.ts';
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

const TAKE_OVER_WITHIN_MS = 5_000;
const REVOKED_WITHIN_MS = 2_000;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    restarts: { type: 'string', default: '1' },
    apis: { type: 'string', default: '3' },
    readers: { type: 'string', default: '6' },
    pro: { type: 'boolean', default: false },
  },
});

const broken: string[] = [];
const fleet = await startFleet({ ingests: 2, apis: Number(values.apis) });
try {
  await waitForReplicas(fleet);
  await proveTakeOvers(fleet, Number(values.rounds), Number(values.restarts));
  await proveLimit(fleet, 'FREE', 100, 130);
  if (values.pro) await proveLimit(fleet, 'PRO', 10_000, 10_400);
  await proveRevocation(fleet);
} finally {
  await fleet.stop();
}
console.log(broken.length === 0 ? 'roles: nothing broken' : `roles: broken\n  ${broken.join('\n  ')}`);
process.exitCode = broken.length === 0 ? 0 : 1;

async function proveTakeOvers(fleet: Fleet, rounds: number, restarts: number): Promise<void> {
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
  console.log(
    `reads: ${load.requests}; not answered 200: ${[...load.refused.values()].reduce((a, b) => a + b, 0)}`,
  );
  if (slowestMs > TAKE_OVER_WITHIN_MS) broken.push(`a new leader took ${Math.round(slowestMs)} ms`);
  for (const count of wrong) broken.push(`count ${JSON.stringify(count)}`);
  for (const [what, times] of load.refused) broken.push(`read ${what}: ${times} times`);
}

async function proveLimit(
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

async function proveRevocation(fleet: Fleet): Promise<void> {
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
  await createKeyDesk(fleet.store.keys, systemClock).revoke(keyId);
  const startedMs = performance.now();
  while (!(await ask()).every((status) => status === 401)) await wait(20);
  const tookMs = Math.round(performance.now() - startedMs);
  console.log(`a revoked key stopped working everywhere after ${tookMs} ms`);
  if (tookMs > REVOKED_WITHIN_MS) broken.push(`revocation took ${tookMs} ms`);
}
