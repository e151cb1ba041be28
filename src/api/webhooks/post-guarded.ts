// One delivery over the network. The name is resolved once, judged, and the connection goes to that very
// address: a name that changes its mind between the check and the call gains nothing.

import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { errorMessage } from '../../runtime/errors.ts';
import { isRefusedAddress, isThisMachine } from './address-guard.ts';
import { createHostResolver, type ResolveHost } from './resolve-host.ts';

export interface GuardedPost {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
  timeoutMs: number;
  /** So much of the answer is read; nothing unless told otherwise. */
  readBytes?: number;
}

export interface PostOutcome {
  /** null when no response came. */
  status: number | null;
  problem: string | null;
  headers?: IncomingHttpHeaders;
  /** As much of the answer as was asked for. */
  text?: string;
}

export type PostWebhook = (post: GuardedPost) => Promise<PostOutcome>;

/** For the pretend world, whose receivers may be on this machine. */
export function createLocalPost(): PostWebhook {
  const resolveHost = createHostResolver();
  return createGuardedPost(
    (address) => !isThisMachine(address) && isRefusedAddress(address),
    async (host) => (host === 'localhost' ? ['127.0.0.1'] : resolveHost(host)),
  );
}

/** `isRefused` is the guard; tests that deliver to this machine hand in one that allows it. */
export function createGuardedPost(
  isRefused: (address: string) => boolean = isRefusedAddress,
  resolveHost: ResolveHost = createHostResolver(),
): PostWebhook {
  async function resolveAllowed(host: string): Promise<string> {
    const addresses = isIP(host) ? [host] : await resolveHost(host);
    // One refused address among several is enough: a mixed answer is how the guard would be tricked.
    if (addresses.some(isRefused)) throw new Error('the address is on a private network');
    return addresses[0]!;
  }

  return async (post) => {
    try {
      const url = new URL(post.url);
      // One deadline for all of it: finding the address, connecting, the answer.
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
  { headers, body, readBytes = 0 }: GuardedPost,
  signal: AbortSignal,
): Promise<PostOutcome> {
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
      },
      (response) => {
        // Redirects are not followed.
        const head = { status: response.statusCode ?? 0, problem: null, headers: response.headers };
        readUpTo(response, readBytes).then((text) => resolve({ ...head, text }), reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Whatever follows is not of use. */
async function readUpTo(response: IncomingMessage, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (limitBytes > 0) {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= limitBytes) break;
    }
  }
  response.destroy();
  return Buffer.concat(chunks).subarray(0, limitBytes).toString();
}
