// Load, posts and faults for a fleet, and the checks afterwards.

import { setTimeout as wait } from 'node:timers/promises';
import type { PostTruth } from '../../simulator/truth.ts';
import { waitUntil } from '../support/boot.ts';
import type { ChildService } from './child-service.ts';
import type { Fleet } from './fleet.ts';

/** Requests served from a snapshot alone. */
const READS = [
  '/api/v1/meta/account_a',
  '/api/v1/meta/account_b',
  '/api/v1/prediction/account_a',
  '/api/v1/prediction/account_b',
  '/api/v1/meta/account_a/tweets',
  '/api/v1/signals/account_a',
  '/api/v1/health',
];

const TOO_BUSY = 'Too busy. Try again shortly.';

export interface Load {
  requests: number;
  /** Responses with 503 and Retry-After from a busy machine; not errors. */
  busy: number;
  /** Number of responses by status or error text. */
  refused: Map<string, number>;
  stop(): Promise<void>;
}

/** Runs clients that cycle through the replicas, with an INTERNAL key to avoid limits. */
export function startLoad(fleet: Fleet, readers: number, pauseMs: number): Load {
  let isStopped = false;
  const load: Load = {
    requests: 0,
    busy: 0,
    refused: new Map(),
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
  const count = (what: string) => load.refused.set(what, (load.refused.get(what) ?? 0) + 1);

  async function readOne(index: number): Promise<void> {
    const { url } = fleet.apis[index % fleet.apis.length]!;
    const path = READS[index % READS.length]!;
    try {
      const response = await fetch(url + path, { headers: { 'X-API-Key': fleet.key } });
      const text = await response.text();
      if (text.includes(TOO_BUSY)) load.busy += 1;
      else if (response.status !== 200) count(`${path} ${response.status}`);
    } catch (error) {
      count(`${path} ${(error as Error).cause ?? error}`);
    }
    load.requests += 1;
  }

  async function read(reader: number): Promise<void> {
    for (let turn = 0; !isStopped; turn++) {
      await readOne(reader * 31 + turn);
      await wait(pauseMs);
    }
  }
  const running = Array.from({ length: readers }, (_, reader) => read(reader));
  return load;
}

export interface Poster {
  posted: number;
  stop(): Promise<void>;
}

const KINDS = ['original', 'quote', 'repost', 'reply', 'original'];

/** Makes posts on both accounts, and deletes some of them soon after. */
export function startPosting(fleet: Fleet, everyMs: number): Poster {
  let isStopped = false;
  const poster: Poster = {
    posted: 0,
    async stop() {
      isStopped = true;
      await running;
    },
  };
  async function run(): Promise<void> {
    while (!isStopped) {
      const index = poster.posted++;
      const deleteAfterMs = index % 7 === 0 ? 20_000 : undefined;
      await fleet.post({
        accountId: index % 3 === 0 ? 'b' : 'a',
        kind: KINDS[index % KINDS.length]!,
        ...(deleteAfterMs === undefined ? {} : { deleteAfterMs }),
      });
      await wait(everyMs);
    }
  }
  const running = run();
  return poster;
}

/** Kills the leader with -9; resolves with the epoch of the process that ingests next. */
export async function killLeader(fleet: Fleet): Promise<number> {
  const leader = await waitForLeader(fleet);
  const before = leader.epoch()!;
  leader.kill('SIGKILL');
  const { epoch } = await waitForEpochAfter(fleet, before);
  await fleet.replaceIngest(leader);
  return epoch;
}

export function waitForLeader(fleet: Fleet): Promise<ChildService> {
  return waitFor(() => fleet.leader());
}

export function waitForEpochAfter(fleet: Fleet, epoch: number) {
  return waitFor(() => fleet.leadings.find((each) => each.epoch > epoch));
}

async function waitFor<T>(find: () => T | undefined): Promise<T> {
  await waitUntil(() => find() !== undefined);
  return find()!;
}

export interface CountCheck {
  eventId: number;
  expected: number;
  shown: (number | null)[];
}

/** Polls until every replica shows the right count for every active event at the same time, with a deadline. */
export async function compareCounts(fleet: Fleet, withinMs: number): Promise<CountCheck[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const wrong = await findWrongCounts(fleet);
    if (wrong.length === 0 || performance.now() > deadline) return wrong;
    await wait(500);
  }
}

async function findWrongCounts(fleet: Fleet): Promise<CountCheck[]> {
  const shown = await Promise.all(fleet.apis.map(({ url }) => readCounters(url!, fleet.key)));
  const { events, posts } = await fleet.truth();
  const fromOracle = await findKnownFromOracle(fleet, posts);
  const nowTs = Math.min(...shown.map(({ timestamp }) => timestamp));
  return events
    .filter(({ endTs }) => endTs > nowTs)
    .map(({ eventId, accountId, startTs, endTs, served }) => ({
      eventId,
      expected:
        served +
        fromOracle.filter(
          (post) => post.accountId === accountId && post.createdTs >= startTs && post.createdTs < endTs,
        ).length,
      shown: shown.map(({ counters }) => counters.get(eventId) ?? null),
    }))
    .filter(({ expected, shown: counts }) => counts.some((count) => count !== expected));
}

/** Lists posts deleted before we saw them, known only because the oracle had counted them. */
async function findKnownFromOracle(fleet: Fleet, posts: readonly PostTruth[]): Promise<PostTruth[]> {
  const known = new Set<string>();
  for (const accountId of new Set(posts.map((post) => post.accountId))) {
    for (const id of await fleet.store.posts.listKnownIds(accountId, 0)) known.add(`${accountId}:${id}`);
  }
  return posts.filter(
    ({ accountId, id, isCounted, firstServedTs, importedTs }) =>
      isCounted && firstServedTs === null && importedTs !== null && known.has(`${accountId}:${id}`),
  );
}

async function readCounters(
  url: string,
  key: string,
): Promise<{ timestamp: number; counters: Map<number, number> }> {
  const counters = new Map<number, number>();
  let timestamp = 0;
  const health = (await (await fetch(`${url}/api/v1/health`)).json()) as { feeds?: object };
  for (const segment of Object.keys(health.feeds ?? {})) {
    const response = await fetch(`${url}/api/v1/meta/${segment}`, { headers: { 'X-API-Key': key } });
    const body = (await response.json()) as {
      timestamp: number;
      data?: { event_id: number; real_counter: number }[];
    };
    timestamp = body.timestamp;
    for (const { event_id, real_counter } of body.data ?? []) counters.set(event_id, real_counter);
  }
  return { timestamp, counters };
}
