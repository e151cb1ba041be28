// Serves the simulator on a loopback port: the same responses as in process, over real HTTP and websockets.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Simulator } from './simulator.ts';
import {
  KALSHI_SOCKET_PATH,
  MARKET_SOCKET_PATH,
  makeUrls,
  type SimulatorUrls,
  USER_SOCKET_PATH,
} from './urls.ts';

export interface SimulatorServer {
  readonly port: number;
  readonly urls: SimulatorUrls;
  close(): Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

export async function startSimulatorServer(
  simulator: Simulator,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<SimulatorServer> {
  if (!LOOPBACK.has(host)) throw new Error(`the simulator listens on loopback only, not on ${host}`);
  const sockets = new WebSocketServer({ noServer: true });
  // Leaves closing idle connections to clients: a server that closed them would race with a client's next
  // request.
  const server = createServer(
    { keepAliveTimeout: 0 },
    (incoming, outgoing) => void respond(simulator, incoming, outgoing),
  );
  server.on('upgrade', (incoming, socket, head) => upgrade(simulator, sockets, incoming, socket, head));
  await listen(server, host, port);
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    urls: makeUrls(`${host.includes(':') ? `[${host}]` : host}:${address.port}`),
    async close() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A service with a thousand accounts opens hundreds of connections at once. */
const BACKLOG = 4_096;

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, BACKLOG, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function respond(
  simulator: Simulator,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const aborter = new AbortController();
  outgoing.on('close', () => aborter.abort());
  try {
    const request = await toRequest(incoming, aborter.signal);
    await send(await simulator.fetch(request), outgoing);
  } catch {
    // Faults drop the connection, and so does any unexpected error.
    incoming.socket.destroy();
  }
}

function toHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, String(value));
  return headers;
}

async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const headers = toHeaders(incoming);
  const url = `http://${incoming.headers.host ?? '127.0.0.1'}${incoming.url ?? '/'}`;
  const hasBody = chunks.length > 0 && incoming.method !== 'GET' && incoming.method !== 'HEAD';
  return new Request(url, {
    method: incoming.method ?? 'GET',
    headers,
    signal,
    ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
  });
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  if (!response.body || response.headers.get('content-type')?.startsWith('text/html')) {
    outgoing.writeHead(response.status, headers).end(await response.text());
    return;
  }
  outgoing.writeHead(response.status, headers);
  outgoing.flushHeaders();
  // When a client disconnects, cancel the body. The request's signal alone is not enough: it is lost once the
  // request has been garbage-collected, and the stream would never end.
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
}

function upgrade(
  simulator: Simulator,
  sockets: WebSocketServer,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const path = new URL(incoming.url ?? '/', 'http://simulator').pathname.replace(/\/+$/, '');
  if (![KALSHI_SOCKET_PATH, MARKET_SOCKET_PATH, USER_SOCKET_PATH].includes(path)) {
    socket.destroy();
    return;
  }
  sockets.handleUpgrade(incoming, socket, head, (client) =>
    attach(simulator, path, client, toHeaders(incoming)),
  );
}

function attach(simulator: Simulator, path: string, client: WebSocket, headers: Headers): void {
  const session = simulator.connect(
    path,
    {
      send: (text) => client.readyState === client.OPEN && client.send(text),
      close: (code) => (code === undefined ? client.terminate() : client.close(code)),
    },
    headers,
  );
  if (!session) {
    client.terminate();
    return;
  }
  client.on('message', (data) => session.receive(String(data)));
  client.on('close', () => session.closed());
  client.on('error', () => client.terminate());
}
