// Live updates as an async iterator. A broken stream resumes after the last message, with growing pauses; a
// permanent error throws.

import { readError, TallycastError } from './errors.ts';
import type { StreamEvent } from './messages.ts';
import { choosePauseMs, pause } from './pause.ts';
import { readServerSentEvents } from './server-sent-events.ts';
import { RETRYABLE } from './transport.ts';

export interface StreamOptions {
  /** Ends the iteration without an error. */
  signal?: AbortSignal | undefined;
  /** Resumes after this message instead of starting with a snapshot. */
  lastEventId?: string | undefined;
  /** Called with the response to each connection attempt. */
  onResponse?: ((response: Response) => void) | undefined;
  /** Called before each pause; `error` is what broke the stream. */
  onReconnect?: ((pauseMs: number, error: unknown) => void) | undefined;
  /** First pause; each consecutive failure doubles it. */
  minPauseMs?: number | undefined;
  maxPauseMs?: number | undefined;
  /** Called for everything received, including keep-alive comments, to detect a frozen service. */
  onHeard?: (() => void) | undefined;
  /** The service sends something at least every three seconds; a stream silent for this long counts as broken. */
  silentAfterMs?: number | undefined;
}

export interface StreamTarget {
  url: string;
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
}

/** The service closed an open stream, as it does on shutdown. */
export class StreamEndedError extends Error {
  override readonly name = 'StreamEndedError';
}

export async function* openStream(
  target: StreamTarget,
  options: StreamOptions = {},
): AsyncGenerator<StreamEvent, void, void> {
  const { signal, minPauseMs = 500, maxPauseMs = 30_000 } = options;
  let lastEventId = options.lastEventId ?? '';
  let pauseMs = minPauseMs;
  while (!signal?.aborted) {
    let problem: unknown = new StreamEndedError('the stream ended');
    try {
      for await (const message of readOnce(target, lastEventId, options)) {
        lastEventId = message.id;
        pauseMs = minPauseMs;
        yield message;
      }
    } catch (error) {
      if (error instanceof TallycastError && !RETRYABLE.has(error.status)) throw error;
      problem = error;
    }
    if (signal?.aborted) return;
    const askedMs = problem instanceof TallycastError ? (problem.retryAfterS ?? 0) * 1000 : 0;
    const waitMs = Math.max(askedMs, choosePauseMs(pauseMs));
    options.onReconnect?.(waitMs, problem);
    await pause(waitMs, signal);
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }
}

async function* readOnce(
  target: StreamTarget,
  lastEventId: string,
  { signal, onResponse, onHeard, silentAfterMs = 45_000 }: StreamOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const ending = new AbortController();
  const timer = setTimeout(
    () => ending.abort(new Error(`no response in ${silentAfterMs} ms`)),
    silentAfterMs,
  );
  try {
    const headers: Record<string, string> = { ...target.headers, Accept: 'text/event-stream' };
    if (lastEventId !== '') headers['Last-Event-ID'] = lastEventId;
    const either = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
    // If the platform followed a redirect, it would send the key to another host.
    const init: RequestInit = { headers, signal: either, cache: 'no-store', redirect: 'manual' };
    const response = await target.fetch(target.url, init);
    clearTimeout(timer);
    onResponse?.(response);
    if (!response.ok || !response.body) throw await readError(response);
    for await (const message of readServerSentEvents(response.body, { silentAfterMs, onHeard })) {
      yield { ...message, data: JSON.parse(message.data) } as StreamEvent;
    }
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}
