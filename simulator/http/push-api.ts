// A push service: accepts messages encrypted for a browser and signed by the sender, and cannot read them.

import { systemClock } from '../../src/runtime/clock.ts';
import { type Answer, failure, matchPath, type SimulatorRequest } from './answer.ts';
import type { Mailbox } from './mailbox.ts';

export function createPushApi(mailbox: Mailbox): (request: SimulatorRequest) => Promise<Answer> {
  return async ({ method, path, headers }) => {
    const match = matchPath('/:subscription', path);
    if (!match || method !== 'POST') return failure(404, { message: 'no such subscription' });
    if (match.subscription === 'gone') return failure(410, { message: 'unsubscribed' });
    if (!/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, ?k=[\w-]+$/.test(headers.get('authorization') ?? ''))
      return failure(401, { message: 'not signed' });
    if (headers.get('content-encoding') !== 'aes128gcm' || !headers.has('ttl'))
      return failure(400, { message: 'not encrypted, or without a TTL' });
    mailbox.add({ system: 'push', to: match.subscription!, text: null, receivedTs: systemClock.now() });
    return { status: 201, body: {} };
  };
}
