// Measures overload at three times the capacity: refusals, latency of served requests, whether posts are
// still counted, and time to recover.

import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { FEEDS } from '../../src/sources/feeds.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { BenchOptions } from './core/bench.ts';
import { readWaitedNs } from './core/processes.ts';
import { type BenchRow, limitRow, pairedRow } from './core/row.ts';
import { quantile } from './core/statistics.ts';
import { measureCapacity } from './load/capacity.ts';
import { type LoadResult, offerLoad } from './load/generate.ts';
import { listMixedPaths, listMixedRequests } from './load/mixed-requests.ts';
import { makePost, startWholeService, type WholeService } from './load/whole-service.ts';

const TIMES = 3;
const CONNECTIONS = 512;
/** A single address may not open this many connections, so the load appears to come through a proxy. */
const BEHIND_PROXY = { TRUSTED_PROXY_HOPS: '1' };
/** Enough keys that none reaches its limit. */
const CROWD_KEYS = 400;
const POST_EVERY_MS = 500;
const PROBE_EVERY_MS = 50;
const NORMAL_WITHIN_MS = 5_000;
const ANSWERED_WITHIN_MS = 250;
/** One poll per second, plus one missed poll. */
const CAPTURED_WITHIN_MS = 2_000;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const service = await startWholeService(options, { proKeys: CROWD_KEYS, env: BEHIND_PROXY });
  try {
    const requests = listMixedRequests(service.keys.INTERNAL);
    const capacityNow = async () => {
      const perSecond = await measureCapacity(options, service, requests);
      options.say(`capacity: ${Math.round(perSecond)} requests/s`);
      return perSecond;
    };
    const offeredCapacity = await capacityNow();
    const crowds = await measureCrowds(options, service);
    const before = await probe(service, options.isQuick ? 1_000 : 3_000);
    const watch = watchIngestion(service);
    const waitedNs = readWaitedNs(service.pid);
    const seconds = options.isQuick ? 6 : 30;
    const [load, outside] = await Promise.all([
      offerLoad({
        port: service.port,
        requests,
        connections: CONNECTIONS,
        seconds,
        perSecond: TIMES * offeredCapacity,
      }),
      probe(service, seconds * 1_000),
    ]);
    const waitedShare = (readWaitedNs(service.pid) - waitedNs) / 1e9 / load.seconds;
    options.note(`overload: the service waited for a core ${Math.round(100 * waitedShare)}% of the time`);
    const seen = await watch.stop();
    const after = await probe(service, NORMAL_WITHIN_MS + 1_000);
    options.say(describe(load));
    // Whichever is higher: the machine, or the service's own work, may have slowed one of them.
    const servedPerSecond = Math.max(offeredCapacity, await capacityNow());
    await wait(CAPTURED_WITHIN_MS);
    await service.stopService();
    const delaysMs = await readCaptureDelays(service, seen.postIds);
    return [
      ...crowds,
      ...toLoadRows(load, servedPerSecond),
      limitRow(
        'overload: p99 ms for a caller outside the flood',
        quantile(
          outside.map(({ tookMs }) => tookMs),
          0.99,
        ),
        ANSWERED_WITHIN_MS,
      ),
      limitRow(
        'overload: max age of our feed, ms (limit: stale-after)',
        seen.ownAgeMs,
        FEEDS.own.staleAfterMs,
      ),
      limitRow('overload: capture delay, p99 ms', quantile(delaysMs, 0.99), CAPTURED_WITHIN_MS),
      limitRow('overload: missed posts', seen.postIds.length - delaysMs.length, 0.5),
      limitRow('overload: recovery, ms', findRecoveryMs(before, after), NORMAL_WITHIN_MS),
    ];
  } finally {
    await service.stop();
  }
}

/**
 * Clients that wait for each response are not a flood, however many there are. Requests alternate between
 * keys, because each key has a limit on concurrent calls; /usage is excluded, because only one key may
 * request it.
 */
async function measureCrowds(options: BenchOptions, { port, keys }: WholeService): Promise<BenchRow[]> {
  const paths = listMixedPaths().filter((path) => !path.startsWith('/usage/'));
  const byEndpoint = Map.groupBy(paths, (path) => path.split('?')[0]!);
  const rows: BenchRow[] = [];
  for (const connections of [32, 256]) {
    let [answers, refused, slowestMs] = [0, 0, 0];
    for (const [endpoint, asked] of byEndpoint) {
      options.say(`${connections} connections, ${endpoint}`);
      const requests = keys.PRO.map((key, i) => ({
        path: `/api/v1${asked[i % asked.length]}`,
        headers: { 'X-API-Key': key },
      }));
      const load = { port, requests, connections, seconds: options.isQuick ? 0.3 : 2, perSecond: 0 };
      const seen = await offerLoad(load);
      answers += seen.requests;
      refused += seen.requests - seen.good + seen.broken;
      slowestMs = Math.max(slowestMs, seen.p99Ms);
    }
    options.note(
      `${connections} closed-loop connections: ${answers} responses, slowest endpoint p99 ${slowestMs.toFixed(0)} ms`,
    );
    rows.push(
      limitRow(
        `overload: unserved requests, ${connections} closed-loop connections on any endpoint`,
        refused,
        0.5,
      ),
    );
  }
  return rows;
}

function toLoadRows(load: LoadResult, servedPerSecond: number): BenchRow[] {
  const refused = (load.statuses['429'] ?? 0) + (load.statuses['503'] ?? 0);
  const other = load.requests - load.good - refused + load.broken;
  return [
    pairedRow(
      'overload: responses/s vs. capacity',
      [load.perSecond],
      [servedPerSecond],
      'more',
      0.95 * TIMES,
    ),
    pairedRow(
      'overload: good responses/s vs. capacity',
      [load.good / load.seconds],
      [servedPerSecond],
      'more',
      0.9,
    ),
    pairedRow(
      'overload: refusals with Retry-After vs. all refusals',
      [load.retryAfters],
      [refused],
      'more',
      1,
    ),
    limitRow('overload: failed requests (neither good nor refused)', other, 0.5),
  ];
}

function describe({ statuses, p50Ms, p99Ms }: LoadResult): string {
  return `responses ${JSON.stringify(statuses)}, good p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`;
}

interface Probe {
  /** Milliseconds since the first probe. */
  atMs: number;
  tookMs: number;
  isGood: boolean;
}

/** Sends an expensive call from time to time, like a single caller. */
async function probe({ url, keys }: WholeService, forMs: number): Promise<Probe[]> {
  const startedMs = performance.now();
  const probes: Probe[] = [];
  while (performance.now() - startedMs < forMs) {
    const fromMs = performance.now();
    const path = `/api/v1/signals/account_a?bankroll=${1_000 + probes.length}`;
    const response = await fetch(url + path, { headers: { 'X-API-Key': keys.INTERNAL } });
    await response.arrayBuffer();
    const nowMs = performance.now();
    probes.push({ atMs: nowMs - startedMs, tookMs: nowMs - fromMs, isGood: response.status === 200 });
    await wait(PROBE_EVERY_MS);
  }
  return probes;
}

function findRecoveryMs(before: readonly Probe[], after: readonly Probe[]): number {
  // Skips the first call, which opens the connection.
  const normalMs = Math.max(25, 2 * Math.max(...before.slice(1).map(({ tookMs }) => tookMs)));
  const last = after.findLast(({ isGood, tookMs }) => !isGood || tookMs > normalMs);
  return last?.atMs ?? 0;
}

interface Ingestion {
  postIds: string[];
  ownAgeMs: number;
}

interface HealthBody {
  timestamp: number;
  feeds: Record<string, { own: { updated_ts: number | null } }>;
}

/** Makes posts and polls health until stopped. */
function watchIngestion({ url, simulatorUrl }: WholeService): { stop(): Promise<Ingestion> } {
  const seen: Ingestion = { postIds: [], ownAgeMs: 0 };
  let isStopped = false;
  const step = async () => {
    seen.postIds.push(await makePost(simulatorUrl));
    const response = await fetch(`${url}/api/v1/health`);
    const health = (await response.json()) as HealthBody;
    const updatedTs = health.feeds.account_a?.own.updated_ts ?? 0;
    seen.ownAgeMs = Math.max(seen.ownAgeMs, health.timestamp - updatedTs);
  };
  const watching = (async () => {
    while (!isStopped) {
      await step();
      await wait(POST_EVERY_MS);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await watching;
      return seen;
    },
  };
}

async function readCaptureDelays({ dataDir }: WholeService, postIds: readonly string[]): Promise<number[]> {
  const store = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
  const wanted = new Set(postIds);
  const posts = await store.posts.listRecent('a', 2 * postIds.length + 100, 0);
  await store.close();
  return posts
    .filter(({ postId }) => wanted.has(postId))
    .map(({ createdTs, firstSeenTs }) => firstSeenTs - createdTs);
}
