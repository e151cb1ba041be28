// Sends spans for responses and outbound calls to an OpenTelemetry collector as OTLP over HTTP (JSON). Avoids
// the nine official packages. Inactive unless an endpoint is set.

import type { Clock } from './clock.ts';
import { errorMessage } from './errors.ts';
import type { Logger } from './logger.ts';
import type { Random } from './random.ts';

export interface Span {
  name: string;
  kind: 'server' | 'client';
  durationMs: number;
  attributes: Record<string, string | number>;
  isError: boolean;
  /** The caller's `traceparent` header, if sent; the span then joins that trace. */
  traceparent?: string | undefined;
}

export interface Tracer {
  /** Records an operation that has just ended. Never throws and never waits. */
  record(span: Span): void;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

export interface TracerOptions {
  /** Base URL of the collector; /v1/traces is appended. */
  endpoint: string;
  headers: Record<string, string>;
  resource: Record<string, string>;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: Clock;
  random: Random;
  logger: Logger;
}

const SEND_EVERY_MS = 5_000;
const BATCH = 512;
/** Maximum number of spans held while the collector is down. */
const MAX_KEPT = 4_096;
const TIMEOUT_MS = 10_000;
const SPAN_KIND = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

export function createTracer(options: TracerOptions): Tracer {
  const { clock, logger, random } = options;
  let waiting: object[] = [];
  let dropped = 0;
  let cancel: (() => void) | null = null;
  let sending: Promise<void> = Promise.resolve();
  let isFailing = false;

  function record(span: Span): void {
    if (waiting.length >= MAX_KEPT) {
      dropped += 1;
      return;
    }
    waiting.push(toWire(span, clock.now(), random));
    if (waiting.length >= BATCH) flush();
    else cancel ??= clock.after(SEND_EVERY_MS, flush);
  }

  function flush(): void {
    cancel?.();
    cancel = null;
    sending = sending.then(sendAll);
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      try {
        await send(spans);
        if (isFailing) logger.info({ dropped }, 'trace export recovered');
        isFailing = false;
        dropped = 0;
      } catch (error) {
        dropped += spans.length;
        // Logged once per outage.
        if (!isFailing) logger.warn({ error: errorMessage(error) }, 'trace export failed');
        isFailing = true;
      }
    }
  }

  async function send(spans: readonly object[]): Promise<void> {
    const scope = { scope: { name: 'tallycast' }, spans };
    const body = {
      resourceSpans: [{ resource: { attributes: toAttributes(options.resource) }, scopeSpans: [scope] }],
    };
    const response = await options.fetch(`${options.endpoint.replace(/\/$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...options.headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`the collector returned ${response.status}`);
    await response.body?.cancel();
  }

  return {
    record,
    stop() {
      flush();
      return sending;
    },
  };
}

function toWire(span: Span, endTs: number, random: Random): object {
  const parent = TRACEPARENT.exec(span.traceparent ?? '');
  return {
    traceId: parent?.[1] ?? hex(random, 4),
    spanId: hex(random, 2),
    ...(parent ? { parentSpanId: parent[2] } : {}),
    name: span.name,
    kind: SPAN_KIND[span.kind],
    startTimeUnixNano: toNano(endTs - span.durationMs),
    endTimeUnixNano: toNano(endTs),
    attributes: toAttributes(span.attributes),
    ...(span.isError ? { status: { code: STATUS_ERROR } } : {}),
  };
}

/** Nanoseconds as text, because they do not fit into a double. */
function toNano(ts: number): string {
  const whole = Math.floor(ts);
  return `${whole}${String(Math.floor((ts - whole) * 1e6)).padStart(6, '0')}`;
}

function hex(random: Random, words: number): string {
  return Array.from({ length: words }, () => random.uint32().toString(16).padStart(8, '0')).join('');
}

function toAttributes(values: Record<string, string | number>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: toValue(value) }));
}

function toValue(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
