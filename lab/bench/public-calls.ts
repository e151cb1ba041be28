// CPU per call of every public GET with its worst arguments, on a store with a long record; and how long another
// address waits while one address repeats the most expensive call.

import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from './core/bench.ts';
import { ask, type Running, readCpuNs, startScript } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { median, quantile } from './core/statistics.ts';
import {
  BUSY_EVENT_ID,
  BUSY_EVENTS,
  ENTRIES_PER_HOUR,
  FIRST_HOUR_TS,
  SEALED_HOURS,
} from './load/fill-record.ts';
import { offerLoad, rawRequest } from './load/generate.ts';

export const isLong = true;

const MAX_CPU_MS = 10;
const MAX_SLOWDOWN = 3;
const CALLS = 9;
const WARM_UP_CALLS = 40;
const ROUNDS = 4;
const IDLE_MS = 1_000;
const SETTLE_MS = 150;
const FLOODS = 5;
const FLOOD_CALLS = 100;
const REST_MS = 2_000;
const OPEN_EVENT_ID = 1_001;

type Service = Running<string>;

interface OpenApi {
  paths: Record<string, { get?: { parameters?: Parameter[] } }>;
}

interface Parameter {
  name: string;
  in: 'query' | 'path';
  schema: { maximum?: number; enum?: (string | number)[] };
}

/** A call with its worst arguments; they differ from call to call, so that no call can reuse an earlier one. */
interface PublicCall {
  name: string;
  url(index: number): string;
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  options.say('filling a store');
  const service = await startScript<string>('lab/bench/servers/public-calls.ts');
  try {
    const calls = await listPublicCalls(service);
    const rows = await measureCalls(options, service, calls);
    const { call } = rows[0]!;
    options.note(`public-calls: ${calls.length} calls; the most expensive is ${call.name}`);
    return [
      ...rows.map(({ call: { name }, cpuMs }) => limitRow(`${name}: CPU ms per call`, cpuMs, MAX_CPU_MS)),
      await measureNeighbour(options, service, call),
    ];
  } finally {
    await service.stop();
  }
}

/** Paths that need no key. */
async function listPublicCalls(service: Service): Promise<PublicCall[]> {
  const spec = (await (await fetch(`${service.hello}/openapi.json`)).json()) as OpenApi;
  const calls = Object.entries(spec.paths).flatMap(([path, { get }]) => {
    if (!get || path.includes('/stream')) return [];
    const parameters = (get.parameters ?? []).filter((one) => one.in === 'query');
    const isHistory = path.includes('/history/');
    const toCall = (name: string, chosen: readonly Parameter[]): PublicCall => ({
      name,
      url: (index) =>
        path
          .replace('{hour_ts}', String(FIRST_HOUR_TS + (index % SEALED_HOURS) * 3_600_000))
          .replace('{event_id}', String(isHistory ? BUSY_EVENT_ID + (index % BUSY_EVENTS) : OPEN_EVENT_ID)) +
        writeQuery(chosen, index),
    });
    const plain = toCall(
      path,
      parameters.filter(({ name }) => name !== 'seq' && name !== 'format'),
    );
    const more = parameters.filter(({ name }) => name === 'seq' || name === 'format');
    return [plain, ...more.map(({ name }) => toCall(`${path}?${name}`, parameters))];
  });
  const statuses = await Promise.all(calls.map((call) => send(service, call.url(0))));
  return [
    ...calls.filter((_, i) => statuses[i] === 200),
    { name: '/openapi.json', url: () => '/openapi.json' },
  ];
}

const ZONES = Intl.supportedValuesOf('timeZone');

const WORST: Record<string, (index: number, schema: Parameter['schema']) => string | number | undefined> = {
  limit: (_, { maximum }) => maximum,
  days: (index, { maximum, enum: values }) =>
    maximum === undefined ? values?.at(-1) : maximum - (index % 9),
  horizon: (index, { enum: values }) => values?.[index % values.length],
  // Without a value: all accounts.
  account: (index, { enum: values }) => values?.[Math.floor(index / 3) % (values.length + 1)],
  tz: (index) => ZONES[index % ZONES.length],
  step: () => 'all',
  from: (index) => index,
  format: () => 'csv',
  seq: (index) => 1 + (index % SEALED_HOURS) * ENTRIES_PER_HOUR + (index % ENTRIES_PER_HOUR),
};

function writeQuery(parameters: readonly Parameter[], index: number): string {
  const given = parameters.flatMap(({ name, schema }) => {
    const value = WORST[name]?.(index, schema);
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  return given.length > 0 ? `?${given.join('&')}` : '';
}

let address = 0;

async function send(service: Service, url: string): Promise<number> {
  const response = await fetch(service.hello + url, {
    headers: { 'X-Forwarded-For': writeAddress(++address) },
  });
  await response.arrayBuffer();
  return response.status;
}

function writeAddress(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

let sent = 0;

/** The lowest of several rounds, most expensive call first: other programs on the machine only add to them. */
async function measureCalls(options: BenchOptions, service: Service, calls: readonly PublicCall[]) {
  options.say('warming up');
  for (const call of calls) for (let i = 0; i < WARM_UP_CALLS; i++) await send(service, call.url(++sent));
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    options.say(`round ${round + 1} of ${ROUNDS}`);
    const idle = await measureIdleShare(service);
    const spent: number[] = [];
    for (const call of calls) spent.push(await measureCpuMs(service, call, idle));
    rounds.push(spent);
  }
  return calls
    .map((call, i) => ({ call, cpuMs: Math.min(...rounds.map((spent) => spent[i]!)) }))
    .sort((left, right) => right.cpuMs - left.cpuMs);
}

async function measureCpuMs(service: Service, call: PublicCall, idle: number): Promise<number> {
  await ask(service, { kind: 'advance' });
  // The service's own periodic work, which is due now.
  await wait(SETTLE_MS);
  const [beganMs, beganNs] = [performance.now(), readCpuNs(service.pid)];
  for (let i = 0; i < CALLS; i++) {
    const status = await send(service, call.url(++sent));
    if (status !== 200) throw new Error(`${call.url(sent)} returned ${status}`);
  }
  const spentMs = (readCpuNs(service.pid) - beganNs) / 1e6;
  return Math.max(0, spentMs - idle * (performance.now() - beganMs)) / CALLS;
}

/** CPU time per time passed, without calls. */
async function measureIdleShare(service: Service): Promise<number> {
  const [beganMs, beganNs] = [performance.now(), readCpuNs(service.pid)];
  await wait(IDLE_MS);
  return (readCpuNs(service.pid) - beganNs) / 1e6 / (performance.now() - beganMs);
}

async function measureNeighbour(
  options: BenchOptions,
  service: Service,
  call: PublicCall,
): Promise<BenchRow> {
  const ratios: number[] = [];
  for (let flood = 0; flood < FLOODS; flood++) {
    const atRest = await timeMeta(service, wait(REST_MS));
    const from = writeAddress(++address);
    const requests = Array.from({ length: FLOOD_CALLS }, () =>
      rawRequest(call.url(++sent), { 'X-Forwarded-For': from }),
    );
    const perSecond = (1_000 * FLOOD_CALLS) / REST_MS;
    const load = { port: Number(new URL(service.hello).port), requests, connections: 1, perSecond };
    const flooding = offerLoad(options.scratchDir, { ...load, seconds: REST_MS / 1_000 });
    const meanwhile = await timeMeta(service, flooding);
    const [restMs, floodMs] = [quantile(atRest, 0.99), quantile(meanwhile, 0.99)];
    options.say(`/meta p99 ${restMs.toFixed(1)} ms at rest, ${floodMs.toFixed(1)} ms during the calls`);
    ratios.push(floodMs / restMs);
  }
  const name = `/meta of another address: p99 during ${FLOOD_CALLS} such calls relative to rest`;
  return limitRow(name, median(ratios), MAX_SLOWDOWN);
}

async function timeMeta(service: Service, until: Promise<unknown>): Promise<number[]> {
  const tookMs: number[] = [];
  let isOver = false;
  void until.finally(() => (isOver = true));
  while (!isOver || tookMs.length < 100) {
    const beganMs = performance.now();
    await send(service, '/api/v1/meta/account_a');
    tookMs.push(performance.now() - beganMs);
    await wait(5);
  }
  await until;
  return tookMs;
}
