// Sends the load that its parent describes, with autocannon, and sends back what came of it.

import type { EventEmitter } from 'node:events';
import autocannon from 'autocannon';
import { quantile } from '../core/statistics.ts';
import type { OfferedLoad, Sent } from './generate.ts';

interface Head {
  statusCode: number;
  /** Names and values in turn. */
  headers: string[];
}

process.once('message', (load: OfferedLoad) => {
  const { port, requests, seconds, connections = 32, perSecond, isFresh } = load;
  const statuses: Record<string, number> = {};
  const goodMs: number[] = [];
  let [answered, retryAfters, opened] = [0, 0, 0];
  const startedMs = performance.now();
  const options: autocannon.Options = {
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    ...(perSecond ? { overallRate: Math.round(perSecond) } : {}),
    ...(isFresh ? { reconnectRate: 1 } : {}),
    setupClient(client) {
      // Each connection sends its own share of the requests, so that no caller sends everything at once.
      const first = opened++ % connections;
      const own = requests.filter((_, i) => i % connections === first % requests.length);
      client.setRequests(own.length > 0 ? own : [...requests]);
      (client as EventEmitter).on('headers', ({ statusCode, headers }: Head) => {
        const names = headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
        if ((statusCode === 429 || statusCode === 503) && names.includes('retry-after')) retryAfters++;
      });
    },
  };
  const instance = autocannon(options, (_, { errors }) => {
    const sent: Sent = {
      ...{ requests: answered, seconds: (performance.now() - startedMs) / 1000 },
      ...{ good: goodMs.length, statuses, retryAfters, broken: errors },
      ...{ p50Ms: quantile(goodMs, 0.5), p99Ms: quantile(goodMs, 0.99) },
    };
    process.send!(sent, () => process.exit());
  });
  instance.on('response', (_client, status, _bytes, tookMs) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    answered++;
    if (status < 400) goodMs.push(tookMs);
  });
});
process.send!('ready');
