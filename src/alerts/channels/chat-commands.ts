// Commands in a linked Telegram chat: /status, /signals, /mute and /unmute. Other chats get no reply.

import { isStale, nameFeed } from '../../domain/feed.ts';
import { listActive } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type { CursorStore, WebhookStore } from '../../store/ports.ts';
import type { EventSignals } from '../../trade/types.ts';
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

export interface Mutes {
  isMuted(chatId: string, nowTs: number): Promise<boolean>;
  /** 0 unmutes. */
  mute(chatId: string, untilTs: number): Promise<void>;
  /** Records the person who linked the chat. */
  allow(chatId: string, personId: string): Promise<void>;
  /** In a private chat, its owner may mute; in a group, only people who linked it. */
  mayMute(chatId: string, personId: string | null): Promise<boolean>;
}

export function createMutes(cursors: CursorStore): Mutes {
  const nameOf = (chatId: string) => `telegram mute ${chatId}`;
  const ownerOf = (chatId: string, personId: string) => `telegram owner ${chatId} ${personId}`;
  return {
    isMuted: async (chatId, nowTs) => Number((await cursors.find(nameOf(chatId))) ?? 0) > nowTs,
    mute: (chatId, untilTs) => cursors.put(nameOf(chatId), String(untilTs)),
    allow: (chatId, personId) => cursors.put(ownerOf(chatId, personId), 'linked'),
    async mayMute(chatId, personId) {
      if (personId === null) return false;
      return personId === chatId || (await cursors.find(ownerOf(chatId, personId))) !== undefined;
    },
  };
}

export function writeStatus(name: string, snapshot: AccountSnapshot | undefined, nowTs: number): string {
  if (!snapshot) return `${name}: no data yet.`;
  const active = listActive(snapshot, nowTs);
  const stale = snapshot.feeds.filter((feed) => isStale(feed, nowTs)).map(nameFeed);
  return [
    stale.length > 0 ? `${name}: stale feeds: ${stale.join(', ')}.` : `${name}: all feeds are up to date.`,
    ...active.map((state) => writeEvent(state, nowTs)),
    ...(active.length === 0 ? ['No open events.'] : []),
  ].join('\n');
}

function writeEvent({ event, counters, forecast }: EventState, nowTs: number): string {
  const parts = [
    `own count ${counters.real ?? 'unknown'}`,
    `oracle ${counters.oracle ?? 'unknown'}`,
    forecast ? `forecast ${forecast.p50} (${forecast.p5} to ${forecast.p95})` : 'no forecast yet',
    `${writeLength(event.window.endTs - nowTs)} left`,
  ];
  return `- ${event.title}: ${parts.join(', ')}.`;
}

/** Lists actionable advice; events without any are summarised. */
export function writeSignals(
  name: string,
  elements: readonly EventSignals[],
  titleOf: (eventId: number) => string,
): string {
  const lines = elements.flatMap(({ eventId, signals }) =>
    signals
      .filter(({ verdict }) => verdict.kind !== 'nothing')
      .map(({ verdict }) => `- ${verdict.sentence}\n  ${titleOf(eventId)}`),
  );
  if (lines.length === 0) return `${name}: no trades.`;
  return [`${name}:`, ...lines].join('\n');
}

function writeLength(ms: number): string {
  if (ms < 2 * HOUR_MS) return `${Math.max(0, Math.round(ms / MINUTE_MS))} min`;
  return ms < 3 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} d`;
}
