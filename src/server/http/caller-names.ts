// Identifies a request's sender without a lookup: by key if it is cached, otherwise by address. Unknown keys
// are ignored, because an attacker can make up any number of them.

import { resolveClientAddress } from '../../access/client-address.ts';
import type { KeyDirectory } from '../../access/key-directory.ts';
import { readHead } from './read-head.ts';
import type { RequestParts } from './reply.ts';

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
