// Sends one call and returns the response: headers, timeout, retries, errors. Knows nothing about endpoints.

import { ConnectionError, readError, TallycastError } from './errors.ts';
import { choosePauseMs, pause } from './pause.ts';

export interface TransportOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  /** Retries after a failed attempt. */
  retries: number;
  /** Timeout of one attempt. */
  timeoutMs: number;
  /** Longest `Retry-After` to wait for; a longer one throws immediately. */
  longestPauseMs: number;
  /** Whether to retry a call without a response; false if fetch may have paid. */
  retriesUnanswered: boolean;
}

export interface Call {
  method: string;
  path: string;
  query?: object | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Statuses other than 2xx that have a useful body. */
  alsoTakes?: readonly number[];
}

/** Temporary errors, worth a retry; all others are permanent. */
export const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Rejected before any work was done, so any method can be retried. */
const NOTHING_DONE: ReadonlySet<number> = new Set([425, 429]);
const FIRST_PAUSE_MS = 250;

export async function send(call: Call, options: TransportOptions): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(call, options);
    } catch (error) {
      const pauseMs = nextPauseMs(error, attempt, call, options);
      if (pauseMs === null) throw error;
      await pause(pauseMs, call.signal);
      call.signal?.throwIfAborted();
    }
  }
}

/** Returns null if the call must not be retried. */
function nextPauseMs(error: unknown, attempt: number, call: Call, options: TransportOptions): number | null {
  if (attempt >= options.retries || !mayRepeat(error, call, options)) return null;
  const askedMs = error instanceof TallycastError ? (error.retryAfterS ?? 0) * 1000 : 0;
  if (askedMs > options.longestPauseMs) return null;
  return Math.max(askedMs, choosePauseMs(Math.min(FIRST_PAUSE_MS * 2 ** attempt, options.longestPauseMs)));
}

function mayRepeat(error: unknown, { method }: Call, { retriesUnanswered }: TransportOptions): boolean {
  const isHarmless = method === 'GET' || method === 'DELETE';
  if (error instanceof ConnectionError) return isHarmless && retriesUnanswered;
  if (!(error instanceof TallycastError)) return false;
  return isHarmless ? RETRYABLE.has(error.status) : NOTHING_DONE.has(error.status);
}

async function sendOnce(call: Call, options: TransportOptions): Promise<unknown> {
  const time = AbortSignal.timeout(options.timeoutMs);
  try {
    const response = await options.fetch(formatUrl(call, options.url), {
      method: call.method,
      headers: headersOf(call, options),
      // If the platform followed a redirect, it would send the key to another host.
      redirect: 'manual',
      signal: call.signal ? AbortSignal.any([call.signal, time]) : time,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    if (!response.ok && !call.alsoTakes?.includes(response.status)) throw await readError(response);
    return await response.json();
  } catch (error) {
    if (error instanceof TallycastError || call.signal?.aborted) throw error;
    if (time.aborted)
      throw new ConnectionError(`no response within ${options.timeoutMs} ms`, { cause: error });
    throw new ConnectionError(`no response from ${options.url}`, { cause: rootCause(error) });
  }
}

function headersOf({ body }: Call, { headers }: TransportOptions): Record<string, string> {
  const kind: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return { Accept: 'application/json', ...kind, ...headers };
}

function formatUrl({ path, query = {} }: Call, url: string): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (pairs.length === 0) return `${url}${path}`;
  return `${url}${path}?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

/** The platform's "fetch failed" error has the actual reason in its cause. */
function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
