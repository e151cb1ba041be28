// One call, from its URL to its answer: headers, timeout, retries, errors. Knows no endpoint.

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
  /** Longest `Retry-After` to wait for; a longer one throws at once. */
  longestPauseMs: number;
  /** Whether to retry a call that got no answer: not with a fetch that may have paid. */
  retriesUnanswered: boolean;
}

export interface Call {
  method: string;
  path: string;
  query?: object | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Statuses besides 2xx that carry an answer. */
  alsoTakes?: readonly number[];
}

/** Worth a retry; the other refusals are final. */
export const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Refused before any work: safe to retry with any method. */
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

/** null when the call must not be retried. */
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
      // A redirect followed by the platform would send the key to another host.
      redirect: 'manual',
      signal: call.signal ? AbortSignal.any([call.signal, time]) : time,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    if (!response.ok && !call.alsoTakes?.includes(response.status)) throw await readError(response);
    return await response.json();
  } catch (error) {
    if (error instanceof TallycastError || call.signal?.aborted) throw error;
    if (time.aborted) throw new ConnectionError(`no answer within ${options.timeoutMs} ms`, { cause: error });
    throw new ConnectionError(`no answer from ${options.url}`, { cause: rootCause(error) });
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

/** The platform's "fetch failed" hides the reason one level down. */
function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
