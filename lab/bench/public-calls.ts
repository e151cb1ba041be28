// CPU per call of every public GET with its worst arguments, on a store with a long record; and how long another
// address waits while one address makes the dearest of these calls.

import { setTimeout as wait } from 'node:timers/promises';
import { HOUR_MS } from '../../src/domain/units.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ForecastScore } from '../../src/store/ports.ts';
import type { BenchOptions } from './core/bench.ts';
import { readCpuNs } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { quantile } from './core/statistics.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';

export const isLong = true;

const MAX_CPU_MS = 10;
const MAX_SLOWDOWN = 3;
const CALLS = 12;
const ROUNDS = 3;
const EVENTS_WITHIN_MS = 180_000;
const FLOOD_CALLS = 100;
const SEALED_HOURS = 60;
const ENTRIES_PER_HOUR = 1_250;
const SCORED_EVENTS = 400;
const FIRST_HOUR_TS = Date.UTC(2026, 0, 1);
/** Every call comes from another address, because an address may make 100 calls an hour. */
const BEHIND_PROXY = { TRUSTED_PROXY_HOPS: '1' };

interface OpenApi {
  paths: Record<string, { get?: { security?: object[]; parameters?: Parameter[]; responses: object } }>;
}

interface Parameter {
  name: string;
  in: 'query' | 'path';
  schema: { maximum?: number; enum?: (string | number)[]; type?: string };
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const service = await startWholeService(options, {
    ...{ proKeys: 1, env: BEHIND_PROXY, prepare: fillRecord, isAtOnce: true },
  });
  try {
    await waitForEvents(options, service);
    const rows: BenchRow[] = [];
    let worst = { path: '', cpuMs: 0 };
    for (const path of await listPublicPaths(service)) {
      const cpuMs = await measureCpuMs(service, path);
      rows.push(limitRow(`${path}, CPU ms`, cpuMs, MAX_CPU_MS));
      if (cpuMs > worst.cpuMs) worst = { path, cpuMs };
    }
    options.note(`public-calls: the dearest call is ${worst.path}`);
    return [...rows, await measureNeighbour(service, worst.path)];
  } finally {
    await service.stop();
  }
}

/** A record of some months: sealed hours as large as those of a busy service, and hundreds of scored events. */
async function fillRecord(dataDir: string): Promise<void> {
  const clock = createManualClock(FIRST_HOUR_TS);
  const store = await openStore({ dataDir, clock, logger: silentLogger });
  const random = createRandom(1);
  for (let hour = 0; hour < SEALED_HOURS; hour++) {
    const recordedTs = FIRST_HOUR_TS + hour * HOUR_MS;
    const drafts = Array.from({ length: ENTRIES_PER_HOUR }, (_, index) => ({
      ...{ kind: 'forecast' as const, account: 'a', event: 900_000 + (index % 12), asofTs: recordedTs },
      ...{ recordedTs, isRecomputed: false },
      content: { probabilities: Array.from({ length: 24 }, () => Math.round(random.uniform() * 1e6) / 1e6) },
    }));
    await store.seals.append(drafts);
    await store.seals.sealNext(recordedTs + HOUR_MS);
  }
  for (let event = 0; event < SCORED_EVENTS; event++)
    await store.scores.upsert([24, 48, 72].map((horizonH) => drawScore(event, horizonH, random.uniform)));
  await store.close();
}

function drawScore(event: number, horizonH: number, uniform: () => number): ForecastScore {
  const finalCount = Math.round(100 + 100 * uniform());
  const baseline = () => ({ crps: 10 * uniform(), bucketLogScore: 2 * uniform(), p50: finalCount });
  const endTs = FIRST_HOUR_TS + event * HOUR_MS;
  return {
    ...{ eventId: 800_000 + event, accountId: event % 2 ? 'a' : 'b', horizonH, endTs, finalCount },
    ...{ p50: finalCount + 10 * uniform(), errorPercent: 10 * uniform(), crps: 5 * uniform() },
    ...{ logScore: 3 * uniform(), bucketLogScore: 2 * uniform(), pitLow: uniform(), pitHigh: 1 },
    ...{ isInside50: uniform() < 0.5, isInside90: uniform() < 0.9, modelVersion: 'bench', scoredTs: endTs },
    buckets: Array.from({ length: 20 }, (_, index) => ({
      ...{ probability: 0.05, won: index === event % 20, marketPrice: 0.04 + 0.02 * uniform() },
    })),
    baselines: Object.fromEntries(['market', 'pace', 'negbin', 'pool'].map((name) => [name, baseline()])),
  } as ForecastScore;
}

/** Paths that need no key, with every argument at its dearest; `#` is replaced by another value in each call. */
async function listPublicPaths(service: WholeService): Promise<string[]> {
  const spec = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
  const eventIds = await listEventIds(service);
  const paths = Object.entries(spec.paths).flatMap(([path, { get }]) => {
    if (!get || path.includes('/stream')) return [];
    const query = (get.parameters ?? []).filter((one) => one.in === 'query').flatMap(worstArgument);
    const full = query.length > 0 ? `${path}?${query.join('&')}` : path;
    const isHour = path.includes('{hour_ts}');
    const named = full.replace('{hour_ts}', 'HOUR').replace('{event_id}', eventIds[0] ?? '1');
    return isHour ? [named, `${named}?seq=SEQ`] : [named];
  });
  const isPublic = await Promise.all(paths.map(async (path) => (await call(service, path, 0)) === 200));
  return paths.filter((_, index) => isPublic[index]).concat('/openapi.json');
}

function worstArgument({ name, schema }: Parameter): string[] {
  if (name === 'limit') return [`limit=${schema.maximum ?? 100}`];
  if (name === 'horizon') return ['horizon=HORIZON'];
  return [];
}

/** Not for the forecasts: what the service does besides is subtracted. */
async function waitForEvents(options: BenchOptions, service: WholeService): Promise<void> {
  options.say('waiting for events');
  const deadlineMs = performance.now() + EVENTS_WITHIN_MS;
  while ((await listEventIds(service)).length === 0) {
    if (performance.now() > deadlineMs) throw new Error('the service shows no events');
    await wait(500);
  }
}

async function listEventIds(service: WholeService): Promise<string[]> {
  const response = await fetch(`${service.url}/api/v1/meta/account_a`);
  const { data } = (await response.json()) as { data: { event_id: number }[] };
  return data.map(({ event_id }) => String(event_id));
}

let address = 0;

/** Arguments differ from call to call, so that no call is served from what an earlier one prepared. */
async function call(service: WholeService, path: string, index: number, from = ++address): Promise<number> {
  const hourTs = FIRST_HOUR_TS + (index % SEALED_HOURS) * HOUR_MS;
  const seq = 1 + (index % SEALED_HOURS) * ENTRIES_PER_HOUR + (index % ENTRIES_PER_HOUR);
  const url = path
    .replace('HOUR', String(hourTs))
    .replace('SEQ', String(seq))
    .replace('HORIZON', String([24, 48, 72][index % 3]));
  const forwarded = `10.${(from >> 16) & 255}.${(from >> 8) & 255}.${from & 255}`;
  const response = await fetch(service.url + url, { headers: { 'X-Forwarded-For': forwarded } });
  await response.arrayBuffer();
  return response.status;
}

let calls = 0;

/** The cheapest of several rounds: what the service does besides is in all of them. */
async function measureCpuMs(service: WholeService, path: string): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const idle = await measureIdleShare(service);
    const [beganMs, beganNs] = [performance.now(), readCpuNs(service.pid)];
    for (let i = 0; i < CALLS; i++) await call(service, path, ++calls);
    const spentMs = (readCpuNs(service.pid) - beganNs) / 1e6;
    rounds.push(Math.max(0, spentMs - idle * (performance.now() - beganMs)) / CALLS);
  }
  return Math.min(...rounds);
}

async function measureIdleShare(service: WholeService): Promise<number> {
  const [beganMs, beganNs] = [performance.now(), readCpuNs(service.pid)];
  await wait(500);
  return (readCpuNs(service.pid) - beganNs) / 1e6 / (performance.now() - beganMs);
}

async function measureNeighbour(service: WholeService, path: string): Promise<BenchRow> {
  const atRest = await timeMeta(service, wait(3_000));
  const flood = (async () => {
    for (let i = 0; i < FLOOD_CALLS; i++) await call(service, path, ++calls, 1);
  })();
  const meanwhile = await timeMeta(service, flood);
  const ratio = quantile(meanwhile, 0.99) / quantile(atRest, 0.99);
  return limitRow("another address' /meta, p99 during 100 such calls relative to rest", ratio, MAX_SLOWDOWN);
}

async function timeMeta(service: WholeService, until: Promise<unknown>): Promise<number[]> {
  const tookMs: number[] = [];
  let isOver = false;
  void until.then(() => (isOver = true));
  while (!isOver || tookMs.length < 50) {
    const beganMs = performance.now();
    await call(service, '/api/v1/meta/account_a', 0);
    tookMs.push(performance.now() - beganMs);
    await wait(5);
  }
  return tookMs;
}
