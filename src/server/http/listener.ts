// The socket side of the server: size and time limits, responses to malformed HTTP, and graceful shutdown.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../runtime/clock.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import { type ConnectionGuard, type ConnectionLimits, createConnectionGuard } from './connection-guard.ts';
import { API_LINES, JSON_LINES, NO_STORE_LINES } from './fixed-headers.ts';
import { PlainConnection, type PlainTerms } from './plain-connection.ts';
import { findHeadFault, type HeadFault } from './read-head.ts';
import { PlatformReply, type Reply, type RequestParts } from './reply.ts';

const MAX_HEADER_BYTES = 16_384;
const KEEP_ALIVE_MS = 65_000;
/** At shutdown, time to read requests that have already reached this machine. */
const LAST_ARRIVALS_MS = 100;
/** With LAST_ARRIVALS_MS and FAREWELL_MS, less than what src/app/closers.ts leaves for the interface. */
const DRAIN_MS = 6_000;
const HEADERS_WITHIN_MS = 15_000;
/** How many times connections are checked within HEADERS_WITHIN_MS. */
const CHECKS = 3;
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

export interface ListenerOptions {
  limits: ConnectionLimits;
  /** Whether a GET of this URL returns a single complete body, so that a plain connection can serve it. */
  isPlain?: (url: string) => boolean;
  stalledMs?: number;
  /** Deadline for complete headers, from the connection or the end of the last request. */
  headersWithinMs?: number;
  drainMs?: number;
}

export function createListener(
  serve: (request: RequestParts, reply: Reply) => void,
  {
    limits,
    isPlain = () => false,
    stalledMs = STALLED_MS,
    headersWithinMs = HEADERS_WITHIN_MS,
    drainMs = DRAIN_MS,
  }: ListenerOptions,
): Listener {
  let isDraining = false;
  const closingLines = createClosingLines();
  const terms = { serve, isServed: isPlain, isDraining: () => isDraining, closingLines };
  /** Requests that Node has parsed and that have no response yet. */
  const pending = new Set<PlatformReply>();
  function onRequest(req: IncomingMessage, res: ServerResponse): void {
    const fault = findHeadFault(req.rawHeaders);
    if (fault) {
      refuseHead(res, fault);
      return;
    }
    const reply = new PlatformReply(req, res, terms);
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
      connectionsCheckingInterval: headersWithinMs / CHECKS,
      noDelay: true,
    },
    onRequest,
  );
  // Node drops header lines beyond a thousand without an error; we reject them.
  server.maxHeadersCount = 0;
  const plain = createPlainConnections(server, { ...terms, firstRequestMs: headersWithinMs, stalledMs });
  const checkEveryMs = headersWithinMs / CHECKS;
  const checking = createRepeat({
    clock: systemClock,
    firstPauseMs: checkEveryMs,
    pauseMs: checkEveryMs,
    run: () => {
      for (const connection of plain) connection.noteTime(checkEveryMs);
    },
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
          void checking.start();
          resolve(server.address() as AddressInfo);
        });
      }),
    async close() {
      isDraining = true;
      await checking.stop();
      if (!server.listening) return;
      await wait(LAST_ARRIVALS_MS);
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeIdleConnections();
      for (const connection of plain) connection.retire();
      if (await isWithin(drainMs, closed)) return;
      for (const reply of pending) dismiss(reply);
      for (const connection of plain) connection.dismiss(dismiss);
      await isWithin(FAREWELL_MS, closed);
      server.closeAllConnections();
      for (const { socket } of plain) socket.destroy();
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
  if (!reply.isOver) reply.send(503, STOPPING_LINES, STOPPING, systemClock.now());
}

/** Every connection starts as a plain connection; Node's setup runs when it is handed over. */
function createPlainConnections(
  server: Server,
  terms: Omit<PlainTerms, 'handOver' | 'giveUp' | 'keepAliveMs'>,
): ReadonlySet<PlainConnection> {
  const open = new Set<PlainConnection>();
  const byPlatform = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const plainTerms: PlainTerms = {
    ...terms,
    handOver(connection) {
      open.delete(connection);
      for (const listener of byPlatform) listener.call(server, connection.socket);
    },
    giveUp: (socket) =>
      answerBrokenRequest(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
    keepAliveMs: KEEP_ALIVE_MS,
  };
  server.on('connection', (socket: Socket) => {
    const connection = new PlainConnection(socket, plainTerms);
    open.add(connection);
    socket.once('close', () => void open.delete(connection));
  });
  return open;
}

/** Last head lines on a keep-alive connection; built once per second. */
function createClosingLines(): (wallTs: number) => string {
  let second = Number.NaN;
  let line = '';
  return (wallTs) => {
    const now = Math.floor(wallTs / 1000);
    if (now !== second) {
      second = now;
      const date = new Date(now * 1000).toUTCString();
      line = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`;
    }
    return line;
  };
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

function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
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
