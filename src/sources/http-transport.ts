// HTTP for all sources: timeouts, body limits, typed errors. It never retries; the poll loop and the backfill
// decide that.

import type { Clock } from '../runtime/clock.ts';
import { errorMessage, SourceError } from '../runtime/errors.ts';
import { describeStatus, isRetryableStatus, readAgeMs, readRetryAfterMs } from './http-status.ts';
import { ShapeError } from './wire-reader.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpTransportOptions {
  /** Name of the external system, for messages. */
  name: string;
  baseUrl: string;
  fetch: Fetch;
  /** Clock for timeouts and rate-limit resets. */
  clock: Clock;
  headers?: Readonly<Record<string, string>>;
  /** Some servers refuse clients that do not look like a browser. */
  userAgent?: string;
  timeoutMs?: number;
  /** Limit on the decoded body, which also stops decompression bombs. */
  maxBodyBytes?: number;
}

export type Query = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface HttpTransport {
  readonly name: string;
  readonly baseUrl: string;
  getJson(path: string, query: Query, signal: AbortSignal): Promise<unknown>;
  /** Like getJson, for cached lists; also returns their age. */
  getAged(path: string, query: Query, signal: AbortSignal): Promise<AgedAnswer>;
  postJson(path: string, body: unknown, signal: AbortSignal): Promise<unknown>;
  /** For formats other than JSON, such as an XML feed. */
  getText(path: string, query: Query, signal: AbortSignal): Promise<string>;
  /** An endless response, line by line, including blank keep-alive lines. Resolves when the response ends. */
  readStream(path: string, query: Query, handlers: StreamHandlers, signal: AbortSignal): Promise<void>;
}

export interface AgedAnswer {
  value: unknown;
  /** How long the response was cached; 0 if unknown. */
  ageMs: number;
}

export interface StreamHandlers {
  onOpen(): void;
  onLine(line: string): void;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;
const KEPT_BODY_LENGTH = 2_000;
const USER_AGENT = 'Mozilla/5.0 (compatible; tallycast/1.0)';

export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxBodyBytes = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  const send = (url: string, init: RequestInit, signal: AbortSignal) =>
    options.fetch(url, {
      ...init,
      // A redirect means the base URL is wrong. Report it rather than send a credential elsewhere.
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        'user-agent': options.userAgent ?? USER_AGENT,
        ...options.headers,
        ...init.headers,
      },
      signal,
    });

  async function request<T>(
    url: string,
    init: RequestInit,
    signal: AbortSignal,
    read: (response: Response, text: string) => T,
  ): Promise<T> {
    return withTimeout(options, timeoutMs, signal, async (limited) => {
      const response = await send(url, init, limited);
      const text = await readCapped(response, maxBodyBytes, options.name);
      assertOk(response, text, options);
      return read(response, text);
    });
  }

  const requestAged = (url: string, init: RequestInit, signal: AbortSignal) =>
    request<AgedAnswer>(url, init, signal, (response, text) => ({
      value: parseJson(response, text, options.name),
      ageMs: readAgeMs(response),
    }));

  async function requestJson(url: string, init: RequestInit, signal: AbortSignal): Promise<unknown> {
    return (await requestAged(url, init, signal)).value;
  }

  /** The timeout covers only the response head; the listener watches for a silent stream. */
  async function openStream(url: string, signal: AbortSignal): Promise<Response> {
    const opening = new AbortController();
    const whole = AbortSignal.any([signal, opening.signal]);
    const response = await withTimeout(options, timeoutMs, signal, (limited) => {
      limited.addEventListener('abort', () => opening.abort(limited.reason), { once: true });
      return send(url, { method: 'GET' }, whole);
    });
    if (!response.ok) assertOk(response, await readCapped(response, maxBodyBytes, options.name), options);
    return response;
  }

  return {
    name: options.name,
    baseUrl: options.baseUrl,
    getJson: (path, query, signal) =>
      requestJson(buildUrl(options.baseUrl, path, query), { method: 'GET' }, signal),
    getAged: (path, query, signal) =>
      requestAged(buildUrl(options.baseUrl, path, query), { method: 'GET' }, signal),
    postJson: (path, body, signal) =>
      requestJson(
        buildUrl(options.baseUrl, path, {}),
        {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        },
        signal,
      ),
    getText: (path, query, signal) =>
      request(
        buildUrl(options.baseUrl, path, query),
        { method: 'GET', headers: { accept: '*/*' } },
        signal,
        (_, text) => text,
      ),
    async readStream(path, query, handlers, signal) {
      const response = await openStream(buildUrl(options.baseUrl, path, query), signal);
      handlers.onOpen();
      await translate(options.name, signal, () => readLines(response, handlers.onLine, options.name));
    },
  };
}

export function buildUrl(baseUrl: string, path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(key, String(item));
  }
  const tail = parameters.size > 0 ? `?${parameters}` : '';
  return `${baseUrl.replace(/\/+$/, '')}${path}${tail}`;
}

async function withTimeout<T>(
  options: HttpTransportOptions,
  timeoutMs: number,
  signal: AbortSignal,
  action: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const cancel = options.clock.after(timeoutMs, () =>
    timeout.abort(
      new SourceError(`${options.name}: no response within ${timeoutMs} ms`, { isRetryable: true }),
    ),
  );
  try {
    const limited = AbortSignal.any([signal, timeout.signal]);
    return await translate(options.name, limited, () => action(limited));
  } finally {
    cancel();
  }
}

/** Every fetch error becomes a SourceError; an abort keeps its reason. */
async function translate<T>(name: string, signal: AbortSignal, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    if (signal.aborted && signal.reason instanceof SourceError) throw signal.reason;
    const message = signal.aborted ? 'stopped' : errorMessage(error);
    throw new SourceError(`${name}: ${message}`, { isRetryable: true, cause: error });
  }
}

function assertOk(response: Response, text: string, options: HttpTransportOptions): void {
  const { status } = response;
  if (status >= 200 && status < 300) return;
  // An HTML page comes from a proxy, so even its 403 or 404 is temporary.
  const isHtml = looksLikeHtml(response, text);
  throw new SourceError(`${options.name}: ${describeStatus(status, response, isHtml, text)}`, {
    isRetryable: isHtml || isRetryableStatus(status),
    retryAfterMs: readRetryAfterMs(response, options.clock.now()),
    status,
    isHtml,
    body: text.slice(0, KEPT_BODY_LENGTH),
  });
}

function parseJson(response: Response, text: string, name: string): unknown {
  if (looksLikeHtml(response, text)) {
    throw new SourceError(`${name}: got HTML instead of JSON`, {
      isRetryable: true,
      status: response.status,
    });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const what = text.trim() === '' ? 'an empty response' : 'truncated or malformed JSON';
    throw new ShapeError(`${name}: ${what}`, { status: response.status, cause: error });
  }
}

function looksLikeHtml(response: Response, text: string): boolean {
  return /text\/html/i.test(response.headers.get('content-type') ?? '') || /^\s*</.test(text);
}

// Reads response bodies of unknown length.

/** Far longer than any message of a line-by-line stream. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;

async function readCapped(response: Response, maxBytes: number, name: string): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body, so the rest is never fetched or decompressed.
    if (bytes > maxBytes) {
      throw new SourceError(`${name}: response larger than ${maxBytes} bytes`, {
        isRetryable: false,
        status: response.status,
      });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

export async function readLines(
  response: Response,
  onLine: (line: string) => void,
  name: string,
): Promise<void> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    const text = decoder.decode(chunk, { stream: true });
    // Append to an unfinished line without searching it again, which would take quadratic time.
    const lines = text.includes('\n') ? (rest + text).split('\n') : [rest + text];
    rest = lines.pop()!;
    if (rest.length > MAX_LINE_LENGTH) {
      throw new SourceError(`${name}: a line longer than ${MAX_LINE_LENGTH} characters`, {
        isRetryable: true,
      });
    }
    for (const line of lines) onLine(line.trim());
  }
  // Text after the last line break is dropped, because that line was cut off.
}
