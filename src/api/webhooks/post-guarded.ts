// One delivery over the network. The name is resolved once, judged, and the connection goes to that very
// address: a name that changes its mind between the check and the call gains nothing.

import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { errorMessage } from '../../runtime/errors.ts';
import { isRefusedAddress } from './address-guard.ts';

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
export function createGuardedPost(isRefused: (address: string) => boolean = isRefusedAddress): PostWebhook {
  return async (post) => {
    try {
      const url = new URL(post.url);
      const address = await resolveAllowed(url.hostname.replace(/^\[|\]$/g, ''), isRefused);
      return { status: await send(url, address, post), problem: null };
    } catch (error) {
      return { status: null, problem: errorMessage(error) };
    }
  };
}

async function resolveAllowed(host: string, isRefused: (address: string) => boolean): Promise<string> {
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
  // One refused address among several is enough: a mixed answer is how the guard would be tricked.
  if (addresses.length === 0 || addresses.some(isRefused))
    throw new Error('the address is on a private network');
  return addresses[0]!;
}

function send(url: URL, address: string, { headers, body, timeoutMs }: GuardedPost): Promise<number> {
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
        signal: AbortSignal.timeout(timeoutMs),
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
