// fetch through an HTTP proxy, for a platform that refuses this machine's network. It requests uncompressed
// bodies, because it does not decompress.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import type { Fetch } from './http-transport.ts';

const NO_BODY = new Set([204, 205, 304]);

export function createProxyFetch(proxyUrl: string): Fetch {
  // The agents accept the proxy in this form; the empty NO_PROXY means nothing bypasses it.
  const proxyEnv = { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, NO_PROXY: '' };
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, proxyEnv } as object),
    'https:': new HttpsAgent({ keepAlive: true, proxyEnv } as object),
  };
  return (address, init) => {
    const url = new URL(address);
    const isSecure = url.protocol === 'https:';
    const headers = new Headers(init.headers);
    headers.set('accept-encoding', 'identity');
    return new Promise((resolve, reject) => {
      const send = isSecure ? httpsRequest : httpRequest;
      const request = send(
        url,
        {
          method: init.method ?? 'GET',
          headers: Object.fromEntries(headers),
          agent: isSecure ? agents['https:'] : agents['http:'],
          ...(init.signal ? { signal: init.signal } : {}),
        },
        (incoming) => resolve(toResponse(incoming)),
      );
      request.on('error', reject);
      request.end(typeof init.body === 'string' ? init.body : undefined);
    });
  };
}

function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  }
  const status = incoming.statusCode ?? 502;
  const body = NO_BODY.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
  if (body === null) incoming.resume();
  return new Response(body, { status, headers });
}
