// Telegram: sends alerts to linked chats, and links a chat that sends /start CODE to the bot. Only one process
// polls, because Telegram allows one poller per bot.

import { SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { WebhookStore } from '../../store/ports.ts';
import type { SendAlert } from '../delivery/send-alert.ts';
import { type PendingBody, writeLines } from '../rules/compose.ts';
import type { TelegramClient, TelegramMessage } from './telegram-client.ts';

const MAX_TEXT = 4_096;
const USUAL_PAUSE_MS = 5 * SECOND_MS;

export function createTelegramSender(client: TelegramClient): SendAlert {
  return async ({ url: chatId, link }, { body }) => {
    if (link !== null) return { isDelivered: false, response: 'not linked yet' };
    try {
      const text = writeLines(JSON.parse(body) as PendingBody).slice(0, MAX_TEXT);
      const { ok, status, description, retryAfterMs } = await client.sendMessage(chatId, text);
      const response = ok ? `status ${status}` : `status ${status} ${description}`;
      if (status === 429) return { isDelivered: false, response, pauseMs: retryAfterMs ?? USUAL_PAUSE_MS };
      // The user blocked the bot, or the chat is gone.
      const isGone = status === 403 || (status === 400 && /chat not found/i.test(description));
      return { isDelivered: ok, response, isGone };
    } catch (error) {
      return { isDelivered: false, response: errorMessage(error) };
    }
  };
}

export interface TelegramLinking {
  start(): void;
  stop(): Promise<void>;
}

/** Telegram's long-polling timeout. */
const WAIT_S = 25;
const AFTER_FAILURE_MS = 5 * SECOND_MS;

export function createTelegramLinking(options: {
  client: TelegramClient;
  webhooks: Pick<WebhookStore, 'completeLink'>;
  /** Clock used for receivers. */
  clock: Clock;
  logger: Logger;
}): TelegramLinking {
  const { client, webhooks, clock, logger } = options;
  let offset = 0;
  let pauseMs = 0;

  async function listen(signal: AbortSignal): Promise<void> {
    pauseMs = AFTER_FAILURE_MS;
    const { ok, result, status, description, retryAfterMs } = await client.getUpdates(offset, WAIT_S, signal);
    if (!ok) {
      pauseMs = retryAfterMs ?? AFTER_FAILURE_MS;
      logger.warn({ status, problem: description }, 'Telegram polling failed');
      return;
    }
    for (const { updateId, message } of result ?? []) {
      if (message) await hear(message);
      // Acknowledge only now: after a crash the message arrives again and links the same chat.
      offset = updateId + 1;
    }
    pauseMs = 0;
  }

  async function hear({ chatId, text }: TelegramMessage): Promise<void> {
    const code = /^\/start(?:@\w+)?\s+([A-Z0-9]{6,64})\s*$/.exec(text)?.[1];
    if (code === undefined) return;
    const channel = await webhooks.completeLink(code, chatId, clock.now());
    const words = channel
      ? 'Linked. Your alerts will arrive here.'
      : 'This code is invalid, expired or already used. Request a new one.';
    await client.sendMessage(chatId, words);
  }

  const listening = createRepeat({
    clock,
    pauseMs: () => pauseMs,
    run: listen,
    onError: (error) => logger.debug({ problem: errorMessage(error) }, 'Telegram unreachable'),
  });
  return { start: () => void listening.start(), stop: listening.stop };
}
