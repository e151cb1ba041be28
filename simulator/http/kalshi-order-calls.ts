// Routes that place and cancel a member's orders.

import { MICRO } from '../../src/domain/units.ts';
import type { KalshiMember } from '../kalshi/signing.ts';
import { contracts } from '../kalshi/wire.ts';
import { fillsOf, type KalshiFill } from '../kalshi-orders/fills.ts';
import type { KalshiExchange, KalshiOrder } from '../kalshi-orders/kalshi-exchange.ts';
import { presentPlacement } from '../kalshi-orders/present.ts';
import { OrderRefused } from '../kalshi-orders/read-order.ts';
import { type Answer, matchPath, ok } from './answer.ts';
import { NOT_FOUND } from './kalshi-answers.ts';

export interface MemberCall {
  member: KalshiMember;
  method: string;
  /** Relative to the API root. */
  path: string;
  query: URLSearchParams;
  body: () => Promise<unknown>;
  nowTs: number;
}

const ORDERS = '/portfolio/events/orders';

const MAX_BATCH = 20;

export function createKalshiOrders(exchange: KalshiExchange) {
  function create(member: KalshiMember, body: unknown) {
    const placed = exchange.place(member, body);
    return presentPlacement(placed, listFills(exchange, member));
  }

  function createMany(member: KalshiMember, body: unknown): Answer {
    const wanted = listOf(body).map((each) => {
      try {
        return create(member, each);
      } catch (error) {
        const { client_order_id } = (each ?? {}) as { client_order_id?: string };
        return { client_order_id: client_order_id ?? null, error: describeRefusal(error) };
      }
    });
    return { status: 201, body: { orders: wanted } };
  }

  function cancel(member: KalshiMember, orderId: string, nowTs: number) {
    const leftMicro = exchange.cancel(member, orderId);
    if (leftMicro === null) return null;
    const placed = findOrder(exchange, member, orderId)!;
    const { clientOrderId: client_order_id } = placed;
    return {
      order_id: orderId,
      client_order_id,
      reduced_by: contracts(leftMicro / MICRO),
      ts_ms: nowTs,
    };
  }

  function cancelMany(member: KalshiMember, body: unknown, nowTs: number): Answer {
    const orders = listOf(body).map((each) => {
      const order_id = String((each as { order_id?: unknown } | null)?.order_id ?? '');
      const error = { code: 'not_found', message: 'not found' };
      return cancel(member, order_id, nowTs) ?? { order_id, reduced_by: contracts(0), error };
    });
    return ok({ orders });
  }

  function cancelAll(member: KalshiMember): Answer {
    for (const { order } of exchange.ordersOf(member)) exchange.cancel(member, order.id);
    return ok({});
  }

  async function write({ member, method, path, body, nowTs }: MemberCall): Promise<Answer> {
    const name = `${method} ${path}`;
    if (name === `POST ${ORDERS}`) return { status: 201, body: create(member, await body()) };
    if (name === `POST ${ORDERS}/batched`) return createMany(member, await body());
    if (name === `DELETE ${ORDERS}/batched`) return cancelMany(member, await body(), nowTs);
    if (name === `DELETE ${ORDERS}`) return cancelAll(member);
    const orderId = method === 'DELETE' ? matchPath(`${ORDERS}/:id`, path)?.id : undefined;
    const canceled = orderId === undefined ? null : cancel(member, orderId, nowTs);
    return canceled ? ok(canceled) : NOT_FOUND;
  }

  return write;
}

/** Newest first. */
export function listFills({ core }: KalshiExchange, { keyId }: KalshiMember): KalshiFill[] {
  return core.records.tradesOf(keyId).flatMap((trade) => fillsOf(trade, keyId));
}

export function findOrder(
  exchange: KalshiExchange,
  member: KalshiMember,
  orderId: string,
): KalshiOrder | undefined {
  return exchange.ordersOf(member).find(({ order }) => order.id === orderId);
}

function listOf(body: unknown): unknown[] {
  const { orders } = (body ?? {}) as { orders?: unknown };
  return Array.isArray(orders) ? orders.slice(0, MAX_BATCH) : [];
}

export function describeRefusal(error: unknown): { code: string; message: string; details?: string } {
  if (!(error instanceof OrderRefused)) throw error;
  const { code, message, details } = error;
  return { code, message, ...(details !== undefined && { details }) };
}
