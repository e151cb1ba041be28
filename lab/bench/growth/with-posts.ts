// Measures the running service with an increasing number of posts: 100 a day within the model's look-back,
// the rest before it.

import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS } from '../../../src/domain/units.ts';
import type { BenchOptions } from '../core/bench.ts';
import { readRssMb } from '../core/processes.ts';
import type { BenchRow } from '../core/row.ts';
import { startWholeService, type WholeService, waitUntilCaughtUp } from '../load/whole-service.ts';
import { measureCaptureCpuMs, measureRequestCpuUs, settleMs } from './at-rest.ts';
import { bornTs, fillPosts } from './fill-posts.ts';
import { seriesRow } from './series.ts';

const RECENT_PER_DAY = 100;
/** Longer than the model's look-back: older posts have no effect and must not add cost. */
const RECENT_DAYS = 1_000;
const OLDER_PER_DAY = 100_000;

interface Cost {
  firstAnswerMs: number;
  metaUs: number;
  pageUs: number;
  captureMs: number;
  rssMb: number;
}

export async function measurePosts(options: BenchOptions): Promise<BenchRow[]> {
  const sizes = options.isQuick ? [1_000, 10_000] : [1e5, 1e7];
  const costs: Cost[] = [];
  const untilTs = bornTs() - 1;
  let service = await startWholeService(options, {
    simulatorArgs: ['--anchor', String(bornTs())],
    fill: async (dataDir) => fillAccount(dataDir, sizes[0]!, untilTs),
    isAtOnce: true,
  });
  try {
    await waitUntilCaughtUp(options, service.url, service.keys.INTERNAL);
    for (const posts of sizes) {
      options.say(`${posts.toLocaleString('en-US')} posts`);
      await service.stopService();
      fillAccount(service.dataDir, posts, untilTs);
      service = await service.restart();
      costs.push(await measure(options, service));
    }
  } finally {
    await service.stop();
  }
  const row = (what: string, pick: (cost: Cost) => number, grows: 'not' | 'linearly') =>
    seriesRow({ of: 'posts', what, sizes, costs: costs.map(pick), grows });
  return [
    row('restart to first response, ms', ({ firstAnswerMs }) => firstAnswerMs, 'linearly'),
    row('idle memory, MB', ({ rssMb }) => rssMb, 'not'),
    row('/meta CPU µs/request', ({ metaUs }) => metaUs, 'not'),
    row('CPU µs per page of 100 posts', ({ pageUs }) => pageUs, 'not'),
    row('CPU ms per captured post incl. forecasts', ({ captureMs }) => captureMs, 'not'),
  ];
}

async function measure(options: BenchOptions, service: WholeService): Promise<Cost> {
  await fetch(`${service.url}/api/v1/meta/account_a`).then((response) => response.arrayBuffer());
  const firstAnswerMs = performance.now() - service.startedMs;
  await waitUntilCaughtUp(options, service.url, service.keys.INTERNAL);
  await wait(settleMs(options));
  const rssMb = readRssMb(service.pid);
  const metaUs = await measureRequestCpuUs(options, service, '/api/v1/meta/account_a');
  const page = '/api/v1/meta/account_a/tweets?limit=100&offset=500';
  const pageUs = await measureRequestCpuUs(options, service, page);
  return { firstAnswerMs, rssMb, metaUs, pageUs, captureMs: await measureCaptureCpuMs(options, service) };
}

function fillAccount(dataDir: string, posts: number, untilTs: number): void {
  const recent = Math.min(posts, RECENT_PER_DAY * RECENT_DAYS);
  const accountId = 'a';
  const olderUntilTs = untilTs - RECENT_DAYS * DAY_MS;
  fillPosts(dataDir, [
    { accountId, posts: recent, untilTs, perDay: RECENT_PER_DAY },
    ...(posts > recent
      ? [{ accountId, posts: posts - recent, untilTs: olderUntilTs, perDay: OLDER_PER_DAY, newer: recent }]
      : []),
  ]);
}
