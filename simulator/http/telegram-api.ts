// Telegram's bot API: getMe, sendMessage and getUpdates with long polling, with Telegram's error format. User
// messages are injected through the admin API.

import { SECOND_MS } from '../../src/domain/units.ts';
import { sleep, systemClock } from '../../src/runtime/clock.ts';
import { type Answer, failure, matchPath, ok, type SimulatorRequest } from './answer.ts';
import type { Mailbox } from './mailbox.ts';

export interface TelegramApi {
  handle(request: SimulatorRequest): Promise<Answer>;
  /** Simulates a message from a user to the bot; in a group the chat id differs from the user's. */
  say(text: string, chatId: number, personId?: number): void;
}

const BOT = { id: 1_000_000_001, is_bot: true, first_name: 'Tallycast', username: 'pretend_tallycast_bot' };
/** Messages per chat; larger bursts get a 429 with a retry time. */
const BURST = 20;
const TOKEN = /^bot\d+:[\w-]{30,}$/;

export function createTelegramApi(mailbox: Mailbox): TelegramApi {
  const updates: { update_id: number; message: object }[] = [];
  const sentTs = new Map<string, number[]>();
  let said = 0;
  let messageId = 0;
  let waiting: { end: AbortController; isReplaced: boolean } | null = null;

  async function getUpdates(body: Record<string, unknown>, signal: AbortSignal): Promise<Answer> {
    const offset = Number(body.offset ?? 0);
    while (updates.length > 0 && updates[0]!.update_id < offset) updates.shift();
    if (waiting) waiting.isReplaced = true;
    waiting?.end.abort();
    if (updates.length > 0) return ok({ ok: true, result: updates.slice(0, 100) });
    const own = { end: new AbortController(), isReplaced: false };
    waiting = own;
    const waitMs = Number(body.timeout ?? 0) * SECOND_MS;
    await sleep(systemClock, waitMs, AbortSignal.any([signal, own.end.signal]));
    if (waiting === own) waiting = null;
    if (own.isReplaced) {
      return refuse(
        409,
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      );
    }
    return ok({ ok: true, result: updates.slice(0, 100) });
  }

  function sendMessage(body: Record<string, unknown>): Answer {
    const chatId = String(body.chat_id ?? '');
    const text = String(body.text ?? '');
    if (!/^-?\d+$/.test(chatId)) return refuse(400, 'Bad Request: chat not found');
    if (text === '') return refuse(400, 'Bad Request: message text is empty');
    if (text.length > 4_096) return refuse(400, 'Bad Request: message is too long');
    const nowTs = systemClock.now();
    const recent = (sentTs.get(chatId) ?? []).filter((ts) => ts > nowTs - BURST * SECOND_MS);
    if (recent.length >= BURST) {
      const parameters = { retry_after: 1 };
      return failure(429, {
        ok: false,
        error_code: 429,
        description: 'Too Many Requests: retry after 1',
        parameters,
      });
    }
    sentTs.set(chatId, [...recent, nowTs]);
    mailbox.add({ system: 'telegram', to: chatId, text, receivedTs: nowTs });
    const date = Math.floor(nowTs / SECOND_MS);
    const chat = { id: Number(chatId), type: 'private' };
    return ok({ ok: true, result: { message_id: ++messageId, from: BOT, chat, date, text } });
  }

  return {
    async handle({ path, body, signal }) {
      const match = matchPath('/:bot/:method', path);
      if (!match || !TOKEN.test(match.bot!)) return refuse(401, 'Unauthorized');
      const parameters = ((await body()) ?? {}) as Record<string, unknown>;
      if (match.method === 'getMe') return ok({ ok: true, result: BOT });
      if (match.method === 'sendMessage') return sendMessage(parameters);
      if (match.method === 'getUpdates') return getUpdates(parameters, signal);
      return refuse(404, 'Not Found');
    },
    say(text, chatId, personId = chatId) {
      const chat = { id: chatId, type: personId === chatId ? 'private' : 'group' };
      const from = { id: personId, is_bot: false, first_name: 'Somebody' };
      const date = Math.floor(systemClock.now() / SECOND_MS);
      updates.push({ update_id: ++said, message: { message_id: ++messageId, from, chat, date, text } });
      waiting?.end.abort();
    },
  };
}

function refuse(status: number, description: string): Answer {
  return failure(status, { ok: false, error_code: status, description });
}
