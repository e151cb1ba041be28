// The three Telegram Bot API methods we use. The token is in the URL path, so URLs are never logged or shown.

import { SECOND_MS } from '../../domain/units.ts';

export interface TelegramAnswer<T> {
  status: number;
  ok: boolean;
  result: T | null;
  description: string;
  retryAfterMs: number | null;
}

export interface TelegramMessage {
  chatId: string;
  text: string;
  /** The sender's id; in a private chat, it equals the chat id. */
  personId: string | null;
  /** When the message was sent. Telegram stores messages for up to a day and resends unacknowledged ones. */
  sentTs: number;
}

export interface TelegramUpdate {
  updateId: number;
  message: TelegramMessage | null;
}

export interface TelegramClient {
  findBotName(): Promise<string>;
  sendMessage(chatId: string, text: string): Promise<TelegramAnswer<unknown>>;
  /** Waits up to `waitS` for messages to the bot. */
  getUpdates(offset: number, waitS: number, signal: AbortSignal): Promise<TelegramAnswer<TelegramUpdate[]>>;
}

export interface TelegramOptions {
  baseUrl: string;
  token: string;
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 10 * SECOND_MS;

export function createTelegramClient({
  baseUrl,
  token,
  fetch: ask = fetch,
}: TelegramOptions): TelegramClient {
  async function call<T>(
    method: string,
    parameters: object,
    signal: AbortSignal = AbortSignal.timeout(TIMEOUT_MS),
  ): Promise<TelegramAnswer<T>> {
    const response = await ask(`${baseUrl}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
      signal,
    });
    return parseAnswer<T>(response.status, await response.text());
  }

  return {
    async findBotName() {
      const { ok, result, description } = await call<{ username?: string }>('getMe', {});
      if (!ok || !result?.username) throw new Error(`Telegram rejected the bot: ${description}`);
      return result.username;
    },
    sendMessage: (chatId, text) =>
      call('sendMessage', { chat_id: chatId, text, link_preview_options: { is_disabled: true } }),
    async getUpdates(offset, waitS, signal) {
      const whole = AbortSignal.any([signal, AbortSignal.timeout(waitS * SECOND_MS + TIMEOUT_MS)]);
      const parameters = { offset, timeout: waitS, allowed_updates: ['message'] };
      const answer = await call<unknown>('getUpdates', parameters, whole);
      return { ...answer, result: answer.ok ? parseUpdates(answer.result) : null };
    },
  };
}

function parseAnswer<T>(status: number, text: string): TelegramAnswer<T> {
  try {
    const { ok, result, description, parameters } = JSON.parse(text);
    const retryAfterS = Number(parameters?.retry_after);
    return {
      status,
      ok: ok === true,
      result: (result as T) ?? null,
      description: String(description ?? '').slice(0, 200),
      retryAfterMs: retryAfterS > 0 ? retryAfterS * SECOND_MS : null,
    };
  } catch {
    return { status, ok: false, result: null, description: 'no response from Telegram', retryAfterMs: null };
  }
}

interface WireUpdate {
  update_id?: unknown;
  message?: { text?: unknown; date?: unknown; chat?: { id?: unknown }; from?: { id?: unknown } };
}

function parseUpdates(result: unknown): TelegramUpdate[] {
  if (!Array.isArray(result)) return [];
  return (result as (WireUpdate | null)[]).flatMap((update) => {
    const { update_id: id, message } = update ?? {};
    if (typeof id !== 'number') return [];
    return [{ updateId: id, message: message ? parseMessage(message) : null }];
  });
}

function parseMessage({
  text,
  date,
  chat,
  from,
}: NonNullable<WireUpdate['message']>): TelegramMessage | null {
  if (typeof text !== 'string' || typeof date !== 'number' || typeof chat?.id !== 'number') return null;
  const personId = typeof from?.id === 'number' ? String(from.id) : null;
  return { chatId: String(chat.id), text, personId, sentTs: date * SECOND_MS };
}
