// Reads the few request headers that every response depends on, in one pass over the raw list without
// building the header object. Duplicates are joined by a comma, as in Node.

import { resolveClientAddress } from '../../access/client-address.ts';
import type { KeyDirectory } from '../../access/key-directory.ts';
import type { RequestParts } from './reply.ts';

export interface RequestHead {
  apiKey: string;
  accept: string;
  acceptEncoding: string;
  ifNoneMatch: string;
  forwardedFor: string;
}

export function readHead(raw: readonly string[], into: RequestHead): void {
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    // Comparing lengths first avoids case folding for nearly all names.
    switch (name.length) {
      case 6:
        if (name.toLowerCase() === 'accept') into.accept = join(into.accept, raw[i + 1]!);
        break;
      case 9:
        if (name.toLowerCase() === 'x-api-key') into.apiKey = join(into.apiKey, raw[i + 1]!);
        break;
      case 13:
        if (name.toLowerCase() === 'if-none-match') into.ifNoneMatch = join(into.ifNoneMatch, raw[i + 1]!);
        break;
      case 15:
        readLong(name, raw[i + 1]!, into);
        break;
    }
  }
}

function readLong(name: string, value: string, into: RequestHead): void {
  const folded = name.toLowerCase();
  if (folded === 'accept-encoding') into.acceptEncoding = join(into.acceptEncoding, value);
  else if (folded === 'x-forwarded-for') into.forwardedFor = join(into.forwardedFor, value);
}

function join(before: string, value: string): string {
  return before === '' ? value : `${before}, ${value}`;
}

// Rejects request heads that Node would accept: two Host headers indicate request smuggling, and Node
// silently drops header lines beyond a thousand.

/** A browser behind two proxies sends about 40. */
export const MAX_HEADER_LINES = 256;

export interface HeadFault {
  status: 400 | 431;
  detail: string;
}

/** `rawHeaders` contains alternating names and values. */
export function findHeadFault(rawHeaders: readonly string[]): HeadFault | null {
  if (rawHeaders.length > 2 * MAX_HEADER_LINES)
    return { status: 431, detail: `More than ${MAX_HEADER_LINES} header lines` };
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? { status: 400, detail: 'More than one Host header' } : null;
}

// Identifies a request's sender without a lookup: by key if it is cached, otherwise by address. Unknown keys
// are ignored, because an attacker can make up any number of them.

export function createCallerNames(
  directory: Pick<KeyDirectory, 'recall'>,
  trustedProxyHops: number,
): (req: RequestParts) => string {
  return ({ rawHeaders, socket }) => {
    const head = { apiKey: '', accept: '', acceptEncoding: '', ifNoneMatch: '', forwardedFor: '' };
    readHead(rawHeaders, head);
    const known = head.apiKey === '' ? undefined : directory.recall(head.apiKey);
    if (known !== undefined) return known.keyId;
    return resolveClientAddress(socket.remoteAddress, head.forwardedFor, trustedProxyHops);
  };
}
