// A proxy in front of the demo's facilitator that can be made to misbehave, per operation.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LocalServer, serve } from '../support/local-server.ts';

/**
 * drop: disconnects without acting; do-and-drop: acts, then disconnects; hang: never responds; no-transaction: claims
 * success without acting; refuse: says no.
 */
export type Fault =
  | 'pass'
  | '500'
  | '429'
  | 'garbage'
  | 'drop'
  | 'do-and-drop'
  | 'hang'
  | 'no-transaction'
  | 'refuse';

export interface FaultyFacilitator extends LocalServer {
  faults: { verify: Fault; settle: Fault };
}

export async function startFaultyFacilitator(target: string): Promise<FaultyFacilitator> {
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = proxy.faults[request.url === '/settle' ? 'settle' : 'verify'];
    const body = await text(request);
    const claim = { success: fault !== 'refuse', transaction: '', network: 'eip155:84532' };
    if (fault === 'hang') return;
    if (fault === 'drop') return void request.socket.destroy();
    if (fault === '500' || fault === '429')
      return void response.writeHead(Number(fault)).end('{"error":"no"}');
    if (fault === 'no-transaction') return void response.end(JSON.stringify(claim));
    if (fault === 'refuse') return void response.end(JSON.stringify({ ...claim, errorReason: 'no' }));
    if (fault === 'garbage') return void response.end('<html>');
    const answer = await fetch(`${target}${request.url}`, { method: 'POST', body });
    const answered = await answer.text();
    if (fault === 'do-and-drop') return void request.socket.destroy();
    response.writeHead(answer.status).end(answered);
  }

  const server = await serve((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  const proxy: FaultyFacilitator = { ...server, faults: { verify: 'pass', settle: 'pass' } };
  return proxy;
}
