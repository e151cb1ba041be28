// Signed requests to Kalshi. Nothing is repeated: an unknown result stays unknown.

import { MICRO } from '../../../domain/units.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { createSigner, type KalshiKey } from '../../../sources/kalshi/signing.ts';
import { readFields, readFlag, readList, readMicro } from '../answer-fields.ts';
import type { SetupStep } from '../polymarket/setup-steps.ts';

export interface KalshiSessionOptions {
  /** Root of the API, with its version. */
  url: string;
  key: KalshiKey;
  clock: Clock;
  fetch?: typeof fetch;
  timeoutMs?: number;
}

export interface KalshiReply {
  status: number;
  /** null if it is not JSON. */
  body: unknown;
  /** The exchange's time; not a number if it did not say. */
  ts: number;
}

export type Query = Readonly<Record<string, string | number | readonly string[]>>;

export interface KalshiSession {
  request(method: string, path: string, query?: Query, body?: unknown): Promise<KalshiReply>;
  /** Throws unless the exchange answers 200. */
  get(path: string, query?: Query): Promise<unknown>;
  /** All pages of a list, within the timeout of one request. */
  listAll(path: string, name: string, query?: Query): Promise<unknown[]>;
}

const TIMEOUT_MS = 4_000;
const MAX_PAGES = 100;
const PAGE_SIZE = 200;

export function openKalshiSession(options: KalshiSessionOptions): KalshiSession {
  const sign = createSigner(options.key);
  const startTimeout = () => AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);

  async function send(method: string, path: string, query: Query, body: unknown, signal: AbortSignal) {
    const url = new URL(`${options.url}${path}`);
    for (const [name, value] of Object.entries(query))
      for (const one of [value].flat()) url.searchParams.append(name, String(one));
    const response = await (options.fetch ?? fetch)(url, {
      method,
      headers: { 'content-type': 'application/json', ...sign(method, url.pathname, options.clock.now()) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Another host must never receive a signed order.
      redirect: 'error',
      signal,
    });
    const ts = Date.parse(response.headers.get('date') ?? '');
    return { status: response.status, body: parse(await response.text()), ts };
  }

  async function read(path: string, query: Query, signal: AbortSignal): Promise<unknown> {
    const reply = await send('GET', path, query, undefined, signal);
    if (reply.status !== 200) throw new Error(describeReply(reply));
    return reply.body;
  }

  return {
    request: (method, path, query = {}, body) => send(method, path, query, body, startTimeout()),
    get: (path, query = {}) => read(path, query, startTimeout()),
    async listAll(path, name, query = {}) {
      const signal = startTimeout();
      const items: unknown[] = [];
      let cursor = '';
      for (let page = 0; page < MAX_PAGES; page++) {
        const next = cursor === '' ? {} : { cursor };
        const answer = readFields(await read(path, { ...query, limit: PAGE_SIZE, ...next }, signal), name);
        items.push(...readList(answer[name], name));
        if (typeof answer.cursor !== 'string' || answer.cursor === '') return items;
        if (answer.cursor === cursor) throw new Error(`${path}: a page lists itself as the next page`);
        cursor = answer.cursor;
      }
      throw new Error(`${path}: more than ${MAX_PAGES} pages`);
    },
  };
}

/** In the exchange's words. */
export function describeReply({ status, body }: KalshiReply): string {
  const { error } = (body ?? {}) as { error?: { code?: unknown; details?: unknown } };
  const words = [error?.code, error?.details].filter((part) => typeof part === 'string' && part !== '');
  return `${status} ${words.join(': ') || 'without a reason'}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// What must be in place before the first order on Kalshi.

const MAX_SKEW_MS = 5_000;
const FUNDS = 'Deposit money on the site.';

export async function listKalshiSteps(options: KalshiSessionOptions): Promise<SetupStep[]> {
  const { request } = openKalshiSession(options);
  const status = await request('GET', '/exchange/status');
  const nowTs = options.clock.now();
  const exchange = readFields(status.body, 'exchange status');
  const isOpen = readFlag(exchange, 'exchange_active') && readFlag(exchange, 'trading_active');
  const skewMs = Math.abs(status.ts - nowTs);
  const isOnTime = skewMs <= MAX_SKEW_MS;
  const balance = await request('GET', '/portfolio/balance');
  const isKnown = balance.status === 200;
  const steps: SetupStep[] = [
    {
      name: 'exchange',
      state: isOpen ? 'done' : 'missing',
      detail: isOpen ? 'trading' : 'trading is paused',
    },
    {
      name: 'clock',
      state: isOnTime ? 'done' : 'missing',
      detail: `${Math.round(skewMs / 1000)} s from the exchange's`,
      fix: 'Synchronise the clock: requests with a wrong time are refused.',
    },
    {
      name: 'key',
      state: isKnown ? 'done' : 'missing',
      detail: isKnown ? 'accepted' : describeReply(balance),
      fix: 'Make an API key with permission to trade on the site, and pass its id and its private key.',
    },
  ];
  if (!isKnown) return steps;
  const cashMicro = readMicro(readFields(balance.body, 'balance'), 'balance_dollars');
  const detail = `${(cashMicro / MICRO).toFixed(2)} USD`;
  return [...steps, { name: 'funds', state: cashMicro > 0 ? 'done' : 'missing', detail, fix: FUNDS }];
}
