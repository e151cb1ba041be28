// A proxy in front of the real facilitator that can be made to misbehave, per operation.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LocalServer, serve } from '../support/local-server.ts';

/**
 * drop: disconnects without reading; do-and-drop: acts, then disconnects; hang: never responds; no-transaction:
 * claims success without acting.
 */
export type Fault = 'pass' | '500' | '429' | 'garbage' | 'drop' | 'do-and-drop' | 'hang' | 'no-transaction';

export interface FaultyFacilitator extends LocalServer {
  faults: { verify: Fault; settle: Fault };
  calls: { verify: number; settle: number };
}

export async function startFaultyFacilitator(target: string): Promise<FaultyFacilitator> {
  const faults: FaultyFacilitator['faults'] = { verify: 'pass', settle: 'pass' };
  const calls = { verify: 0, settle: 0 };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = request.url === '/settle' ? 'settle' : 'verify';
    calls[operation]++;
    const fault = faults[operation];
    const body = await text(request);
    if (fault === 'hang') return;
    if (fault === 'drop') return void request.socket.destroy();
    if (fault === '500' || fault === '429')
      return void response.writeHead(Number(fault)).end('{"error":"no"}');
    if (fault === 'no-transaction') {
      const claim = { success: true, transaction: '', network: 'eip155:84532' };
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(claim));
    }
    if (fault === 'garbage') return void response.writeHead(200).end('<html>');
    const answer = await fetch(`${target}${request.url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const answered = await answer.text();
    if (fault === 'do-and-drop') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answered);
  }

  const server = await serve((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  return { ...server, faults, calls };
}
