// Routes for orders, cancellations and trades.

import type { ExchangeContext } from '../context.ts';
import type { ExchangeOrder } from '../types.ts';
import { toPage } from './pages.ts';
import { placeOrder } from './place-order.ts';
import { presentOrder, presentPlacement, presentTrade } from './present.ts';
import { OrderRefusal } from './read-order.ts';
import { type Call, type ExchangeAnswer, failure, ok, type Route } from './route.ts';

const MAX_BATCH = 15;

export function orderRoutes(context: ExchangeContext): Record<string, Route> {
  const { exchange } = context;

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
    return ok({ canceled, not_canceled: Object.fromEntries(rest.map((id) => [id, reasonFor(context, id)])) });
  }

  function orders(call: Call): ExchangeAnswer {
    exchange.advance(context.now());
    const { query } = call;
    const filter = { id: query.get('id'), market: query.get('market'), asset_id: query.get('asset_id') };
    const found = liveOf(context, call, filter).map((one) => presentOrder(one, 'documented'));
    return ok(toPage(found, query.get('next_cursor')));
  }

  /** A filled order is null, like one that does not exist. */
  function order({ key, rest }: Call): ExchangeAnswer {
    exchange.advance(context.now());
    const found = exchange.records.find(rest);
    const isListed = found?.apiKey === key.apiKey && found.status !== 'MATCHED';
    return ok(isListed ? presentOrder(found, 'documented') : null);
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
        found.map((trade) => presentTrade(trade, key.apiKey, 'documented')),
        query.get('next_cursor'),
      ),
    );
  }

  return {
    'POST /order': postOne,
    'POST /orders': postMany,
    'DELETE /order': (call) =>
      cancel(call, [String((call.body as { orderID?: unknown } | null)?.orderID ?? '')]),
    'DELETE /orders': (call) => cancel(call, Array.isArray(call.body) ? call.body.map(String) : []),
    'DELETE /cancel-all': (call) =>
      cancel(
        call,
        liveOf(context, call, {}).map(({ id }) => id),
      ),
    'DELETE /cancel-market-orders': (call) =>
      cancel(
        call,
        liveOf(context, call, (call.body ?? {}) as Record<string, unknown>).map(({ id }) => id),
      ),
    'GET /data/orders': orders,
    'GET /data/order/': order,
    'GET /data/trades': trades,
  };
}

/** In post-only mode, after a restart, only resting orders are accepted. */
function refuseMode({ faults, now }: ExchangeContext, body: unknown): ExchangeAnswer | null {
  const isPostOnly = (body as { postOnly?: unknown } | null)?.postOnly === true;
  if (isPostOnly || !faults.isOn('exchange-post-only', now())) return null;
  return failure(503, { error: 'Trading is currently post-only. Only post-only orders are accepted.' });
}

/** The order was accepted, but the response may be late or lost. */
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

function liveOf(
  { exchange }: ExchangeContext,
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

function reasonFor({ exchange }: ExchangeContext, id: string): string {
  return exchange.records.has(id)
    ? "order can't be found - already canceled or matched"
    : `order ${id} can't be found`;
}
