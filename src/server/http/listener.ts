// The socket side of the server: size and time limits, responses to malformed HTTP, and graceful shutdown.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type ConnectionGuard, type ConnectionLimits, createConnectionGuard } from './connection-guard.ts';
import { API_LINES, JSON_LINES, NO_STORE_LINES } from './fixed-headers.ts';
import { findHeadFault, type HeadFault } from './head-faults.ts';
import { PlatformReply, type Reply, type RequestParts } from './reply.ts';

const MAX_HEADER_BYTES = 16_384;
const KEEP_ALIVE_MS = 65_000;
/** At shutdown, time to read requests that have already reached this machine. */
const LAST_ARRIVALS_MS = 100;
/** With LAST_ARRIVALS_MS and FAREWELL_MS, less than what src/app/closers.ts leaves for the interface. */
const DRAIN_MS = 6_000;
const HEADERS_WITHIN_MS = 15_000;
/** A connection without any traffic for this long is closed. */
const STALLED_MS = 120_000;
/** How long a rejected caller has to read the error before the connection closes. */
const FAREWELL_MS = 1_000;

export interface Listener {
  readonly server: Server;
  listen(at: { host: string; port: number }): Promise<AddressInfo>;
  /** Stops accepting and lets pending requests finish; those that take longer than DRAIN_MS get a 503. */
  close(): Promise<void>;
  isDraining(): boolean;
  readonly connections: Pick<ConnectionGuard, 'open' | 'refused'>;
}

type Serve = (request: RequestParts, reply: Reply) => void;

export interface FirstReaderTerms {
  serve: Serve;
  isDraining(): boolean;
  /** Called if no request arrived in time. */
  giveUp(socket: Socket): void;
  headersWithinMs: number;
  keepAliveMs: number;
}

/** Serves requests of new connections before Node reads them, until it hands them over (src/server/plain-http). */
export type FirstReader = (
  server: Server,
  terms: FirstReaderTerms,
) => {
  /** Closes idle connections, and the others after their pending response. */
  retire(): void;
  listPending(): readonly Reply[];
  destroy(): void;
};

export interface ListenerOptions {
  limits: ConnectionLimits;
  /** null to leave every connection to Node. */
  firstReader?: FirstReader | null;
  stalledMs?: number;
  /** Deadline for complete headers, from the connection or the end of the last request. */
  headersWithinMs?: number;
  drainMs?: number;
}

export function createListener(
  serve: Serve,
  {
    limits,
    firstReader = null,
    stalledMs = STALLED_MS,
    headersWithinMs = HEADERS_WITHIN_MS,
    drainMs = DRAIN_MS,
  }: ListenerOptions,
): Listener {
  let isDraining = false;
  /** Requests that Node has parsed and that have no response yet. */
  const pending = new Set<PlatformReply>();
  function onRequest(req: IncomingMessage, res: ServerResponse): void {
    const fault = findHeadFault(req.rawHeaders);
    if (fault) {
      refuseHead(res, fault);
      return;
    }
    const reply = new PlatformReply(req, res, () => isDraining);
    pending.add(reply);
    reply.onClose(() => void pending.delete(reply));
    serve(req, reply);
  }
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersWithinMs,
      requestTimeout: 30_000,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: headersWithinMs / 3,
      noDelay: true,
    },
    onRequest,
  );
  // Node drops header lines beyond a thousand without an error; we reject them.
  server.maxHeadersCount = 0;
  const first = firstReader?.(server, {
    ...{ serve, isDraining: () => isDraining, headersWithinMs, keepAliveMs: KEEP_ALIVE_MS },
    giveUp: (socket) => answerBrokenRequest({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket),
  });
  const connections = createConnectionGuard(limits);
  server.on('connection', connections.admit);
  server.setTimeout(stalledMs);
  server.on('clientError', answerBrokenRequest);
  server.on('checkContinue', (req, res) =>
    inTurn(res, () => {
      res.writeContinue();
      onRequest(req, res);
    }),
  );
  // Unknown expectations are ignored.
  server.on('checkExpectation', onRequest);

  return {
    server,
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve(server.address() as AddressInfo);
        });
      }),
    async close() {
      isDraining = true;
      if (!server.listening) return;
      await wait(LAST_ARRIVALS_MS);
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeIdleConnections();
      first?.retire();
      if (await isWithin(drainMs, closed)) return;
      for (const reply of [...pending, ...(first?.listPending() ?? [])]) dismiss(reply);
      await isWithin(FAREWELL_MS, closed);
      server.closeAllConnections();
      first?.destroy();
      await closed;
    },
    isDraining: () => isDraining,
    connections,
  };
}

async function isWithin(limitMs: number, work: Promise<void>): Promise<boolean> {
  const over = new AbortController();
  const late = wait(limitMs, false, { signal: over.signal }).catch(() => false);
  const isDone = await Promise.race([work.then(() => true), late]);
  over.abort();
  return isDone;
}

const STOPPING = JSON.stringify({ detail: 'The service is stopping. Try again shortly.' });
const STOPPING_LINES = `${JSON_LINES}${NO_STORE_LINES}${API_LINES}Retry-After: 1\r\nContent-Length: ${STOPPING.length}\r\n`;

/** A reset would leave the caller guessing, and a payer unsure about its payment. */
function dismiss(reply: Reply): void {
  if (!reply.isOver) reply.send(503, STOPPING_LINES, STOPPING);
}

/** Waits for earlier responses on the connection, because Node would put 100 Continue inside one of them. */
function inTurn(res: ServerResponse, begin: () => void): void {
  if (res.socket !== null) begin();
  // Deferred, because Node is still assigning the socket.
  else res.once('socket', () => process.nextTick(begin));
}

function refuseHead(res: ServerResponse, { status, detail }: HeadFault): void {
  const body = JSON.stringify({ detail });
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  res.end(body);
}

const BROKEN: Record<string, [number, string, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive'],
};

function answerBrokenRequest(error: Pick<NodeJS.ErrnoException, 'code'>, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, detail] = BROKEN[error.code ?? ''] ?? [400, 'Bad Request', 'Malformed HTTP request'];
  const body = JSON.stringify({ detail });
  // Otherwise a caller that never closes its side would hold the connection and its descriptor.
  const farewell = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.once('close', () => clearTimeout(farewell));
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
}
