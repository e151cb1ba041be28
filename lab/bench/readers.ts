// Measures stream fan-out: many readers of one account on API replicas must receive each captured post quickly,
// at a cost that grows at most linearly with their number and with the replicas.

import type { BenchOptions } from './core/bench.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { quantile } from './core/statistics.ts';
import { formatNumber } from './core/table.ts';
import { measureReaders, type ReaderCost } from './load/measure-readers.ts';
import { startPostgresFleet } from './load/postgres-fleet.ts';

export const isLong = true;

/** Linear, with some room for noise. */
const MAX_EXPONENT = 1.1;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const [few, many] = options.isQuick ? [20, 200] : [1_000, 10_000];
  // All clients share one address, as behind a proxy.
  const fleet = await startPostgresFleet(options, 2, { TRUSTED_PROXY_HOPS: '1' });
  try {
    const [first] = fleet.apis;
    // First, because processes keep the memory of earlier readers.
    const onTwo = await measureReaders(options, fleet, fleet.apis, many!);
    const onOne = await measureReaders(options, fleet, [first!], many!);
    const onOneFew = await measureReaders(options, fleet, [first!], few!);
    return [
      ...growthRows('one replica', [onOneFew, onOne]),
      ...growthRows('one and two replicas', [onOne, onTwo]),
      ...costRows(onTwo),
    ];
  } finally {
    await fleet.stop();
  }
}

function growthRows(name: string, costs: readonly [ReaderCost, ReaderCost]): BenchRow[] {
  const sizes = costs.map(({ readers }) => readers);
  const growth = (values: readonly number[]) => Math.log(values[1]! / values[0]!);
  const row = (what: string, pick: (cost: ReaderCost) => number) => {
    const values = costs.map(pick);
    const at = sizes.map((size) => size.toLocaleString('en-US')).join('/');
    const title = `readers, ${name}, ${what}: ${values.map(formatNumber).join('/')} at ${at}`;
    return limitRow(title, growth(values) / growth(sizes), MAX_EXPONENT);
  };
  return [
    row('CPU ms per post', ({ cpuMsPerPost }) => cpuMsPerPost),
    row('delay p99 ms', ({ delaysMs }) => quantile(delaysMs, 0.99)),
  ];
}

function costRows(cost: ReaderCost): BenchRow[] {
  const { readers, cpuMsPerPost, idleCpuMsPerS, addedMb, delaysMs } = cost;
  const row = (what: string, value: number, limit: number) =>
    limitRow(`readers, ${readers.toLocaleString('en-US')} on two replicas: ${what}`, value, limit);
  return [
    row('CPU ms per post, both replicas', cpuMsPerPost, 2_000),
    row('CPU µs per reader and post', (1_000 * cpuMsPerPost) / readers, 100),
    row('CPU µs per idle reader and second', (1_000 * idleCpuMsPerS) / readers, 20),
    row('writes per idle reader and second', cost.idleWritesPerS, 1),
    row('kB sent per reader and post', cost.kbPerPost, 100),
    row('memory, kB per reader', (1_024 * addedMb) / readers, 12),
    row('delay p50 ms', quantile(delaysMs, 0.5), 500),
    row('delay p99 ms', quantile(delaysMs, 0.99), 1_000),
    row('CPU ms per connect', cost.connectCpuMs / readers, 1),
    row('posts missed by any', cost.missed, 0.5),
  ];
}
