// The exchange as a venue, over plain HTTP. It never retries by itself: an unknown result stays unknown.

import type { Clock } from '../../../runtime/clock.ts';
import { errorMessage } from '../../../runtime/errors.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Access, MarketTerms, SendOutcome, Venue } from '../../types.ts';
import { readAmount, readFields, readFlag, readList } from './answer-fields.ts';
import { type ApiCredentials, requestHeaders, walletHeaders } from './auth-headers.ts';
import { buildOrder, type OrderIdentity } from './build-order.ts';
import { readTerms } from './read-terms.ts';
import { openUserStream } from './user-stream.ts';
import { readBook, readFills, readOrder, readPage } from './wire.ts';

export interface PolymarketVenueOptions {
  url: string;
  /** Endpoint that says whether trading is allowed from here; null for a simulator, which has none. */
  geoblockUrl: string | null;
  identity: OrderIdentity;
  feePaidIn: MarketTerms['feePaidIn'];
  clock: Clock;
  /** Stream of our own orders and trades; if absent, they are only polled. */
  userStream?: { url: string; clock: Clock; logger: Logger };
  fetch?: typeof fetch;
  timeoutMs?: number;
}

interface Reply {
  status: number;
  body: unknown;
}

const FIRST_CURSOR = 'MA==';
const END_CURSOR = 'LTE=';
const TIMEOUT_MS = 4_000;
/** The exchange's clocks count in seconds. */
const OVERLAP_S = 2;

/** Fetches or creates API credentials; apart from this the wallet signs only orders. */
export async function openPolymarketVenue(options: PolymarketVenueOptions): Promise<Venue> {
  const ask = options.fetch ?? fetch;
  const { account, signatureType } = options.identity;

  async function request(
    method: string,
    path: string,
    headers: Record<string, string>,
    body = '',
  ): Promise<Reply> {
    const response = await ask(`${options.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === '' ? {} : { body }),
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: parse(text) };
  }

  async function openKey(): Promise<ApiCredentials> {
    const headers = await walletHeaders(account, options.clock.now());
    const made = await request('POST', '/auth/api-key', headers);
    const given = isKey(made) ? made : await request('GET', '/auth/derive-api-key', headers);
    if (!isKey(given)) throw new Error(`no API key: ${describe(given)}`);
    return given.body;
  }

  const key = await openKey();
  let heartbeatId = '';

  function signed(method: string, path: string, query = '', body = ''): Promise<Reply> {
    const headers = requestHeaders(account.address, key, { method, path, body, nowTs: options.clock.now() });
    return request(method, `${path}${query}`, headers, body);
  }

  async function expectOk(reply: Promise<Reply>): Promise<unknown> {
    const given = await reply;
    if (given.status !== 200) throw new Error(describe(given));
    return given.body;
  }

  async function listAll(path: string, filter = ''): Promise<unknown[]> {
    const items: unknown[] = [];
    const asked = new Set<string>();
    for (let cursor = FIRST_CURSOR; cursor !== END_CURSOR; ) {
      if (asked.has(cursor)) throw new Error(`${path}: page ${cursor} names itself as the next`);
      asked.add(cursor);
      const page = readPage(await expectOk(signed('GET', path, `?next_cursor=${cursor}${filter}`)));
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  }

  async function beat(): Promise<Reply> {
    const reply = await signed('POST', '/v1/heartbeats', '', JSON.stringify({ heartbeat_id: heartbeatId }));
    const { heartbeat_id } = (reply.body ?? {}) as { heartbeat_id?: string };
    if (heartbeat_id !== undefined) heartbeatId = heartbeat_id;
    return reply;
  }

  async function balance(query: string): Promise<number> {
    const path = '/balance-allowance';
    const body = await expectOk(signed('GET', path, `?${query}&signature_type=${signatureType}`));
    return readAmount(readFields(body, 'balance'), 'balance');
  }

  return {
    name: 'polymarket',
    async checkAccess(): Promise<Access> {
      if (options.geoblockUrl !== null) {
        const response = await ask(options.geoblockUrl, { signal: AbortSignal.timeout(TIMEOUT_MS) });
        const { blocked, country } = (await response.json()) as { blocked?: boolean; country?: string };
        if (blocked !== false)
          return { isAllowed: false, reason: `trading is blocked from ${country ?? 'here'}` };
      }
      const mode = readFields(await expectOk(signed('GET', '/auth/ban-status/closed-only')), 'closed_only');
      return readFlag(mode, 'closed_only')
        ? { isAllowed: false, reason: 'the account may only close positions' }
        : { isAllowed: true, reason: '' };
    },
    prepare: (wanted) => buildOrder(options.identity, key.apiKey, wanted, options.clock.now()),
    async send({ payload }): Promise<SendOutcome> {
      try {
        const reply = await signed('POST', '/order', '', payload);
        if (reply.status === 200) return { kind: 'accepted' };
        return { kind: isRefusal(reply) ? 'refused' : 'unknown', reason: describe(reply) };
      } catch (error) {
        return { kind: 'unknown', reason: errorMessage(error) };
      }
    },
    async cancel(orderIds) {
      if (orderIds.length > 0) await expectOk(signed('DELETE', '/orders', '', JSON.stringify(orderIds)));
    },
    async cancelAll() {
      await expectOk(signed('DELETE', '/cancel-all'));
    },
    openOrders: async () => (await listAll('/data/orders')).map(readOrder),
    async findOrder(orderId) {
      const reply = await signed('GET', `/data/order/${orderId}`);
      // A proxy's page says nothing about the order, which would be placed again.
      if (reply.status === 404 && reply.body !== null) return null;
      if (reply.status !== 200) throw new Error(describe(reply));
      return readOrder(reply.body);
    },
    async fillsSince(ts) {
      const after = Math.max(0, Math.floor(ts / 1000) - OVERLAP_S);
      const trades = await listAll('/data/trades', `&after=${after}`);
      return trades.flatMap((trade) => readFills(trade, key.apiKey)).sort((a, b) => a.ts - b.ts);
    },
    cashMicro: () => balance('asset_type=COLLATERAL'),
    sharesMicro: (tokenId) => balance(`asset_type=CONDITIONAL&token_id=${tokenId}`),
    async books(tokenIds) {
      const body = JSON.stringify(tokenIds.map((token_id) => ({ token_id })));
      return readList(await expectOk(request('POST', '/books', {}, body)), 'books').map(readBook);
    },
    terms: (tokenId) => readTerms((path) => expectOk(request('GET', path, {})), tokenId, options.feePaidIn),
    async heartbeat() {
      const first = await beat();
      // Another process, or this one before a restart, sent the last one: continue from there.
      const reply = first.status === 400 && heartbeatId !== '' ? await beat() : first;
      if (reply.status !== 200) throw new Error(describe(reply));
    },
    watch: (onChange) =>
      options.userStream ? openUserStream({ ...options.userStream, key, onChange }) : () => {},
  };
}

/** A truncated answer contains no key, although the exchange may have created one. */
function isKey(reply: Reply): reply is Reply & { body: ApiCredentials } {
  const { apiKey, secret, passphrase } = (reply.body ?? {}) as Partial<Record<keyof ApiCredentials, unknown>>;
  const isWhole = [apiKey, secret, passphrase].every((part) => typeof part === 'string' && part !== '');
  return reply.status === 200 && isWhole;
}

/** With a reason it comes from the engine; without one it may come from any proxy. */
function isRefusal({ status, body }: Reply): boolean {
  return body !== null && ((status >= 400 && status < 500) || status === 503);
}

function describe({ status, body }: Reply): string {
  const error = (body as { error?: unknown } | null)?.error;
  return `${status} ${typeof error === 'string' ? error : 'without a reason'}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
