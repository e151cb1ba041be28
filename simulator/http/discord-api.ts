// Discord webhooks: 204 without a body, five per two seconds each, with rate-limit headers.

import { SECOND_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type Answer, failure, matchPath, type SimulatorRequest } from './answer.ts';
import type { Mailbox } from './mailbox.ts';
import { createRateWindow, type RateWindow } from './rate-window.ts';

/** Clients use a versioned path; a webhook URL copied from Discord has no version. */
const VERSION = /^\/api\/v\d+\//;
const LIMIT = 5;
const WINDOW_MS = 2 * SECOND_MS;

export function createDiscordApi(mailbox: Mailbox): (request: SimulatorRequest) => Promise<Answer> {
  const windows = new Map<string, RateWindow>();

  return async ({ method, path, body }) => {
    const match = matchPath('/api/webhooks/:id/:token', path.replace(VERSION, '/api/'));
    if (!match || method !== 'POST') return failure(404, { message: 'Unknown Webhook', code: 10_015 });
    const { id = '' } = match;
    const window = windows.get(id) ?? createRateWindow(WINDOW_MS);
    windows.set(id, window);
    const nowTs = systemClock.now();
    const { isAllowed, remaining, resetTs } = window.take(LIMIT, nowTs);
    const resetS = (resetTs - nowTs) / SECOND_MS;
    const headers = {
      'x-ratelimit-limit': String(LIMIT),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset-after': resetS.toFixed(3),
      'x-ratelimit-bucket': 'simulated',
    };
    if (!isAllowed) {
      const reported = { message: 'You are being rate limited.', retry_after: resetS, global: false };
      return failure(429, reported, { ...headers, 'retry-after': String(Math.ceil(resetS)) });
    }
    const content = ((await body()) as { content?: unknown } | null)?.content;
    if (typeof content !== 'string' || content === '' || content.length > 2_000) {
      return failure(400, { message: 'Cannot send an empty message', code: 50_006 }, headers);
    }
    mailbox.add({ system: 'discord', to: id, text: content, receivedTs: nowTs });
    return { status: 204, body: null, headers };
  };
}
