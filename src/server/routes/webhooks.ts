// Signed webhooks for PRO keys: create, list, remove, list deliveries, redeliver.

import { randomUUID } from 'node:crypto';
import { findUrlFault, mayReachThisMachine } from '../../alerts/delivery/address-guard.ts';
import { createWebhookSecret } from '../../alerts/delivery/signature.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import {
  DeliveriesQuery,
  WebhookBody,
  WebhookCreated,
  WebhookDeliveries,
  WebhookList,
  WebhookRemoved,
  WebhookReplayed,
} from '../../contract/webhooks.ts';
import { WEBHOOK_TOPICS } from '../../domain/webhook-topic.ts';
import type { WebhookEndpoint } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentDelivery, presentWebhook } from '../views/webhooks.ts';

const PATH = `${API_PREFIX}/webhooks`;
/** Maximum receivers per key, of all kinds. */
export const MAX_WEBHOOKS = 20;

export function webhooksRoutes(context: RouteContext): Route[] {
  return [
    createRoute(context),
    listRoute(context),
    removeRoute(context),
    deliveriesRoute(context),
    replayRoute(context),
  ];
}

function createRoute({ store, wallClock, reach, withDeadline }: RouteContext): Route {
  return defineLooseRoute({
    method: 'POST',
    path: PATH,
    access: 'PRO',
    body: WebhookBody,
    document: {
      operationId: 'createWebhook',
      tag: 'Webhooks',
      summary: 'Register a webhook',
      description: 'Deliveries are signed according to Standard Webhooks; the secret is shown once.',
      ok: WebhookCreated,
      also: [400, 413, 415],
    },
    async handle({ body, identity, nowTs }) {
      const urlFault = findUrlFault(body.url, mayReachThisMachine(reach, identity!));
      if (urlFault) throw new FaultError([valueFault(['body', 'url'], `url ${urlFault}`)]);
      const topics = readTopics(body.topics ?? '*');
      const endpoint: WebhookEndpoint = {
        webhookId: randomUUID(),
        keyId: identity!.keyId,
        kind: 'webhook',
        label: '',
        url: body.url,
        secret: createWebhookSecret(),
        topics,
        createdTs: wallClock.now(),
        disabledTs: null,
        link: null,
      };
      if (!(await withDeadline(store.webhooks.insert(endpoint, MAX_WEBHOOKS))))
        throw new ApiError(400, `A key may have at most ${MAX_WEBHOOKS} webhooks`);
      return okUncached({ timestamp: nowTs, data: { ...presentWebhook(endpoint), secret: endpoint.secret } });
    },
  });
}

function readTopics(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === '*') return [...WEBHOOK_TOPICS];
  const known = new Set<string>(WEBHOOK_TOPICS);
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return [...new Set(names)];
  throw new FaultError([
    valueFault(
      ['body', 'topics'],
      `topics must be * or a comma-separated list of ${WEBHOOK_TOPICS.join(', ')}`,
    ),
  ]);
}

function listRoute({ store, withDeadline }: RouteContext): Route {
  return defineLooseRoute({
    path: PATH,
    access: 'PRO',
    document: {
      operationId: 'listWebhooks',
      tag: 'Webhooks',
      summary: "List the calling key's webhooks",
      ok: WebhookList,
    },
    async handle({ identity, nowTs }) {
      const endpoints = await withDeadline(store.webhooks.listForKey(identity!.keyId));
      const webhooks = endpoints.filter(({ kind }) => kind === 'webhook');
      return okUncached({ timestamp: nowTs, data: webhooks.map(presentWebhook) });
    },
  });
}

function removeRoute({ store, withDeadline }: RouteContext): Route {
  return defineLooseRoute({
    method: 'DELETE',
    path: `${PATH}/{webhook_id}`,
    access: 'PRO',
    document: {
      operationId: 'removeWebhook',
      tag: 'Webhooks',
      summary: 'Remove a webhook',
      ok: WebhookRemoved,
      also: [404],
    },
    async handle({ params, identity, nowTs }) {
      const isRemoved = await withDeadline(store.webhooks.remove(identity!.keyId, params.webhook_id!));
      if (!isRemoved) throw new ApiError(404, 'Not Found');
      return okUncached({ timestamp: nowTs, data: { webhook_id: params.webhook_id } });
    },
  });
}

function deliveriesRoute(context: RouteContext): Route {
  return defineLooseRoute({
    path: `${PATH}/{webhook_id}/deliveries`,
    access: 'PRO',
    query: DeliveriesQuery,
    document: {
      operationId: 'listDeliveries',
      tag: 'Webhooks',
      summary: 'List deliveries, newest first',
      ok: WebhookDeliveries,
      also: [404],
    },
    async handle({ params, identity, query, nowTs }) {
      await requireOwn(context, identity!.keyId, params.webhook_id!);
      const deliveries = await context.withDeadline(
        context.store.webhooks.listDeliveries(params.webhook_id!, query.limit!),
      );
      return okUncached({ timestamp: nowTs, data: deliveries.map(presentDelivery) });
    },
  });
}

function replayRoute(context: RouteContext): Route {
  const { store, wallClock, withDeadline } = context;
  return defineLooseRoute({
    method: 'POST',
    path: `${PATH}/{webhook_id}/deliveries/{delivery_id}/replay`,
    access: 'PRO',
    document: {
      operationId: 'replayDelivery',
      tag: 'Webhooks',
      summary: 'Send a delivery again',
      ok: WebhookReplayed,
      also: [404],
    },
    async handle({ params, identity, nowTs }) {
      await requireOwn(context, identity!.keyId, params.webhook_id!);
      const delivery = await withDeadline(store.webhooks.findDelivery(params.delivery_id!));
      if (delivery?.webhookId !== params.webhook_id) throw new ApiError(404, 'Not Found');
      const nowWallTs = wallClock.now();
      const again = {
        ...delivery!,
        status: 'pending' as const,
        attempts: 0,
        nextAttemptTs: nowWallTs,
        updatedTs: nowWallTs,
      };
      await withDeadline(store.webhooks.note([again]));
      return okUncached({ timestamp: nowTs, data: presentDelivery(again) });
    },
  });
}

/** A caller cannot see another key's webhooks. */
async function requireOwn(
  { store, withDeadline }: RouteContext,
  keyId: string,
  webhookId: string,
): Promise<void> {
  const own = await withDeadline(store.webhooks.listForKey(keyId));
  if (!own.some((endpoint) => endpoint.webhookId === webhookId)) throw new ApiError(404, 'Not Found');
}
