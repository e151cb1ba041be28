// A scripted advice service for markets on the simulated exchange.

import type { OpportunityRow } from '../../src/trading/executor/read-advice.ts';
import { type LocalServer, serve } from '../support/local-server.ts';

export interface ScriptedAdvice extends LocalServer {
  rows: OpportunityRow[];
  /** Number of advice requests so far. */
  asked: number;
}

export async function startScriptedAdvice(simulatorUrl: string): Promise<ScriptedAdvice> {
  const script: Pick<ScriptedAdvice, 'rows' | 'asked'> = { rows: [], asked: 0 };
  const answers: Record<string, () => object> = {
    '/config.json': () => ({ accounts: [], world: 'simulated', speed: 1, simulator_url: simulatorUrl }),
    '/api/v1/signals': () => {
      script.asked++;
      return { timestamp: Date.now(), data: script.rows, halts: [] };
    },
    '/api/v1/health': () => ({ status: 'ok' }),
  };
  const server = await serve((request, response) => {
    const answer = answers[new URL(request.url ?? '/', 'http://service.invalid').pathname];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? { detail: 'Not Found' }));
  });
  return Object.assign(script, server);
}
