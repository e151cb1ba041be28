// Commands in a linked Telegram chat: /status, /signals, /mute and /unmute. Other chats get no reply.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { WebhookStore } from '../../store/ports.ts';
import type { Mutes } from './mutes.ts';
import type { TelegramMessage } from './telegram-client.ts';

export interface ChatCommandsOptions {
  webhooks: Pick<WebhookStore, 'listStanding'>;
  mutes: Mutes;
  /** Used for key expiry and mutes. */
  clock: Clock;
  describeStatus(): string;
  describeSignals(): string;
}

export interface ChatCommands {
  /** Returns the reply, or null if the text is not a command or no active key has linked the chat. */
  answer(message: TelegramMessage): Promise<string | null>;
}

const UNITS_MS: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const MAX_MUTE_MS = 7 * DAY_MS;
const NOT_YOURS = 'Only the person who linked this chat can mute it.';
const HELP = 'Commands: /status, /signals, /mute 2h, /unmute';

export function createChatCommands(options: ChatCommandsOptions): ChatCommands {
  const { webhooks, mutes, clock } = options;

  async function isLinked(chatId: string): Promise<boolean> {
    const receivers = await webhooks.listStanding(clock.now());
    return receivers.some(({ kind, url, link }) => kind === 'telegram' && url === chatId && link === null);
  }

  /** The mute starts when the command was sent, so that late or repeated delivery does not extend it. */
  async function mute({ chatId, sentTs }: TelegramMessage, words: string | undefined): Promise<string> {
    const lengthMs = parseLength(words ?? '');
    if (lengthMs === null) return 'For how long? For example /mute 30m, /mute 2h or /mute 1d, at most 7d.';
    await mutes.mute(chatId, Math.min(sentTs, clock.now()) + lengthMs);
    return `Muted for ${words}. Until then, alerts appear only in the dashboard. Use /unmute to end it early.`;
  }

  async function run(message: TelegramMessage, [first, words]: string[]): Promise<string> {
    const command = first!.split('@')[0]!;
    const isMuting = command === '/mute' || command === '/unmute';
    if (isMuting && !(await mutes.mayMute(message.chatId, message.personId))) return NOT_YOURS;
    switch (command) {
      case '/status':
        return options.describeStatus();
      case '/signals':
        return options.describeSignals();
      case '/mute':
        return mute(message, words);
      case '/unmute':
        await mutes.mute(message.chatId, 0);
        return 'Unmuted. Alerts will arrive here again.';
      default:
        return HELP;
    }
  }

  return {
    async answer(message) {
      const { chatId, text } = message;
      if (!text.startsWith('/') || !(await isLinked(chatId))) return null;
      return run(message, text.trim().split(/\s+/));
    },
  };
}

/** Parses "2h" to milliseconds; null for anything else. */
function parseLength(words: string): number | null {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(words) ?? [];
  const lengthMs = Number(count) * (UNITS_MS[unit ?? ''] ?? 0);
  return lengthMs > 0 && lengthMs <= MAX_MUTE_MS ? lengthMs : null;
}
