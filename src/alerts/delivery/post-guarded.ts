// Sends one delivery over HTTP. The host name is resolved once, and the connection uses the address that was
// checked, so DNS rebinding between check and call has no effect.

import { Resolver } from 'node:dns/promises';
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { errorMessage } from '../../runtime/errors.ts';
import { isRefusedAddress, isThisMachine } from './address-guard.ts';

export interface GuardedPost {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
  timeoutMs: number;
  /** How many bytes of the response body to read; 0 by default. */
  readBytes?: number;
}

export interface PostOutcome {
  /** null if there was no response. */
  status: number | null;
  problem: string | null;
  headers?: IncomingHttpHeaders;
  /** The requested part of the response body. */
  text?: string;
}

export type PostWebhook = (post: GuardedPost) => Promise<PostOutcome>;

/**
 * Connections are reused, because many keys' chats and browsers share the same servers. Idle connections are
 * closed before most servers would close them, after five seconds.
 */
const KEPT_IDLE_MS = 4_000;
const MAX_IDLE = 256;
const keeping = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: KEPT_IDLE_MS };
const AGENTS = { 'http:': new HttpAgent(keeping), 'https:': new HttpsAgent(keeping) };
/** Draining a longer response costs more than a new connection. */
const DRAINED_BYTES = 16_384;

/** For the simulator: a literal loopback address is allowed, but no name may resolve to it. */
export function createLocalPost(resolveHost: ResolveHost = createHostResolver()): PostWebhook {
  const outside = createGuardedPost(isRefusedAddress, resolveHost);
  const local = createGuardedPost(
    (address) => !isThisMachine(address),
    async () => ['127.0.0.1'],
  );
  return (post) => (isThisMachine(URL.parse(post.url)?.hostname ?? '') ? local : outside)(post);
}

/** `isRefused` is the guard; tests that deliver to this machine pass one that allows it. */
export function createGuardedPost(
  isRefused: (address: string) => boolean = isRefusedAddress,
  resolveHost: ResolveHost = createHostResolver(),
): PostWebhook {
  async function resolveAllowed(host: string): Promise<string> {
    const addresses = isIP(host) ? [host] : await resolveHost(host);
    // A single refused address is enough; otherwise a mixed DNS response would bypass the guard.
    if (addresses.some(isRefused)) throw new Error('the address is on a private network');
    return addresses[0]!;
  }

  return async (post) => {
    try {
      const url = new URL(post.url);
      // One deadline covers resolving, connecting and the response.
      const signal = AbortSignal.timeout(post.timeoutMs);
      const address = await resolveAllowed(url.hostname.replace(/^\[|\]$/g, ''));
      return await send(url, address, post, signal);
    } catch (error) {
      return { status: null, problem: errorMessage(error) };
    }
  };
}

function send(
  url: URL,
  address: string,
  post: GuardedPost,
  signal: AbortSignal,
  agent: HttpAgent | false = AGENTS[url.protocol as keyof typeof AGENTS],
): Promise<PostOutcome> {
  const { headers, body, readBytes = 0 } = post;
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = open(
      {
        host: address,
        servername: isIP(url.hostname) ? undefined : url.hostname,
        port: url.port || undefined,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
        signal,
        agent,
      },
      (response) => {
        // Redirects are not followed.
        const head = { status: response.statusCode ?? 0, problem: null, headers: response.headers };
        readUpTo(response, readBytes).then((text) => resolve({ ...head, text }), reject);
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed the idle connection just as we reused it, so it has not read the request.
      const wasClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      if (agent && request.reusedSocket && wasClosed) resolve(send(url, address, post, signal, false));
      else reject(error);
    });
    request.end(body);
  });
}

async function readUpTo(response: IncomingMessage, limitBytes: number): Promise<string> {
  if (limitBytes === 0) {
    drain(response);
    return '';
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes >= limitBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, limitBytes).toString();
}

/** Drains an unwanted response, so that the connection can be reused. */
function drain(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DRAINED_BYTES) response.destroy();
  });
}

export type ResolveHost = (host: string) => Promise<string[]>;

export const RESOLVE_WITHIN_MS = 2_000;

/** `servers` defaults to the system's name servers. */
export function createHostResolver(servers?: readonly string[], withinMs = RESOLVE_WITHIN_MS): ResolveHost {
  return async (host) => {
    // One resolver per host name, so that cancelling it ends only its own queries.
    const resolver = new Resolver({ timeout: withinMs, tries: 1 });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), withinMs);
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      if (addresses.length === 0) throw new Error(describeFailure(found[0], host));
      return addresses;
    } finally {
      clearTimeout(timer);
    }
  };
}

function describeFailure(outcome: PromiseSettledResult<string[]>, host: string): string {
  const code = outcome.status === 'rejected' ? (outcome.reason as NodeJS.ErrnoException).code : 'ENODATA';
  const isSilent = code === 'ETIMEOUT' || code === 'ECANCELLED';
  return isSilent ? `DNS lookup of ${host} timed out` : `DNS lookup of ${host} failed (${code})`;
}
