// Serves the setup page on a separate loopback port. The token in the printed link opens it once, and it
// closes when the token or the session expires.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage, UsageError } from '../../runtime/errors.ts';
import { readSharedStyle } from '../../server/shared-style.ts';

const HOST = '127.0.0.1';
const LINK_VALID_MS = 30 * MINUTE_MS;
/** Lifetime after the link is opened. */
const SESSION_VALID_MS = 60 * MINUTE_MS;
const MAX_BODY_BYTES = 16_384;
const SESSION_HEADER = 'x-setup-session';

const FILES: Record<string, { file: string; type: string }> = {
  '/setup': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/setup.js': { file: 'setup.js', type: 'text/javascript; charset=utf-8' },
  '/setup.css': { file: 'setup.css', type: 'text/css; charset=utf-8' },
};
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export interface SetupServer {
  /** The token is in the fragment, which browsers never send to a server. */
  readonly link: string;
  /** After setup is complete, the link opens nothing; the page that completed it still works. */
  endLink(): void;
  close(): Promise<void>;
}

/** Handlers by path; each takes the parsed body and returns JSON. */
export type SetupActions = Readonly<Record<string, (body: unknown) => Promise<object>>>;

export async function openSetupServer(actions: SetupActions, clock: Clock): Promise<SetupServer> {
  const token = randomSecret();
  let session: string | null = null;
  let isLinkValid = true;
  let cancelExpiry = clock.after(LINK_VALID_MS, () => void close());

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const isCallers = error instanceof UsageError;
      send(response, isCallers ? 400 : 500, { problem: isCallers ? error.message : 'Setup failed.' });
      if (!isCallers) process.emitWarning(`setup failed: ${errorMessage(error)}`);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOwn(request)) return send(response, 403, { problem: 'Open the printed link on this machine.' });
    const path = request.url ?? '';
    if (request.method === 'GET') return sendFile(response, path);
    if (request.method !== 'POST') return send(response, 405, { problem: 'Method Not Allowed' });
    const body = await readJson(request);
    if (path === '/open') return open(response, body);
    if (session === null || !isSame(session, String(request.headers[SESSION_HEADER] ?? '')))
      return send(response, 403, {
        problem: 'This setup has ended or was opened elsewhere. Open the printed link again.',
      });
    const action = Object.hasOwn(actions, path) ? actions[path] : undefined;
    if (!action) return send(response, 404, { problem: 'Not Found' });
    send(response, 200, await action(body));
  }

  function open(response: ServerResponse, body: unknown): void {
    const given = String((body as { token?: unknown } | null)?.token ?? '');
    // Wrong tokens end nothing: 32 random bytes cannot be guessed, and any process on this machine can send some.
    if (!isLinkValid || !isSame(token, given)) {
      send(response, 403, {
        problem: 'This is not the setup link of this start. Open the printed link.',
      });
      return;
    }
    // A reload, or the link opened again, continues the running setup.
    if (session === null) {
      session = randomSecret();
      cancelExpiry();
      cancelExpiry = clock.after(SESSION_VALID_MS, () => void close());
    }
    send(response, 200, { session });
  }

  /** Rejects foreign pages and DNS rebinding, which have a different origin or host. */
  function isOwn({ headers }: IncomingMessage): boolean {
    const own = `${HOST}:${port()}`;
    return headers.host === own && (headers.origin === undefined || headers.origin === `http://${own}`);
  }

  function port(): number {
    return (server.address() as AddressInfo | null)?.port ?? 0;
  }

  async function close(): Promise<void> {
    cancelExpiry();
    isLinkValid = false;
    session = null;
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  server.unref();
  return {
    link: `http://${HOST}:${port()}/setup#${token}`,
    close,
    endLink: () => void (isLinkValid = false),
  };
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

function isSame(secret: string, given: string): boolean {
  const [left, right] = [Buffer.from(secret), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function sendFile(response: ServerResponse, path: string): void {
  // Browsers request a favicon, but there is none.
  if (path === '/favicon.ico') {
    response.writeHead(204, HEADERS).end();
    return;
  }
  const found = findFile(path);
  if (!found) {
    send(response, 404, { problem: 'Not Found' });
    return;
  }
  response.writeHead(200, { ...HEADERS, 'content-type': found.type }).end(found.bytes);
}

function findFile(path: string): { type: string; bytes: Buffer } | undefined {
  const own = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
  if (!own) return readSharedStyle().find((file) => file.path === path);
  return { type: own.type, bytes: readFileSync(new URL(`./page/${own.file}`, import.meta.url)) };
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return;
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new UsageError('the request is too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString() || '{}');
  } catch {
    throw new UsageError('the request is not JSON');
  }
}
