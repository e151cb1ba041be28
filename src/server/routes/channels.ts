// The calling key's alert channels, including webhooks.

import { randomInt, randomUUID } from 'node:crypto';
import type { Identity } from '../../access/key-directory.ts';
import { findUrlFault, mayReachThisMachine } from '../../alerts/delivery/address-guard.ts';
import { createWebhookSecret } from '../../alerts/delivery/signature.ts';
import {
  ChannelBody,
  ChannelCreated,
  ChannelList,
  ChannelRemoved,
  NoticeTested,
} from '../../contract/alerts.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { WebhookEndpoint } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentChannel } from '../views/alerts.ts';
import { sendTest } from './send-test.ts';
import { MAX_WEBHOOKS } from './webhooks.ts';

const PATH = `${API_PREFIX}/channels`;
const LINK_WITHIN_MS = 30 * MINUTE_MS;
/** Omits letters and digits that look alike. */
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const CODE_LENGTH = 12;

export function channelsRoutes(context: RouteContext): Route[] {
  return [listRoute(context), createRoute(context), removeRoute(context), testRoute(context)];
}

function listRoute({ store, withDeadline }: RouteContext): Route {
  return defineLooseRoute({
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
  return defineLooseRoute({
    method: 'POST',
    path: PATH,
    access: 'PRO',
    body: ChannelBody,
    document: {
      operationId: 'createChannel',
      tag: 'Alerts',
      summary: 'Create a channel for alerts',
      description:
        'A webhook (signed according to Standard Webhooks), a Discord webhook, or a Telegram chat, which you link by sending the bot one message. Browsers subscribe at /push/subscriptions.',
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

type NewChannel = { kind: string; url?: string; label?: string };

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
    topics: [],
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
  const kind = body.kind as 'webhook' | 'discord';
  const secret = kind === 'webhook' ? createWebhookSecret() : '';
  return { ...base, kind, url: body.url!, secret, link: null };
}

function findChannelUrlFault({ kind, url }: NewChannel, isLocalAllowed: boolean): string | null {
  if (url === undefined) return `is required for ${kind}`;
  const fault = findUrlFault(url, isLocalAllowed);
  if (fault !== null || kind !== 'discord') return fault;
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

export async function insertChannel(
  { store, withDeadline }: RouteContext,
  channel: WebhookEndpoint,
): Promise<void> {
  if (!(await withDeadline(store.webhooks.insert(channel, MAX_WEBHOOKS))))
    throw new ApiError(400, `A key may have at most ${MAX_WEBHOOKS} channels, including webhooks`);
}

function removeRoute({ store, withDeadline }: RouteContext): Route {
  return defineLooseRoute({
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
      return okUncached({ timestamp: nowTs, data: { channel_id: params.channel_id } });
    },
  });
}

function testRoute(context: RouteContext): Route {
  const { store, withDeadline } = context;
  return defineLooseRoute({
    method: 'POST',
    path: `${PATH}/{channel_id}/test`,
    access: 'PRO',
    document: {
      operationId: 'testChannel',
      tag: 'Alerts',
      summary: 'Send a test alert to a channel',
      ok: NoticeTested,
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
