// The former webhook endpoints, translated to channels and rules. They end with the next release.

import type { Static } from 'typebox';
import { createTopicRules, TOPIC_NAMES, type WebhookTopic } from '../../alerts/rules/topics.ts';
import { envelope, MaybeTs, named, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { CLOSED, Type } from '../../contract/schema.ts';
import type { WebhookEndpoint } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { createChannel, MAX_CHANNELS } from './channels.ts';
import { deliveriesRoutes, WEBHOOKS } from './deliveries.ts';

const PATH = `${API_PREFIX}/webhooks`;
const DOCUMENT = { tag: 'Webhooks', isDeprecated: true } as const;

export const WebhookBody = Type.Object(
  {
    url: Type.String({ maxLength: 2000, description: 'Public https URL of the receiver' }),
    topics: Type.Optional(
      Type.String({
        maxLength: 300,
        default: '*',
        description: `Comma-separated, or * for all: ${TOPIC_NAMES.join(', ')}`,
      }),
    ),
  },
  CLOSED,
);

const webhookFields = {
  webhook_id: Type.String(),
  url: Type.String(),
  topics: Type.Array(Type.String()),
  created_ts: Ts,
  disabled_ts: {
    ...MaybeTs,
    description:
      'When the webhook was disabled, because it kept failing or its key was revoked; null while active',
  },
};
const Webhook = named('Webhook', Type.Object(webhookFields));
const WebhookList = envelope('WebhookList', Webhook);
const WebhookCreated = objectEnvelope(
  'WebhookCreated',
  Type.Object({
    ...webhookFields,
    secret: Type.String({ description: 'Signs every delivery; shown only here' }),
  }),
);
const WebhookRemoved = objectEnvelope('WebhookRemoved', Type.Object({ webhook_id: Type.String() }));

export function webhooksRoutes(context: RouteContext): Route[] {
  return [
    createRoute(context),
    listRoute(context),
    removeRoute(context),
    ...deliveriesRoutes(context, WEBHOOKS),
  ];
}

function createRoute(context: RouteContext): Route {
  const { store, withDeadline } = context;
  return defineRoute({
    method: 'POST',
    path: PATH,
    access: 'PRO',
    body: WebhookBody,
    document: {
      ...DOCUMENT,
      operationId: 'createWebhook',
      summary: 'Register a webhook',
      description:
        'Use POST /channels and POST /rules instead. Creates a channel and one rule per topic. Deliveries are signed according to Standard Webhooks; the secret is shown once.',
      ok: WebhookCreated,
      also: [400, 413, 415],
    },
    async handle({ body, identity, nowTs }) {
      const channel = createChannel(context, identity!, { kind: 'webhook', url: body.url, label: '' });
      const topics = readTopics(body.topics ?? '*');
      const rules = createTopicRules(channel, topics);
      if (!(await withDeadline(store.webhooks.insert(channel, MAX_CHANNELS, rules))))
        throw new ApiError(400, `A key may have at most ${MAX_CHANNELS} webhooks`);
      const data = { ...presentWebhook(channel, topics), secret: channel.secret };
      return okUncached({ timestamp: nowTs, data });
    },
  });
}

function readTopics(text: string): WebhookTopic[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === '*') return TOPIC_NAMES;
  if (names.every((name) => (TOPIC_NAMES as string[]).includes(name)))
    return TOPIC_NAMES.filter((topic) => names.includes(topic));
  throw new FaultError([
    valueFault(['body', 'topics'], `topics must be * or a comma-separated list of ${TOPIC_NAMES.join(', ')}`),
  ]);
}

function listRoute({ store, withDeadline }: RouteContext): Route {
  return defineRoute({
    path: PATH,
    access: 'PRO',
    document: {
      ...DOCUMENT,
      operationId: 'listWebhooks',
      summary: "List the calling key's webhooks",
      description: 'Use GET /channels and GET /rules instead.',
      ok: WebhookList,
    },
    async handle({ identity, nowTs }) {
      const { keyId } = identity!;
      const channels = await withDeadline(store.webhooks.listForKey(keyId));
      const rules = await withDeadline(store.rules.listForKey(keyId));
      const topicsOf = (id: string) =>
        TOPIC_NAMES.filter((name) =>
          rules.some(({ topic, channelIds }) => topic === name && channelIds.includes(id)),
        );
      const data = channels
        .filter(({ kind }) => kind === 'webhook')
        .map((channel) => presentWebhook(channel, topicsOf(channel.webhookId)));
      return okUncached({ timestamp: nowTs, data });
    },
  });
}

function presentWebhook(channel: WebhookEndpoint, topics: readonly string[]): Static<typeof Webhook> {
  return {
    webhook_id: channel.webhookId,
    url: channel.url,
    topics: [...topics],
    created_ts: channel.createdTs,
    disabled_ts: channel.disabledTs,
  };
}

function removeRoute({ store, withDeadline }: RouteContext): Route {
  return defineRoute({
    method: 'DELETE',
    path: `${PATH}/{webhook_id}`,
    access: 'PRO',
    document: {
      ...DOCUMENT,
      operationId: 'removeWebhook',
      summary: 'Remove a webhook',
      description: 'Use DELETE /channels/{channel_id} instead.',
      ok: WebhookRemoved,
      also: [404],
    },
    async handle({ params, identity, nowTs }) {
      const isRemoved = await withDeadline(store.webhooks.remove(identity!.keyId, params.webhook_id!));
      if (!isRemoved) throw new ApiError(404, 'Not Found');
      return okUncached({ timestamp: nowTs, data: { webhook_id: params.webhook_id! } });
    },
  });
}
