// Sends one request from a loopback address; used by attackers and the honest caller.

import { request } from 'node:http';

export interface Ask {
  method?: string;
  path: string;
  from: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Returns the status, or 0 if there is no response. */
export function send(
  port: number,
  { method = 'GET', path, from, headers = {}, body = '' }: Ask,
): Promise<number> {
  return new Promise((resolve) => {
    const call = request(
      { host: '127.0.0.1', port, localAddress: from, method, path, headers },
      (response) => {
        response.resume().once('close', () => resolve(response.statusCode ?? 0));
      },
    );
    call.on('error', () => resolve(0));
    call.end(body);
  });
}
