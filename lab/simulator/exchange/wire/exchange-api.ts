// The exchange over HTTP: keys, balances, orders, cancellations, look-ups and heartbeats. The CLOB API serves
// market data.

import type { KeyRecord } from '../auth/credentials.ts';
import { walletsOf } from '../auth/wallets.ts';
import { type ExchangeContext, SPENDERS } from '../context.ts';
import { USD } from '../settling/ledger.ts';
import type { ExchangeOrder } from '../types.ts';
import { toPage } from './pages.ts';
import { placeOrder } from './place-order.ts';
import { presentOrder, presentPlacement, presentTrade } from './present.ts';
import { OrderRefusal } from './read-order.ts';

export interface ExchangeAnswer {
  status: number;
  body: unknown;
}

export interface ExchangeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  text(): Promise<string>;
}

/** null for a path outside the exchange. */
export type ExchangeHandler = (request: ExchangeRequest) => Promise<ExchangeAnswer | null>;

interface Call {
  key: KeyRecord;
  query: URLSearchParams;
  /** Parsed body. */
  body: unknown;
  /** Rest of the path. */
  rest: string;
}

type Route = (call: Call) => ExchangeAnswer | Promise<ExchangeAnswer>;

const UNAUTHORIZED = failure(401, { error: 'Unauthorized/Invalid api key' });
const UNLIMITED = (2n ** 256n - 1n).toString();
const MAX_BATCH = 15;

export function createExchangeApi(context: ExchangeContext): ExchangeHandler {
  const { exchange, credentials, faults } = context;

  function walletOf({ key, query }: Call): string {
    const wallets = walletsOf(key.address, Number(query.get('signature_type') ?? '0'));
    const wallet = (wallets[0] ?? key.address).toLowerCase();
    context.wallets.meet(wallet);
    return wallet;
  }

  function balance(call: Call): ExchangeAnswer {
    exchange.advance(context.now());
    const wallet = walletOf(call);
    const asset = call.query.get('asset_type') === 'CONDITIONAL' ? (call.query.get('token_id') ?? '') : USD;
    const allowance = context.wallets.allowance(wallet);
    const allowances = SPENDERS.map((spender) => [
      spender,
      allowance === null ? UNLIMITED : String(allowance),
    ]);
    return ok({
      balance: String(exchange.ledger.balance(wallet, asset)),
      allowances: Object.fromEntries(allowances),
    });
  }

  async function postOne({ key, body }: Call): Promise<ExchangeAnswer> {
    const refusal = refuseMode(context, body);
    if (refusal) return refusal;
    try {
      const { order, trades } = await placeOrder(context, key, body);
      await acknowledge(context);
      return ok(presentPlacement(order, trades));
    } catch (error) {
      if (error instanceof OrderRefusal) return failure(400, { error: error.message });
      throw error;
    }
  }

  async function postMany(call: Call): Promise<ExchangeAnswer> {
    if (!Array.isArray(call.body) || call.body.length > MAX_BATCH)
      return failure(400, { error: `Too many orders in payload, max allowed: ${MAX_BATCH}` });
    const answers: unknown[] = [];
    for (const body of call.body) {
      const { status, body: answer } = await postOne({ ...call, body });
      answers.push(status === 200 ? answer : toRejection(answer));
    }
    return ok(answers);
  }

  function cancel(call: Call, ids: readonly string[]): ExchangeAnswer {
    exchange.advance(context.now());
    const canceled = exchange.cancel(call.key.apiKey, ids);
    const rest = ids.filter((id) => !canceled.includes(id));
    return ok({ canceled, not_canceled: Object.fromEntries(rest.map((id) => [id, reasonFor(id)])) });
  }

  function reasonFor(id: string): string {
    return exchange.records.has(id)
      ? "order can't be found - already canceled or matched"
      : `order ${id} can't be found`;
  }

  function liveOf(
    { key }: Call,
    filter: { id?: unknown; market?: unknown; asset_id?: unknown },
  ): ExchangeOrder[] {
    return exchange.records
      .liveOf(key.apiKey)
      .filter(
        (order) =>
          (!filter.id || order.id === filter.id) &&
          (!filter.market || order.conditionId === filter.market) &&
          (!filter.asset_id || order.tokenId === filter.asset_id),
      );
  }

  function orders(call: Call): ExchangeAnswer {
    exchange.advance(context.now());
    const { query } = call;
    const filter = { id: query.get('id'), market: query.get('market'), asset_id: query.get('asset_id') };
    return ok(toPage(liveOf(call, filter).map(presentOrder), query.get('next_cursor')));
  }

  function order({ key, rest }: Call): ExchangeAnswer {
    exchange.advance(context.now());
    const found = exchange.records.find(rest);
    return found?.apiKey === key.apiKey
      ? ok(presentOrder(found))
      : failure(404, { error: 'order not found' });
  }

  function trades({ key, query }: Call): ExchangeAnswer {
    exchange.advance(context.now());
    const [after, before] = [Number(query.get('after') ?? 0), Number(query.get('before') ?? 0)];
    const found = exchange.records
      .tradesOf(key.apiKey)
      .filter(
        (trade) =>
          (!query.get('id') || trade.id === query.get('id')) &&
          (!query.get('market') || trade.conditionId === query.get('market')) &&
          (!query.get('asset_id') || trade.tokenId === query.get('asset_id')) &&
          (after === 0 || trade.matchedTs / 1000 > after) &&
          (before === 0 || trade.matchedTs / 1000 < before),
      );
    return ok(
      toPage(
        found.map((trade) => presentTrade(trade, key.apiKey)),
        query.get('next_cursor'),
      ),
    );
  }

  function heartbeat({ key, body }: Call): ExchangeAnswer {
    exchange.advance(context.now());
    const given = String((body as { heartbeat_id?: unknown } | null)?.heartbeat_id ?? '');
    const next = exchange.heartbeats.beat(key.apiKey, given, context.now());
    if (next !== null) return ok({ heartbeat_id: next });
    return failure(400, {
      heartbeat_id: exchange.heartbeats.currentId(key.apiKey),
      error: 'Invalid heartbeat id',
      error_msg: 'Invalid heartbeat id',
    });
  }

  const routes: Record<string, Route> = {
    'GET /auth/api-keys': ({ key }) => ok({ apiKeys: credentials.listOf(key.address) }),
    'GET /auth/ban-status/closed-only': () => ok({ closed_only: false }),
    'DELETE /auth/api-key': ({ key }) => {
      credentials.revoke(key.apiKey);
      return ok('OK');
    },
    'GET /balance-allowance': balance,
    'GET /balance-allowance/update': (call) => {
      walletOf(call);
      return ok({});
    },
    'POST /order': postOne,
    'POST /orders': postMany,
    'DELETE /order': (call) =>
      cancel(call, [String((call.body as { orderID?: unknown } | null)?.orderID ?? '')]),
    'DELETE /orders': (call) => cancel(call, Array.isArray(call.body) ? call.body.map(String) : []),
    'DELETE /cancel-all': (call) =>
      cancel(
        call,
        liveOf(call, {}).map(({ id }) => id),
      ),
    'DELETE /cancel-market-orders': (call) =>
      cancel(
        call,
        liveOf(call, (call.body ?? {}) as Record<string, unknown>).map(({ id }) => id),
      ),
    'GET /data/orders': orders,
    'GET /data/order/': order,
    'GET /data/trades': trades,
    'POST /v1/heartbeats': heartbeat,
    'GET /notifications': () => ok([]),
    'DELETE /notifications': () => ok('OK'),
    'GET /order-scoring': () => ok({ scoring: false }),
  };

  async function authenticate({ method, path, headers }: ExchangeRequest): Promise<ExchangeAnswer | null> {
    const creates = method === 'POST' && path === '/auth/api-key';
    if (!creates && !(method === 'GET' && path === '/auth/derive-api-key')) return null;
    const wallet = await credentials.checkWallet(headers);
    if (!wallet) return failure(401, { error: 'Invalid L1 Request headers' });
    const { address, nonce } = wallet;
    const given = creates ? credentials.create(address, nonce) : credentials.derive(address, nonce);
    context.wallets.meet(address);
    return given ? ok(given) : failure(400, { error: `Could not ${creates ? 'create' : 'derive'} api key!` });
  }

  function findRoute({ method, path }: ExchangeRequest): { route: Route; rest: string } | null {
    const name = `${method} ${path}`;
    for (const [pattern, route] of Object.entries(routes)) {
      if (pattern === name) return { route, rest: '' };
      if (pattern.endsWith('/') && name.startsWith(pattern))
        return { route, rest: name.slice(pattern.length) };
    }
    return null;
  }

  return async (request) => {
    const authenticated = await authenticate(request);
    if (authenticated) return authenticated;
    const found = findRoute(request);
    if (!found) return null;
    if (faults.isOn('exchange-restart', context.now()))
      return failure(425, { error: 'Too Early: the matching engine is restarting' });
    const text = request.method === 'GET' ? '' : await request.text();
    const key = credentials.checkRequest(request.headers, request.method, request.path, text);
    if (!key) return UNAUTHORIZED;
    return found.route({ key, query: request.query, body: parse(text), rest: found.rest });
  };
}

function ok(body: unknown): ExchangeAnswer {
  return { status: 200, body };
}

function failure(status: number, body: unknown): ExchangeAnswer {
  return { status, body };
}

/** In post-only mode, after a restart, only resting orders are accepted. */
function refuseMode({ faults, now }: ExchangeContext, body: unknown): ExchangeAnswer | null {
  const isPostOnly = (body as { postOnly?: unknown } | null)?.postOnly === true;
  if (isPostOnly || !faults.isOn('exchange-post-only', now())) return null;
  return failure(503, { error: 'Trading is currently post-only. Only post-only orders are accepted.' });
}

/** The order is accepted; the answer may be late, or lost. */
async function acknowledge({ faults, now, pause }: ExchangeContext): Promise<void> {
  const slowMs = faults.valueAt('exchange-slow-ack', now());
  if (slowMs !== null) await pause(slowMs);
  if (faults.hits('exchange-lost-ack', now()))
    throw new TypeError('fetch failed', { cause: new Error('exchange: connection reset') });
}

function toRejection(answer: unknown): Record<string, unknown> {
  const errorMsg = String((answer as { error?: unknown }).error);
  return { success: false, errorMsg, orderID: '', status: '', makingAmount: '', takingAmount: '' };
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
