// Discord webhooks: one message per alert, within Discord's rate limits. Its headers show when the rate-limit
// bucket is empty, and a 429 says how long to wait; either pauses only this receiver.

import { SECOND_MS } from '../../domain/units.ts';
import type { PostOutcome, PostWebhook } from '../delivery/post-guarded.ts';
import { POST_TIMEOUT_MS, type SendAlert, type SendOutcome, toOutcome } from '../delivery/send-alert.ts';
import { type PendingBody, writeLines } from '../rules/compose.ts';

const READ_BYTES = 4_096;
const MAX_CONTENT = 2_000;
const USUAL_PAUSE_MS = 5 * SECOND_MS;

export function createDiscordSender(post: PostWebhook): SendAlert {
  return async ({ url }, { body }) => {
    const content = writeLines(escapeTexts(JSON.parse(body) as PendingBody)).slice(0, MAX_CONTENT);
    const outcome = await post({
      url,
      // Titles must not trigger mentions.
      body: JSON.stringify({ content, allowed_mentions: { parse: [] } }),
      headers: { 'content-type': 'application/json', 'user-agent': 'tallycast/1' },
      timeoutMs: POST_TIMEOUT_MS,
      readBytes: READ_BYTES,
    });
    return judgeDiscord(outcome);
  };
}

/** Event titles are untrusted, so their links, headings and code are escaped. The alert's own link is not. */
function escapeTexts(pending: PendingBody): PendingBody {
  const { title, text } = pending.data;
  return { ...pending, data: { ...pending.data, title: escapeMarkdown(title), text: escapeMarkdown(text) } };
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_~|<>[\]()#@]/g, '\\$&');
}

function judgeDiscord(outcome: PostOutcome): SendOutcome {
  const { status, headers = {} } = outcome;
  if (status === 429) return { ...toOutcome(outcome), pauseMs: readRetryAfter(outcome) };
  // The webhook was deleted or its token changed; retrying is pointless.
  if (status === 404 || status === 401) return { ...toOutcome(outcome), isGone: true };
  const isEmpty = headers['x-ratelimit-remaining'] === '0';
  const resetMs = Number(headers['x-ratelimit-reset-after']) * SECOND_MS;
  return { ...toOutcome(outcome), ...(isEmpty && resetMs > 0 ? { pauseMs: Math.ceil(resetMs) } : {}) };
}

/** Prefers the body, which has fractional seconds; the header has whole seconds. */
function readRetryAfter({ text, headers = {} }: PostOutcome): number {
  const reported = readJson(text).retry_after ?? headers['retry-after'];
  const seconds = Number(reported);
  return seconds > 0 ? Math.ceil(seconds * SECOND_MS) : USUAL_PAUSE_MS;
}

export function readJson(text: string | undefined): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
