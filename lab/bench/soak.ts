// Runs at half the capacity for a long time and checks that memory stays flat and every handle is released. The
// service reads two venues and their past, and a paper trader follows it.

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from './core/bench.ts';
import { type MemoryParts, readMemoryParts } from './core/memory-parts.ts';
import { countOpenFiles, type Running, readRssMb, startCommand } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { fitSlope, median } from './core/statistics.ts';
import { measureCapacity } from './load/capacity.ts';
import { type LoadRequest, type LoadResult, offerLoad } from './load/generate.ts';
import { listMixedRequests, listWrongRequests } from './load/mixed-requests.ts';
import { keepStreams } from './load/passing-streams.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';

export const isLong = true;

const DEFAULT_MINUTES = 30;
const QUICK_MINUTES = 0.25;
const FRESH_SHARE = 0.1;
const READERS = 20;

interface Sample extends MemoryParts {
  atMs: number;
  rssMb: number;
  heapMb: number;
  openFiles: number;
  resources: number;
  traderRssMb: number;
}

/** What is measured. */
interface Soaked {
  service: WholeService;
  trader: Running<string>;
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const minutes = options.minutes ?? (options.isQuick ? QUICK_MINUTES : DEFAULT_MINUTES);
  const service = await startWholeService(options, { env: { VENUES: 'kalshi' } });
  let trader: Running<string> | null = null;
  try {
    trader = await startTrader(options, service);
    const soaked = { service, trader };
    const good = listMixedRequests(service.keys.INTERNAL);
    const perSecond = options.perSecond ?? (await measureCapacity(options, service, good)) / 2;
    options.say(`${Math.round(perSecond)} requests/s for ${minutes} minutes`);
    const before = await sampleFor(soaked, 3_000, 500);
    const loads = offerMixed(service, perSecond, minutes * 60);
    const streams = keepStreams(service.url, service.keys.PRO, READERS);
    const during = await sampleFor(soaked, minutes * 60_000, options.isQuick ? 500 : 5_000, options.say);
    await streams.stop();
    const results = await loads;
    await wait(options.isQuick ? 2_000 : 10_000);
    const after = await sampleFor(soaked, 3_000, 500);
    options.say(`${streams.opened()} streams opened and closed; ${describeAnswers(results)}`);
    return toRows(options, results, before, during, after);
  } finally {
    await trader?.stop();
    await service.stop();
  }
}

function startTrader({ scratchDir }: BenchOptions, { url, keys }: WholeService): Promise<Running<string>> {
  const args = ['trade', '--url', url, '--data', join(scratchDir, 'trading')];
  return startCommand(process.execPath, ['bin/tallycast.mjs', ...args], {
    env: { TALLYCAST_KEY: keys.PRO.at(-1)! },
    until: /trading/,
  });
}

function offerMixed({ port, keys }: WholeService, perSecond: number, seconds: number): Promise<LoadResult[]> {
  const good = [keys.INTERNAL, ...keys.PRO].flatMap((key, i) =>
    listMixedRequests(key).slice(0, i === 0 ? 900 : 2),
  );
  const requests = spread(good, listWrongRequests(good.length / 9));
  const load = { port, requests, seconds };
  return Promise.all([
    offerLoad({ ...load, connections: 64, perSecond: perSecond * (1 - FRESH_SHARE) }),
    offerLoad({
      ...load,
      connections: 16,
      perSecond: perSecond * FRESH_SHARE,
      isFresh: true,
    }),
  ]);
}

/** Spreads the rare requests evenly among the frequent ones. */
function spread(many: readonly LoadRequest[], few: readonly LoadRequest[]): LoadRequest[] {
  const every = many.length / few.length;
  return many.flatMap((request, i) => {
    const at = Math.floor(i / every);
    return Math.floor((i + 1) / every) > at ? [request, few[at]!] : [request];
  });
}

async function sampleFor(
  soaked: Soaked,
  forMs: number,
  everyMs: number,
  say: (text: string) => void = () => {},
): Promise<Sample[]> {
  const startedMs = performance.now();
  const samples: Sample[] = [];
  while (performance.now() - startedMs < forMs) {
    samples.push(await takeSample(soaked));
    if (samples.length % 60 === 1) say(describeSample(samples.at(-1)!));
    await wait(everyMs);
  }
  return samples;
}

async function takeSample({ service: { pid, metricsUrl }, trader }: Soaked): Promise<Sample> {
  const text = await (await fetch(metricsUrl, { headers: { Connection: 'close' } })).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]);
  return {
    atMs: performance.now(),
    rssMb: readRssMb(pid),
    ...readMemoryParts(pid),
    heapMb: read('nodejs_heap_size_used_bytes') / 2 ** 20,
    openFiles: countOpenFiles(pid),
    resources: read('nodejs_active_resources_total'),
    traderRssMb: readRssMb(trader.pid),
  };
}

function toRows(
  options: BenchOptions,
  loads: readonly LoadResult[],
  before: readonly Sample[],
  during: readonly Sample[],
  after: readonly Sample[],
): BenchRow[] {
  const late = during.slice(Math.floor(during.length / 2));
  const rss = findGrowth(late, 'rssMb');
  const heap = findGrowth(late, 'heapMb');
  const trader = findGrowth(late, 'traderRssMb');
  for (const [name, { perHour, mean }] of [
    ['RSS MB', rss],
    ['C allocator RSS MB', findGrowth(late, 'allocatorMb')],
    ['mapped files RSS MB', findGrowth(late, 'filesMb')],
    ['V8 and stacks RSS MB', findGrowth(late, 'otherMb')],
    ['heap in use MB', heap],
    ['open files', findGrowth(late, 'openFiles')],
    ['active resources', findGrowth(late, 'resources')],
  ] as const) {
    options.say(`${name}: mean ${mean.toFixed(1)}, slope ${perHour.toFixed(2)} per hour`);
  }
  const more = (name: 'openFiles' | 'resources') => middle(after, name) - middle(before, name);
  const rows = [
    limitRow('soak: mean RSS, MB', rss.mean, 320),
    limitRow('soak: RSS slope, MB/h', rss.perHour, 5),
    limitRow('soak: heap growth, %', heap.percent, 10),
    limitRow('soak: mean RSS of the trader, MB', trader.mean, 160),
    limitRow('soak: RSS slope of the trader, MB/h', trader.perHour, 5),
    limitRow('soak: open files gained', more('openFiles'), 3),
    limitRow('soak: active resources gained', more('resources'), 5),
    limitRow(
      'soak: 5xx and broken connections',
      loads.map(countFailures).reduce((a, b) => a + b),
      0.5,
    ),
  ];
  if (rows.every(({ pass }) => pass)) options.say('memory flat, no leaked handles');
  return rows;
}

function findGrowth(samples: readonly Sample[], name: keyof Sample) {
  const times = samples.map(({ atMs }) => atMs);
  const values = samples.map((sample) => sample[name]);
  const slopePerMs = fitSlope(times, values);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const lastedMs = times.at(-1)! - times[0]!;
  return { perHour: slopePerMs * 3_600_000, mean, percent: (100 * slopePerMs * lastedMs) / mean };
}

function middle(samples: readonly Sample[], name: keyof Sample): number {
  return median(samples.map((sample) => sample[name]));
}

function countFailures({ statuses, broken }: LoadResult): number {
  const bad = Object.entries(statuses).filter(([status]) => Number(status) >= 500 || status === '0');
  return broken + bad.reduce((sum, [, count]) => sum + count, 0);
}

function describeAnswers(loads: readonly LoadResult[]): string {
  return loads.map(({ statuses, broken }) => `${JSON.stringify(statuses)}, broken ${broken}`).join(' and ');
}

function describeSample(sample: Sample): string {
  const { rssMb, allocatorMb, filesMb, otherMb, heapMb, openFiles, resources } = sample;
  const parts = `allocator ${allocatorMb.toFixed(1)}, files ${filesMb.toFixed(1)}, V8 and stacks ${otherMb.toFixed(1)}`;
  return `RSS ${rssMb.toFixed(1)} MB (${parts}), heap in use ${heapMb.toFixed(0)} MB, ${openFiles} open files, ${resources} resources`;
}
