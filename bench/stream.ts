// Stream fan-out: many readers of one account, a counter changes, everybody must hear of it soon.

import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from './core/bench.ts';
import { ask, readCpuNs, readRssMb, startScript } from './core/processes.ts';
import { type BenchRow, limitRow, ofPart } from './core/row.ts';
import { median, quantile } from './core/statistics.ts';
import { PART, startInterface } from './servers/start-interface.ts';

export const about = `The interface alone on a fixed board, without ingestion: for insight, no claim about the started program. 1,000 readers
of one PRO stream; a counter of every event changes several times a second. Delay
is from the publication to the arrival at each reader, over all readers and changes, on the machine's one monotonic clock.
The readers share one process on the other core, so its own queueing is part of the figure. Memory growth compares the
second quarter of the run with its end.`;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const readers = options.isQuick ? 100 : 1_000;
  const changes = options.isQuick ? 10 : options.isDay ? 2_400 : 240;
  const ours = await startInterface(options);
  const { port, keys } = ours.hello;
  const before = readRssMb(ours.pid);
  try {
    const path = '/api/v1/stream/account_a';
    options.say(`${readers} readers come in`);
    const client = await startScript('bench/load/stream-client.ts', [
      String(port),
      path,
      keys.PRO,
      String(readers),
    ]);
    try {
      const published = new Map<number, number>();
      const memory: number[] = [];
      const cpuBefore = readCpuNs(ours.pid);
      for (let i = 0; i < changes; i++) {
        const { version, atNs } = await ask<{ version: number; atNs: string }>(ours, { kind: 'publish' });
        published.set(version, Number(atNs) / 1e6);
        memory.push(readRssMb(ours.pid));
        await wait(250);
        if (i % 40 === 0) options.say(`change ${i + 1} of ${changes}`);
      }
      const cpuMs = (readCpuNs(ours.pid) - cpuBefore) / 1e6;
      await wait(500);
      const seen = await ask<{ arrivals: [number, number[]][]; lost: number }>(client, { kind: 'tell' });
      const delays: number[] = [];
      for (const [version, times] of seen.arrivals) {
        const fromMs = published.get(version);
        if (fromMs !== undefined) for (const atMs of times) delays.push(atMs - fromMs);
      }
      const missed = readers * changes - delays.length;
      const settled = median(memory.slice(Math.floor(changes / 4), Math.floor(changes / 2)));
      return ofPart(PART, [
        limitRow(`stream, ${readers} readers: delay p99 ms`, quantile(delays, 0.99), 250),
        limitRow(`stream, ${readers} readers: changes a reader did not get`, missed + seen.lost, 0.5),
        limitRow(`stream, ${readers} readers: CPU ms per change`, cpuMs / changes, 125),
        limitRow(`stream, ${readers} readers: memory MB for them`, settled - before, 100),
        limitRow(
          `stream, ${readers} readers: memory at the end / settled`,
          median(memory.slice(-10)) / settled,
          1.1,
        ),
      ]);
    } finally {
      await client.stop();
    }
  } finally {
    await ours.stop();
  }
}
