// Wires up alerts: the leader's part (rules, deliveries, Telegram polling) and the part that every process
// serving requests needs.

import { createDiscordSender } from '../alerts/channels/discord.ts';
import { createNtfySender } from '../alerts/channels/ntfy.ts';
import {
  createTelegramLinking,
  createTelegramSender,
  type TelegramLinking,
} from '../alerts/channels/telegram.ts';
import { createTelegramClient, type TelegramClient } from '../alerts/channels/telegram-client.ts';
import { createDeliveries } from '../alerts/delivery/deliveries.ts';
import { createGuardedPost, createLocalPost, type PostWebhook } from '../alerts/delivery/post-guarded.ts';
import { createSendByKind, createWebhookSender, type SendAlert } from '../alerts/delivery/send-alert.ts';
import { createWatcher } from '../alerts/rules/watcher.ts';
import type { Config } from '../config/config.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Random } from '../runtime/random.ts';
import type { Reach } from '../server/context.ts';
import type { BoardReader } from '../state/board.ts';
import type { Store } from '../store/ports.ts';
import type { AdviserOf } from '../trade/advice/adviser.ts';
import type { LeaderWork } from './ingest-supervisor.ts';

/** Token of the simulated bot; not a secret. */
const SIMULATED_TOKEN = '1000000001:pretend-bot-of-the-simulator-0000';

/** The part of the configuration that alerts use. */
type AlertConfig = Pick<Config, 'secrets' | 'reach' | 'host' | 'port' | 'accounts'>;

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

/** The part for processes that serve requests; the bot's name is loaded on first use. */
export function createReach(config: AlertConfig, simulatorUrl: string | null): Reach {
  const telegram = openTelegram(config, simulatorUrl);
  let botName: Promise<string | null> | null = null;
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
  adviserOf: AdviserOf;
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
    adviserOf: parts.adviserOf,
    clock,
    wallClock,
    logger,
  };
  const wake = () => deliveries.wake();
  const publicUrl = publicUrlOf(config);
  const watcher = createWatcher({ ...reported, store, publicUrl, onPending: wake });
  const linking = telegram && openLinking(parts, telegram);
  return {
    start() {
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
  const { store, logger, wallClock = systemClock } = parts;
  return createTelegramLinking({ client, webhooks: store.webhooks, clock: wallClock, logger });
}

function createSender(parts: NotifierParts, telegram: TelegramClient | null): SendAlert {
  const { simulatorUrl = null, wallClock = systemClock } = parts;
  const post = parts.postWebhook ?? (simulatorUrl === null ? createGuardedPost() : createLocalPost());
  return createSendByKind({
    webhook: createWebhookSender(post, wallClock),
    discord: createDiscordSender(post),
    ntfy: createNtfySender(post),
    ...(telegram && { telegram: createTelegramSender(telegram) }),
  });
}
