// A proxy in front of the real facilitator that can be made to misbehave, per operation.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * drop: disconnects without reading; do-and-drop: acts, then disconnects; hang: never responds; no-transaction:
 * claims success without acting.
 */
export type Fault = 'pass' | '500' | '429' | 'garbage' | 'drop' | 'do-and-drop' | 'hang' | 'no-transaction';

export interface FaultyFacilitator {
  url: string;
  faults: { verify: Fault; settle: Fault };
  calls: { verify: number; settle: number };
  close(): Promise<void>;
}

export async function startFaultyFacilitator(target: string): Promise<FaultyFacilitator> {
  const faults: FaultyFacilitator['faults'] = { verify: 'pass', settle: 'pass' };
  const calls = { verify: 0, settle: 0 };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = request.url === '/settle' ? 'settle' : 'verify';
    calls[operation]++;
    const fault = faults[operation];
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
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
      body: Buffer.concat(chunks),
    });
    const text = await answer.text();
    if (fault === 'do-and-drop') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
