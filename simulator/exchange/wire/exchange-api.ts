// The exchange over HTTP: keys, balances, orders, cancellations, look-ups and heartbeats. The CLOB API serves
// market data.

import type { ExchangeContext } from '../context.ts';
import { accountRoutes } from './account-routes.ts';
import { orderRoutes } from './order-routes.ts';
import { createRateLimit } from './rate-limit.ts';
import { type Call, type ExchangeAnswer, failure, ok, type Route } from './route.ts';

export interface ExchangeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  text(): Promise<string>;
}

/** null for paths outside the exchange. */
export type ExchangeHandler = (request: ExchangeRequest) => Promise<ExchangeAnswer | null>;

const UNAUTHORIZED = failure(401, { error: 'Unauthorized/Invalid api key' });
export function createExchangeApi(context: ExchangeContext): ExchangeHandler {
  const { credentials, faults } = context;

  const limit = createRateLimit(context.now);
  const routes: Record<string, Route> = { ...accountRoutes(context), ...orderRoutes(context) };

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
    const authenticated = await authenticate(context, request);
    if (authenticated) return authenticated;
    const found = findRoute(request);
    if (!found) return null;
    if (faults.isOn('exchange-restart', context.now()))
      return failure(425, { error: 'Too Early: the matching engine is restarting' });
    const text = request.method === 'GET' ? '' : await request.text();
    const key = credentials.checkRequest(request.headers, request.method, request.path, text);
    if (!key) return UNAUTHORIZED;
    const call = { key, query: request.query, body: parse(text), rest: found.rest };
    const price = priceOf(context, request, call);
    if (price === null) return found.route(call);
    const { isAllowed, headers } = limit.take(key.address, price.kind, price.cost);
    const answer = isAllowed ? await found.route(call) : failure(429, { error: 'Too Many Requests' });
    return { ...answer, headers };
  };
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Units that a request costs its signer; null if it is free. Cancelling everything costs one more than its orders. */
function priceOf(
  { exchange }: ExchangeContext,
  { method, path }: ExchangeRequest,
  { key, body }: Call,
): { kind: 'order' | 'cancel'; cost: number } | null {
  const listed = Array.isArray(body) ? body.length : 1;
  if (method === 'POST' && /^\/orders?$/.test(path)) return { kind: 'order', cost: listed };
  if (method !== 'DELETE') return null;
  if (/^\/orders?$/.test(path)) return { kind: 'cancel', cost: listed };
  const live = () => exchange.records.liveOf(key.apiKey).length;
  return /^\/cancel-/.test(path) ? { kind: 'cancel', cost: 1 + live() } : null;
}

/** Creates or derives API keys, signed by the wallet; null for other paths. */
async function authenticate(
  { credentials, wallets }: ExchangeContext,
  { method, path, headers }: ExchangeRequest,
): Promise<ExchangeAnswer | null> {
  const creates = method === 'POST' && path === '/auth/api-key';
  if (!creates && !(method === 'GET' && path === '/auth/derive-api-key')) return null;
  const wallet = await credentials.checkWallet(headers);
  if (!wallet) return failure(401, { error: 'Invalid L1 Request headers' });
  const { address, nonce } = wallet;
  const given = creates ? credentials.create(address, nonce) : credentials.derive(address, nonce);
  wallets.meet(address);
  return given ? ok(given) : failure(400, { error: `Could not ${creates ? 'create' : 'derive'} api key!` });
}
