// Two ingest processes and two api replicas on one PostgreSQL.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { HOUR_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { verifySeals } from '../../src/sealing/verify-seals.ts';
import { waitUntil } from '../support/boot.ts';
import {
  compareCounts,
  type Fleet,
  startFleet,
  waitForEpochAfter,
  waitForLeader,
  waitForReplicas,
} from './fleet.ts';

/** Requests served from a snapshot alone. */
const READS = [
  'meta/account_a',
  'prediction/account_b',
  'meta/account_a/tweets',
  'signals/account_a',
  'health',
];
const KINDS = ['original', 'quote', 'repost', 'reply', 'original'] as const;

describe('a fleet on one PostgreSQL', () => {
  let fleet: Fleet;

  before(async () => {
    fleet = await startFleet({ ingests: 2, apis: 2 });
    await waitForReplicas(fleet);
  });
  after(() => fleet?.stop());

  const post = (accountId: string, kind: (typeof KINDS)[number] = 'original') =>
    fleet.simulator.injectPost({ accountId, kind });

  /** Posts on both accounts and reads from the replicas until stopped; returns what was refused. */
  function strain() {
    let isOver = false;
    const refused: string[] = [];
    async function run(): Promise<string[]> {
      for (let turn = 0; !isOver; turn++) {
        post(turn % 3 === 0 ? 'b' : 'a', KINDS[turn % KINDS.length]);
        const { url } = fleet.apis[turn % fleet.apis.length]!;
        const path = READS[turn % READS.length]!;
        const response = await fetch(`${url}/api/v1/${path}`, { headers: { 'X-API-Key': fleet.key } });
        const text = await response.text();
        // A busy machine may answer with 503 and Retry-After.
        if (response.status !== 200 && !/^.*Too busy/.test(text)) refused.push(`${path} ${response.status}`);
        await wait(100);
      }
      return refused;
    }
    const running = run();
    return () => {
      isOver = true;
      return running;
    };
  }

  it('counts exactly and keeps serving while a leader is killed and the database ends every session', async () => {
    const endStrain = strain();
    const leader = await waitForLeader(fleet);
    const before = leader.epoch()!;
    leader.kill('SIGKILL');
    const epoch = await waitForEpochAfter(fleet, before);
    await fleet.replaceIngest(leader);
    await fleet.place.endConnections();
    await waitForEpochAfter(fleet, epoch);
    assert.deepEqual(await endStrain(), []);
    assert.deepEqual(await compareCounts(fleet), []);
  });

  it('prevents a paused leader from writing when it resumes', async () => {
    const paused = await waitForLeader(fleet);
    const before = paused.epoch()!;
    paused.kill('SIGSTOP');
    post('a');
    const next = await waitForEpochAfter(fleet, before);
    paused.kill('SIGCONT');
    await waitUntil(() => paused.epoch() === null);
    post('b');
    assert.deepEqual(await compareCounts(fleet), []);
    const leader = await waitForLeader(fleet);
    assert.ok(leader !== paused && leader.epoch()! >= next);
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
