// Wires up alerts: the leader's part (rules, deliveries, Telegram polling) and the part that every process
// serving requests needs.

import { randomUUID } from 'node:crypto';
import {
  createChatCommands,
  createMutes,
  writeSignals,
  writeStatus,
} from '../alerts/channels/chat-commands.ts';
import { createDiscordSender } from '../alerts/channels/discord.ts';
import { createPushSender, ensurePushKeys, findPushKeys } from '../alerts/channels/push.ts';
import {
  createTelegramLinking,
  createTelegramSender,
  type TelegramLinking,
} from '../alerts/channels/telegram.ts';
import { createTelegramClient, type TelegramClient } from '../alerts/channels/telegram-client.ts';
import { createDeliveries } from '../alerts/delivery/deliveries.ts';
import { createGuardedPost, createLocalPost, type PostWebhook } from '../alerts/delivery/post-guarded.ts';
import { createSendByKind, createWebhookSender, type SendAlert } from '../alerts/delivery/send-alert.ts';
import { ALERT_KINDS, type AlertKindName } from '../alerts/rules/kinds.ts';
import { createWatcher } from '../alerts/rules/watcher.ts';
import type { Config } from '../config/config.ts';
import type { Account } from '../domain/account.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Random } from '../runtime/random.ts';
import type { Reach } from '../server/context.ts';
import type { BoardReader } from '../state/board.ts';
import type { Store } from '../store/ports.ts';
import { createAdvisers } from '../trade/advice/adviser.ts';
import type { LeaderWork } from './ingest-supervisor.ts';

/** Token of the simulated bot; not a secret. */
const SIMULATED_TOKEN = '1000000001:pretend-bot-of-the-simulator-0000';

/** The part of the configuration that alerts use. */
type AlertConfig = Pick<Config, 'secrets' | 'reach' | 'host' | 'port' | 'accounts' | 'defaultBankrollUsd'>;

function openTelegram(config: AlertConfig, simulatorUrl: string | null): TelegramClient | null {
  const { telegramBotToken: token } = config.secrets;
  if (simulatorUrl !== null)
    return createTelegramClient({ baseUrl: `${simulatorUrl}/telegram`, token: token ?? SIMULATED_TOKEN });
  return token === null ? null : createTelegramClient({ baseUrl: config.reach.telegramUrl, token });
}

/** Defaults to the service's own address; empty if the port is not known in advance. */
function publicUrlOf({ reach, host, port }: AlertConfig): string {
  if (reach.publicUrl !== null) return reach.publicUrl.replace(/\/+$/, '');
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return port === 0 ? '' : `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The part for processes that serve requests; bot name and push key are loaded on first use. */
export function createReach(config: AlertConfig, store: Store, simulatorUrl: string | null): Reach {
  const telegram = openTelegram(config, simulatorUrl);
  let botName: Promise<string | null> | null = null;
  let pushKey: string | null = null;
  return {
    isLocalAllowed: simulatorUrl !== null,
    publicUrl: publicUrlOf(config),
    findTelegramBot() {
      botName ??= (telegram?.findBotName() ?? Promise.resolve(null)).catch(() => {
        botName = null;
        return null;
      });
      return botName;
    },
    async findPushKey() {
      pushKey ??= (await findPushKeys(store.cursors))?.publicKey ?? null;
      return pushKey;
    },
  };
}

export interface NotifierParts {
  config: AlertConfig;
  logger: Logger;
  /** Service time. */
  clock: Clock;
  /** Wall clock for receivers; the system clock by default. */
  wallClock?: Clock;
  random: Random;
  store: Store;
  board: BoardReader;
  /** How alerts are sent; blocks private networks by default. */
  postWebhook?: PostWebhook | undefined;
  /** URL of the simulator, which also simulates chats; null or absent on live sources. */
  simulatorUrl?: string | null;
}

export function createNotifier(parts: NotifierParts): LeaderWork {
  const { config, store, board, clock, random, logger, wallClock = systemClock } = parts;
  const telegram = openTelegram(config, parts.simulatorUrl ?? null);
  const timing = { clock: wallClock, logger };
  const deliveries = createDeliveries({
    ...timing,
    webhooks: store.webhooks,
    send: createSender(parts, telegram),
    random,
  });
  const reported = {
    accounts: config.accounts,
    board,
    defaultBankrollUsd: config.defaultBankrollUsd,
    clock,
    wallClock,
    logger,
  };
  const wake = () => deliveries.wake();
  const watcher = createWatcher({ ...reported, store, publicUrl: publicUrlOf(config), onPending: wake });
  const linking = telegram && openLinking(parts, telegram);
  return {
    start() {
      ensurePushKeys(store.cursors).catch((error: unknown) =>
        logger.warn({ error: errorMessage(error) }, 'push key missing'),
      );
      watcher.start();
      deliveries.start();
      linking?.start();
    },
    async stop() {
      await Promise.all([watcher.stop(), linking?.stop()]);
      await deliveries.stop();
    },
  };
}

function openLinking(parts: NotifierParts, client: TelegramClient): TelegramLinking {
  const { config, store, board, clock, logger, wallClock = systemClock } = parts;
  const adviserOf = createAdvisers();
  const describeSignals = (account: Account) => {
    const snapshot = board.find(account.accountId);
    const elements = adviserOf(account).advise(snapshot, config.defaultBankrollUsd, clock.now());
    const titleOf = (eventId: number) =>
      snapshot?.events.find(({ event }) => event.eventId === eventId)?.event.title ?? '';
    return writeSignals(account.displayName, elements, titleOf);
  };
  const mutes = createMutes(store.cursors);
  const commands = createChatCommands({
    webhooks: store.webhooks,
    mutes,
    clock: wallClock,
    describeStatus: () =>
      config.accounts
        .map(({ accountId, displayName }) => writeStatus(displayName, board.find(accountId), clock.now()))
        .join('\n\n'),
    describeSignals: () => config.accounts.map(describeSignals).join('\n\n'),
  });
  return createTelegramLinking({
    client,
    commands,
    mutes,
    webhooks: store.webhooks,
    clock: wallClock,
    logger,
  });
}

function createSender(parts: NotifierParts, telegram: TelegramClient | null): SendAlert {
  const { config, store, simulatorUrl = null, wallClock = systemClock } = parts;
  const post = parts.postWebhook ?? (simulatorUrl === null ? createGuardedPost() : createLocalPost());
  const subject = config.reach.publicUrl?.startsWith('https:') ? config.reach.publicUrl : PUSH_CONTACT;
  return createSendByKind({
    webhook: createWebhookSender(post, wallClock),
    discord: createDiscordSender(post),
    push: createPushSender(post, () => findPushKeys(store.cursors), subject, wallClock),
    ...(telegram && { telegram: createTelegramSender(telegram, createMutes(store.cursors), wallClock) }),
  });
}

/** Push services require a contact address; without a public URL there is none. */
const PUSH_CONTACT = 'mailto:operator@localhost';

/** The thresholds are low enough for an alert within minutes; others use their kind's default. */
const DEMO_RULES: Readonly<Partial<Record<AlertKindName, number | null>>> = {
  bucket_crossed: null,
  price_moved: 0.02,
  advice: null,
  settled: null,
};
const DEMO_MAX_PER_HOUR = 20;

/** Rules of the demo key. They have no receivers, so their alerts are listed but never sent. */
export async function addDemoRules({ rules }: Pick<Store, 'rules'>, keyId: string): Promise<void> {
  for (const [kind, threshold] of Object.entries(DEMO_RULES))
    await rules.insert({
      ...{ ruleId: randomUUID(), keyId, kind, accountId: null, eventId: null, channelIds: [], quiet: null },
      threshold: threshold ?? ALERT_KINDS[kind as AlertKindName].threshold?.default ?? null,
      ...{ mostPerHour: DEMO_MAX_PER_HOUR, createdTs: systemClock.now(), topic: null },
    });
}
