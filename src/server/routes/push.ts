// Browser push: the public key for subscriptions, and the subscriptions themselves, which are channels.

import { randomUUID } from 'node:crypto';
import { findUrlFault, mayReachThisMachine } from '../../alerts/delivery/address-guard.ts';
import { PushBody, PushKey, PushSubscribed } from '../../contract/alerts.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import type { WebhookEndpoint } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentChannel } from '../views/alerts.ts';
import { insertChannel } from './channels.ts';

export function pushRoutes(context: RouteContext): Route[] {
  return [keyRoute(context), subscribeRoute(context)];
}

async function requireKey({ reach, withDeadline }: RouteContext): Promise<string> {
  const key = await withDeadline(reach.findPushKey());
  if (key === null) throw new ApiError(404, 'Browser push is not available');
  return key;
}

function keyRoute(context: RouteContext): Route {
  return defineLooseRoute({
    path: `${API_PREFIX}/push/key`,
    document: {
      operationId: 'getPushKey',
      tag: 'Alerts',
      summary: 'Public key for push subscriptions',
      ok: PushKey,
      also: [404],
    },
    handle: async ({ nowTs }) =>
      okUncached({ timestamp: nowTs, data: { public_key: await requireKey(context) } }),
  });
}

function subscribeRoute(context: RouteContext): Route {
  const { store, wallClock, reach, withDeadline } = context;
  return defineLooseRoute({
    method: 'POST',
    path: `${API_PREFIX}/push/subscriptions`,
    access: 'PRO',
    body: PushBody,
    document: {
      operationId: 'subscribePush',
      tag: 'Alerts',
      summary: 'Add a browser as a channel; repeating the call returns the same channel',
      ok: PushSubscribed,
      also: [400, 404, 413, 415],
    },
    async handle({ body, identity, nowTs }) {
      await requireKey(context);
      const fault = findUrlFault(body.endpoint, mayReachThisMachine(reach, identity!));
      if (fault) throw new FaultError([valueFault(['body', 'endpoint'], `endpoint ${fault}`)]);
      const { keyId } = identity!;
      const own = await withDeadline(store.webhooks.listForKey(keyId));
      const known = own.find(({ url, disabledTs }) => url === body.endpoint && disabledTs === null);
      if (known) return okUncached({ timestamp: nowTs, data: presentChannel(known) });
      const channel: WebhookEndpoint = {
        webhookId: randomUUID(),
        keyId,
        kind: 'push',
        label: body.label!,
        url: body.endpoint,
        secret: JSON.stringify({ p256dh: body.p256dh, auth: body.auth }),
        topics: [],
        createdTs: wallClock.now(),
        disabledTs: null,
        link: null,
      };
      await insertChannel(context, channel);
      return okUncached({ timestamp: nowTs, data: presentChannel(channel) });
    },
  });
}
