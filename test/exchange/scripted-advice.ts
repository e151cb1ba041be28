// A scripted advice service for markets on the simulated exchange.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpportunityRow } from '../../src/trading/executor/read-advice.ts';

export interface ScriptedAdvice {
  url: string;
  rows: OpportunityRow[];
  /** Number of advice requests so far. */
  asked: number;
  close(): void;
}

export async function startScriptedAdvice(simulatorUrl: string): Promise<ScriptedAdvice> {
  const service: ScriptedAdvice = {
    url: '',
    rows: [],
    asked: 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const answers: Record<string, () => object> = {
    '/config.json': () => ({ accounts: [], world: 'simulated', speed: 1, simulator_url: simulatorUrl }),
    '/api/v1/signals': () => {
      service.asked++;
      return { timestamp: Date.now(), data: service.rows, halts: [] };
    },
    '/api/v1/health': () => ({ status: 'ok' }),
  };
  const server = createServer((request, response) => {
    const answer = answers[new URL(request.url ?? '/', 'http://service.invalid').pathname];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? { detail: 'Not Found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}
