// The calling key's alert channels, including webhooks.

import { randomInt, randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import type { Identity } from '../../access/key-directory.ts';
import { splitTopic } from '../../alerts/channels/ntfy.ts';
import { findUrlFault, mayReachThisMachine } from '../../alerts/delivery/address-guard.ts';
import { createWebhookSecret } from '../../alerts/delivery/send-alert.ts';
import { envelope, MaybeTs, named, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { CLOSED, Type } from '../../contract/schema.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { WebhookEndpoint } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { MaybeText, sendTest, TestSent } from './alerts.ts';

const Label = Type.String({ maxLength: 100, default: '', description: 'Your name for the channel' });

export const ChannelBody = named(
  'ChannelBody',
  Type.Object(
    {
      kind: Type.Enum(['webhook', 'discord', 'ntfy', 'telegram']),
      url: Type.Optional(
        Type.String({
          maxLength: 2000,
          description: 'Webhook, Discord webhook or ntfy topic URL; not used for telegram',
        }),
      ),
      label: Type.Optional(Label),
    },
    CLOSED,
  ),
);

const channelFields = {
  channel_id: Type.String(),
  kind: Type.Enum(['webhook', 'discord', 'ntfy', 'telegram']),
  label: Type.String(),
  target: Type.String({ description: 'Destination, with secrets removed' }),
  state: Type.Enum(['ready', 'linking', 'disabled']),
  created_ts: Ts,
  disabled_ts: MaybeTs,
};
const Channel = named('Channel', Type.Object(channelFields));

const ChannelList = envelope('ChannelList', Channel);
const ChannelCreated = objectEnvelope(
  'ChannelCreated',
  Type.Object({
    ...channelFields,
    secret: { ...MaybeText, description: 'Signs deliveries; shown only here' },
    link_code: { ...MaybeText, description: 'Send this code to the bot as /start CODE' },
    link_url: { ...MaybeText, description: 'Opens a chat with the bot and sends the code' },
    link_expires_ts: MaybeTs,
  }),
);
const ChannelRemoved = objectEnvelope('ChannelRemoved', Type.Object({ channel_id: Type.String() }));

const PATH = `${API_PREFIX}/channels`;
/** Maximum per key, of all kinds. */
const MAX_CHANNELS = 20;
const LINK_WITHIN_MS = 30 * MINUTE_MS;
/** Omits letters and digits that look alike. */
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const CODE_LENGTH = 12;

export function channelsRoutes(context: RouteContext): Route[] {
  return [listRoute(context), createRoute(context), removeRoute(context), testRoute(context)];
}

function presentChannel(channel: WebhookEndpoint): Static<typeof Channel> {
  const { disabledTs, link } = channel;
  return {
    channel_id: channel.webhookId,
    kind: channel.kind,
    label: channel.label,
    target: describeTarget(channel),
    state: disabledTs !== null ? 'disabled' : link !== null ? 'linking' : 'ready',
    created_ts: channel.createdTs,
    disabled_ts: disabledTs,
  };
}

/** Discord and ntfy URLs are secrets, because anyone who knows them can post or read there. */
function describeTarget({ kind, url, link }: WebhookEndpoint): string {
  if (kind === 'webhook') return url;
  if (kind === 'telegram') return link === null ? `chat …${url.slice(-3)}` : 'not linked yet';
  return `${URL.parse(url)?.host ?? ''}/…`;
}

function listRoute({ store, withDeadline }: RouteContext): Route {
  return defineRoute({
    path: PATH,
    access: 'PRO',
    document: {
      operationId: 'listChannels',
      tag: 'Alerts',
      summary: "List the calling key's channels",
      ok: ChannelList,
    },
    async handle({ identity, nowTs }) {
      const channels = await withDeadline(store.webhooks.listForKey(identity!.keyId));
      return okUncached({ timestamp: nowTs, data: channels.map(presentChannel) });
    },
  });
}

function createRoute(context: RouteContext): Route {
  return defineRoute({
    method: 'POST',
    path: PATH,
    access: 'PRO',
    body: ChannelBody,
    document: {
      operationId: 'createChannel',
      tag: 'Alerts',
      summary: 'Create a channel for alerts',
      description:
        'A webhook (signed according to Standard Webhooks), a Discord webhook, an ntfy topic, or a Telegram chat, which you link by sending the bot one message.',
      ok: ChannelCreated,
      also: [400, 413, 415],
    },
    async handle({ body, identity, nowTs }) {
      const channel = createChannel(context, identity!, body);
      const bot = channel.kind === 'telegram' ? await findBot(context) : null;
      await insertChannel(context, channel);
      const { link } = channel;
      const data = {
        ...presentChannel(channel),
        secret: channel.kind === 'webhook' ? channel.secret : null,
        link_code: link?.code ?? null,
        link_url: link && `https://t.me/${bot}?start=${link.code}`,
        link_expires_ts: link?.expiresTs ?? null,
      };
      return okUncached({ timestamp: nowTs, data });
    },
  });
}

type NewChannel = Static<typeof ChannelBody>;

function createChannel(
  { wallClock, reach }: RouteContext,
  identity: Identity,
  body: NewChannel,
): WebhookEndpoint {
  const createdTs = wallClock.now();
  const base = {
    webhookId: randomUUID(),
    keyId: identity.keyId,
    label: body.label!,
    createdTs,
    disabledTs: null,
  };
  if (body.kind === 'telegram') {
    if (body.url !== undefined)
      throw new FaultError([
        valueFault(['body', 'url'], 'url is not used for telegram; link the chat with the code instead'),
      ]);
    const link = { code: createCode(), expiresTs: createdTs + LINK_WITHIN_MS };
    return { ...base, kind: 'telegram', url: '', secret: '', link };
  }
  const fault = findChannelUrlFault(body, mayReachThisMachine(reach, identity));
  if (fault) throw new FaultError([valueFault(['body', 'url'], `url ${fault}`)]);
  const { kind } = body;
  const secret = kind === 'webhook' ? createWebhookSecret() : '';
  return { ...base, kind, url: body.url!, secret, link: null };
}

function findChannelUrlFault({ kind, url }: NewChannel, isLocalAllowed: boolean): string | null {
  if (url === undefined) return `is required for ${kind}`;
  const fault = findUrlFault(url, isLocalAllowed);
  if (fault !== null || kind === 'webhook') return fault;
  if (kind === 'ntfy') return splitTopic(url) ? null : 'must end with an ntfy topic, https://ntfy.sh/TOPIC';
  const { hostname, pathname } = new URL(url);
  const isDiscord = isLocalAllowed || /^((ptb|canary)\.)?discord(app)?\.com$/.test(hostname);
  const isWebhook = /\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+$/.test(pathname);
  return isDiscord && isWebhook ? null : 'must be a Discord webhook, https://discord.com/api/webhooks/...';
}

function createCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]);
  return letters.join('');
}

async function findBot({ reach, withDeadline }: RouteContext): Promise<string> {
  const bot = await withDeadline(reach.findTelegramBot());
  if (bot === null) throw new ApiError(400, 'This service has no Telegram bot');
  return bot;
}

async function insertChannel({ store, withDeadline }: RouteContext, channel: WebhookEndpoint): Promise<void> {
  if (!(await withDeadline(store.webhooks.insert(channel, MAX_CHANNELS))))
    throw new ApiError(400, `A key may have at most ${MAX_CHANNELS} channels, including webhooks`);
}

function removeRoute({ store, withDeadline }: RouteContext): Route {
  return defineRoute({
    method: 'DELETE',
    path: `${PATH}/{channel_id}`,
    access: 'PRO',
    document: {
      operationId: 'removeChannel',
      tag: 'Alerts',
      summary: 'Remove a channel, also from rules that use it',
      ok: ChannelRemoved,
      also: [404],
    },
    async handle({ params, identity, nowTs }) {
      const isRemoved = await withDeadline(store.webhooks.remove(identity!.keyId, params.channel_id!));
      if (!isRemoved) throw new ApiError(404, 'Not Found');
      return okUncached({ timestamp: nowTs, data: { channel_id: params.channel_id! } });
    },
  });
}

function testRoute(context: RouteContext): Route {
  const { store, withDeadline } = context;
  return defineRoute({
    method: 'POST',
    path: `${PATH}/{channel_id}/test`,
    access: 'PRO',
    document: {
      operationId: 'testChannel',
      tag: 'Alerts',
      summary: 'Send a test alert to a channel',
      ok: TestSent,
      also: [404],
    },
    async handle({ params, identity, nowTs }) {
      const { keyId } = identity!;
      const own = await withDeadline(store.webhooks.listForKey(keyId));
      const channel = own.find(({ webhookId }) => webhookId === params.channel_id);
      if (!channel) throw new ApiError(404, 'Not Found');
      const subject = channel.label || channel.kind;
      return sendTest(context, { keyId, ruleIds: [], channelIds: [channel.webhookId], subject, nowTs });
    },
  });
}
