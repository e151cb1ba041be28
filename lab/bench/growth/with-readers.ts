// Measures the running service with an increasing number of stream readers.

import { setTimeout as wait } from 'node:timers/promises';
import { youngAnchorTs } from '../../../test/support/boot.ts';
import type { BenchOptions } from '../core/bench.ts';
import { readRssMb } from '../core/processes.ts';
import { type BenchRow, limitRow } from '../core/row.ts';
import { median, quantile } from '../core/statistics.ts';
import { MANY_READERS, measureStream, type StreamCost } from '../load/measure-stream.ts';
import { startWholeService, waitUntilCaughtUp } from '../load/whole-service.ts';
import { settleMs } from './at-rest.ts';
import { seriesRow } from './series.ts';

/** With ten thousand readers each post means writing some hundred megabytes. */
const POST_EVERY_MS = 3_000;

export async function measureReaders(options: BenchOptions): Promise<BenchRow[]> {
  const sizes = options.isQuick ? [20, 200] : [1_000, 10_000];
  const costs: (StreamCost & { addedMb: number })[] = [];
  const posts = options.isQuick ? 2 : 10;
  for (const readers of sizes) {
    const service = await startWholeService(options, {
      ...MANY_READERS,
      simulatorArgs: ['--anchor', String(youngAnchorTs())],
      isAtOnce: true,
    });
    try {
      await waitUntilCaughtUp(options, service.url, service.keys.INTERNAL);
      await wait(2 * settleMs(options));
      const beforeMb = readRssMb(service.pid);
      const cost = await measureStream(options, service, readers, posts, POST_EVERY_MS);
      costs.push({ ...cost, addedMb: median(cost.memoryMb) - beforeMb });
    } finally {
      await service.stop();
    }
  }
  const row = (what: string, pick: (cost: (typeof costs)[number]) => number) =>
    seriesRow({ of: 'stream readers', what, sizes, costs: costs.map(pick), grows: 'linearly' });
  return [
    row('CPU ms per post', ({ cpuMsPerPost }) => cpuMsPerPost),
    row('delay p99 ms', ({ delaysMs }) => quantile(delaysMs, 0.99)),
    row('memory, MB', ({ addedMb }) => Math.max(1, addedMb)),
    limitRow(`growth, stream readers: posts missed by any of ${sizes.at(-1)}`, costs.at(-1)!.missed, 0.5),
  ];
}
