// Describes a status other than 2xx, and reads how long to wait.

import { SourceError } from '../runtime/errors.ts';
import { parseTs } from './wire-reader.ts';

/** Longer requested waits are shortened to this. */
const MAX_RETRY_AFTER_MS = 60 * 60_000;
const ERROR_TEXT_LENGTH = 200;

/** The market's matching engine returns 425 while it restarts. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** The batch call is unavailable, or accepts fewer items. */
export function isBatchRefused(error: unknown): boolean {
  return (
    error instanceof SourceError && [400, 404, 405, 413].includes(error.status ?? 0) && !error.isRetryable
  );
}

/** Retry-After (seconds or a date), or on a 429 the rate limit's reset time; null if neither is usable. */
export function readRetryAfterMs(response: Response, nowTs: number): number | null {
  const header = response.headers.get('retry-after');
  const waitMs = parseRetryAfter(header, nowTs) ?? readRateLimitReset(response, nowTs);
  return waitMs === null ? null : clampWait(waitMs);
}

/** Time in a cache, from the Age header; an invalid value counts as fresh. */
export function readAgeMs(response: Response): number {
  const value = response.headers.get('age')?.trim() ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) * 1000 : 0;
}

/** Parses a Retry-After header; null if it is absent or unusable. */
export function readRetryAfterText(text: string | null, nowTs: number): number | null {
  const waitMs = parseRetryAfter(text, nowTs);
  return waitMs === null ? null : clampWait(waitMs);
}

function clampWait(waitMs: number): number {
  return Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

function parseRetryAfter(text: string | null, nowTs: number): number | null {
  const value = text?.trim();
  if (!value) return null;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const dateTs = Date.parse(value);
  return Number.isNaN(dateTs) ? null : dateTs - nowTs;
}

/** X writes x-rate-limit-reset in unix seconds, Mastodon x-ratelimit-reset as an ISO time. */
function readRateLimitReset(response: Response, nowTs: number): number | null {
  if (response.status !== 429) return null;
  const { headers } = response;
  const value = (headers.get('x-rate-limit-reset') ?? headers.get('x-ratelimit-reset') ?? '').trim();
  if (/^\d{9,11}$/.test(value)) return Number(value) * 1000 - nowTs;
  const resetTs = parseTs(value);
  return resetTs === null ? null : resetTs - nowTs;
}

export function describeStatus(status: number, response: Response, isHtml: boolean, text: string): string {
  const what = STATUS_WORDS[status] ?? `status ${status}`;
  if (status >= 300 && status < 400) return `moved to ${response.headers.get('location') ?? 'elsewhere'}`;
  return `${what}${isHtml ? ' (an HTML page)' : describeBody(text)}`;
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'refused the request (400)',
  401: 'did not accept the credential (401)',
  402: 'requires payment or credit (402)',
  403: 'forbids the request (403)',
  404: 'has no such resource (404)',
  429: 'asked us to slow down (429)',
};

/** The start of an error body, where upstreams put the reason. Control characters are removed. */
function describeBody(text: string): string {
  const words = text.replace(/\p{Cc}+/gu, ' ').trim();
  return words ? `: ${words.slice(0, ERROR_TEXT_LENGTH)}` : '';
}
