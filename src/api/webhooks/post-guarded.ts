// One delivery over the network. The name is resolved once, judged, and the connection goes to that very
// address: a name that changes its mind between the check and the call gains nothing.

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { errorMessage } from '../../runtime/errors.ts';
import { isRefusedAddress } from './address-guard.ts';
import { createHostResolver, type ResolveHost } from './resolve-host.ts';

export interface GuardedPost {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
}

export interface PostOutcome {
  /** null when no response came. */
  status: number | null;
  problem: string | null;
}

export type PostWebhook = (post: GuardedPost) => Promise<PostOutcome>;

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
      return { status: await send(url, address, post, signal), problem: null };
    } catch (error) {
      return { status: null, problem: errorMessage(error) };
    }
  };
}

function send(
  url: URL,
  address: string,
  { headers, body }: GuardedPost,
  signal: AbortSignal,
): Promise<number> {
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
        // Nothing of the answer is of use; redirects are not followed.
        response.destroy();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
