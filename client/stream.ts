// Live updates as an async iterator. A stream that breaks is taken up again after the last message, with
// growing pauses; one that is refused for good throws.

import { TallycastError } from './error.ts';
import type { Schemas } from './generated/schema.ts';
import { readServerSentEvents } from './server-sent-events.ts';

export interface SnapshotMessage {
  timestamp: number;
  account: string;
  tier: 'FREE' | 'PRO';
  meta: Schemas['CountersRecord'][];
  prediction: Schemas['PredictionRecord'][];
  posts: Schemas['PostRecord'][];
}

export interface PriceMessage {
  event_id: number;
  title: string;
  market_price: number | null;
}

export interface FeedMessage {
  feed: string;
  updated_ts: number | null;
  age_s: number | null;
  stale: boolean;
  problem: string | null;
}

export interface SettlementMessage {
  event_id: number;
  final_count: number;
  winning_bucket: string | null;
  revision: number;
}

/** What is told, by the name of the event. Forecasts are told to PRO callers only. */
export interface StreamMessages {
  /** The whole state: at the start, and whenever what was missed is no longer known. */
  snapshot: SnapshotMessage;
  counters: Schemas['CountersRecord'];
  post: Schemas['PostRecord'];
  forecast: Schemas['PredictionRecord'];
  price: PriceMessage;
  feed: FeedMessage;
  settlement: SettlementMessage;
}

export type StreamEvent = {
  [Name in keyof StreamMessages]: { id: string; event: Name; data: StreamMessages[Name] };
}[keyof StreamMessages];

export interface StreamOptions {
  /** Ends the iteration without an error. */
  signal?: AbortSignal;
  /** Takes up after this message instead of beginning with a snapshot. */
  lastEventId?: string;
  /** Told before each pause; `error` is what broke the stream. */
  onReconnect?: (pauseMs: number, error: unknown) => void;
  /** First pause; each failure in a row doubles it. */
  minPauseMs?: number;
  maxPauseMs?: number;
  /** The service speaks at least every 15 seconds; after this long a silent stream counts as broken. */
  silentAfterMs?: number;
}

export interface StreamTarget {
  url: string;
  headers: Record<string, string>;
  fetch: typeof fetch;
}

/** Worth another attempt: the rest is refused for good. */
const RETRYABLE = new Set([408, 425, 429, 500, 502, 503, 504]);

export async function* openStream(
  target: StreamTarget,
  options: StreamOptions = {},
): AsyncGenerator<StreamEvent, void, void> {
  const { signal, minPauseMs = 500, maxPauseMs = 30_000 } = options;
  let lastEventId = options.lastEventId ?? '';
  let pauseMs = minPauseMs;
  while (!signal?.aborted) {
    let problem: unknown = new Error('the stream ended');
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
    // Half of the pause is chance, so that readers cut off together do not come back together.
    const waitMs = Math.max(askedMs, pauseMs * (0.5 + Math.random() / 2));
    options.onReconnect?.(waitMs, problem);
    await pause(waitMs, signal);
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }
}

async function* readOnce(
  target: StreamTarget,
  lastEventId: string,
  { signal, silentAfterMs = 45_000 }: StreamOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const silence = new AbortController();
  const giveUp = () => silence.abort(new Error(`nothing heard in ${silentAfterMs} ms`));
  let timer = setTimeout(giveUp, silentAfterMs);
  try {
    const headers = { ...target.headers, Accept: 'text/event-stream' } as Record<string, string>;
    if (lastEventId !== '') headers['Last-Event-ID'] = lastEventId;
    const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
    const response = await target.fetch(target.url, { headers, signal: either, cache: 'no-store' });
    if (!response.ok) throw new TallycastError(response, await response.json().catch(() => undefined));
    for await (const message of readServerSentEvents(response.body!)) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silentAfterMs);
      if (message) yield { ...message, data: JSON.parse(message.data) } as StreamEvent;
    }
  } finally {
    clearTimeout(timer);
  }
}

function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal?.addEventListener('abort', done, { once: true });
  });
}
