// Memory under load: a day's requests at full speed.

import type { BenchOptions } from './core/bench.ts';
import { readRssMb } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { median } from './core/statistics.ts';
import { generateLoad, rawRequest } from './load/generate.ts';
import { startWholeService } from './load/whole-service.ts';

export const about = `Meta, predictions, posts and signals in turn. \`--day\` sends a day's 8.64 million requests; a normal run sends a part.`;

const DAY_REQUESTS = 8_640_000;
const LOADED_MB = 320;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const total = options.isQuick ? 10_000 : options.isDay ? DAY_REQUESTS : 1_000_000;
  const service = await startWholeService(options);
  try {
    const { port, keys, pid } = service;
    const paths = [
      '/api/v1/meta/account_a',
      '/api/v1/prediction/account_b',
      '/api/v1/meta/account_b/tweets',
      '/api/v1/prediction/account_a',
      '/api/v1/meta/account_a/tweets?limit=100',
    ];
    const hot = Array.from({ length: 20 }, () => paths).flat();
    // Answers computed per caller are a small share.
    const requests = [...hot, '/api/v1/signals/account_a'].map((path) =>
      rawRequest(path, { 'X-API-Key': keys.INTERNAL }),
    );
    const samples: number[] = [];
    let sent = 0;
    while (sent < total) {
      const seconds = options.isQuick ? 0.3 : 2;
      sent += (await generateLoad(options.scratchDir, { port, requests, seconds })).requests;
      samples.push(readRssMb(pid));
      options.say(`${sent.toLocaleString('en-US')} requests, ${samples.at(-1)!.toFixed(0)} MB`);
    }
    const part = (from: number, to: number) =>
      median(samples.slice(Math.floor(samples.length * from), Math.max(1, Math.ceil(samples.length * to))));
    const days = (sent / DAY_REQUESTS).toFixed(2);
    return [
      limitRow(`memory under load: RSS MB at the end (${days} of a day at 100/s)`, part(0.8, 1), LOADED_MB),
      limitRow('memory under load: end / second fifth', part(0.8, 1) / part(0.2, 0.4), 1.1),
    ];
  } finally {
    await service.stop();
  }
}
