// Two ingest processes and two api replicas on one PostgreSQL.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { HOUR_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { verifySeals } from '../../src/sealing/verify-seals.ts';
import { waitUntil } from '../support/boot.ts';
import {
  compareCounts,
  killLeader,
  startLoad,
  startPosting,
  waitForEpochAfter,
  waitForLeader,
} from './chaos.ts';
import { type Fleet, startFleet, waitForReplicas } from './fleet.ts';

const COUNTS_WITHIN_MS = 60_000;

describe('a fleet on one PostgreSQL', () => {
  let fleet: Fleet;

  before(async () => {
    fleet = await startFleet({ ingests: 2, apis: 2 });
    await waitForReplicas(fleet);
  });
  after(() => fleet?.stop());

  it('counts exactly and keeps serving while leaders are killed and the database restarts', async () => {
    const load = startLoad(fleet, 2, 50);
    const poster = startPosting(fleet, 200);
    const first = await waitForLeader(fleet);
    const epoch = await killLeader(fleet);
    assert.ok(epoch > first.epoch()! || first.epoch() === null);
    await fleet.postgres.restart();
    await waitForEpochAfter(fleet, epoch);
    await poster.stop();
    assert.deepEqual(await compareCounts(fleet, COUNTS_WITHIN_MS), []);
    await load.stop();
    assert.deepEqual([...load.refused], []);
    assert.ok(load.requests > load.busy && poster.posted > 0);
  });

  it('prevents a paused leader from writing when it resumes', async () => {
    const paused = await waitForLeader(fleet);
    const before = paused.epoch()!;
    paused.kill('SIGSTOP');
    await fleet.post({ accountId: 'a', kind: 'original' });
    const next = await waitForEpochAfter(fleet, before);
    paused.kill('SIGCONT');
    await waitUntil(() => paused.epoch() === null);
    await fleet.post({ accountId: 'b', kind: 'original' });
    assert.deepEqual(await compareCounts(fleet, COUNTS_WITHIN_MS), []);
    const leader = await waitForLeader(fleet);
    assert.ok(leader !== paused && leader.epoch()! >= next.epoch);
    const { posts } = await fleet.truth();
    const fresh = posts.filter(({ firstServedTs }) => firstServedTs !== null).map(({ id }) => id);
    assert.equal(new Set(fresh).size, fresh.length);
  });

  it('serves the same proof for a sealed hour from every replica', async () => {
    await waitUntil(async () => (await fleet.store.seals.readOpen()).entries.length > 0);
    const sealed = await fleet.store.seals.sealNext(systemClock.now() + 2 * HOUR_MS);
    const answers = await Promise.all(
      fleet.apis.map(async ({ url }) => {
        const read = async (path: string) =>
          (await (await fetch(`${url}/api/v1/performance/seals${path}`)).json()) as { data: object };
        return [await read(''), await read(`/${sealed!.hourTs}`)].map(({ data }) => data);
      }),
    );
    assert.deepEqual(answers[1], answers[0]);
    const hour = answers[0]![1] as { chain: string };
    assert.equal(hour.chain, sealed!.chain);
    assert.equal((await verifySeals([JSON.stringify(hour)])).answer, 'complete');
  });

  it('stops cleanly on request, even with an open stream', async () => {
    const [replica] = fleet.apis;
    const stream = await fetch(`${replica!.url}/api/v1/stream/account_a`, {
      headers: { 'X-API-Key': fleet.key },
    });
    assert.equal(stream.status, 200);
    const exited = once(replica!.child, 'exit');
    replica!.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    await stream.body?.cancel().catch(() => {});
  });
});
