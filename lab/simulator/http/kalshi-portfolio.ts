// A member's part of the venue: orders, fills, positions and balance.

import { MICRO } from '../../../src/domain/micro-units.ts';
import { USD } from '../exchange/settling/ledger.ts';
import type { KalshiMember } from '../kalshi/signing.ts';
import { contracts } from '../kalshi/wire.ts';
import { fillsOf, foldPositions, type KalshiFill, type KalshiPosition } from '../kalshi-orders/fills.ts';
import type { KalshiExchange, KalshiOrder } from '../kalshi-orders/kalshi-exchange.ts';
import {
  presentBalance,
  presentEventPosition,
  presentFill,
  presentOrder,
  presentPlacement,
  presentPosition,
} from '../kalshi-orders/present.ts';
import { OrderRefused } from '../kalshi-orders/read-order.ts';
import { type Answer, failure, matchPath, ok } from './answer.ts';
import { NOT_FOUND, pageOf } from './kalshi-answers.ts';

export interface MemberCall {
  member: KalshiMember;
  method: string;
  /** Below the API's root. */
  path: string;
  query: URLSearchParams;
  body: () => Promise<unknown>;
  nowTs: number;
}

const ORDERS = '/portfolio/events/orders';
const MOST_ROWS = 1_000;
const MAX_BATCH = 20;

export function createKalshiPortfolio(exchange: KalshiExchange) {
  const { core, venue } = exchange;

  /** Newest first. */
  function listFills({ keyId }: KalshiMember): KalshiFill[] {
    return core.records.tradesOf(keyId).flatMap((trade) => fillsOf(trade, keyId));
  }

  function listPositions(member: KalshiMember, nowTs: number): KalshiPosition[] {
    return foldPositions(listFills(member).reverse()).filter(({ ticker, contractsMicro }) => {
      const contract = venue.find(ticker, nowTs)?.contract;
      return contractsMicro !== 0 && contract && venue.finalCount(contract, nowTs) === null;
    });
  }

  function create(member: KalshiMember, body: unknown) {
    const placed = exchange.place(member, body);
    return presentPlacement(placed, listFills(member));
  }

  function createMany(member: KalshiMember, body: unknown): Answer {
    const wanted = listOf(body).map((each) => {
      try {
        return create(member, each);
      } catch (error) {
        const { client_order_id } = (each ?? {}) as { client_order_id?: string };
        return { client_order_id: client_order_id ?? null, error: describe(error) };
      }
    });
    return { status: 201, body: { orders: wanted } };
  }

  function cancel(member: KalshiMember, orderId: string, nowTs: number) {
    const leftMicro = exchange.cancel(member, orderId);
    if (leftMicro === null) return null;
    const placed = find(member, orderId)!;
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

  function find(member: KalshiMember, orderId: string): KalshiOrder | undefined {
    return exchange.ordersOf(member).find(({ order }) => order.id === orderId);
  }

  function listOrders({ member, query }: MemberCall): Answer {
    const events = query.get('event_ticker')?.split(',');
    const fills = listFills(member);
    const all = exchange
      .ordersOf(member)
      .filter(({ asked }) => (query.get('ticker') ?? asked.ticker) === asked.ticker)
      .filter(({ asked }) => events?.includes(eventOf(asked.ticker)) ?? true)
      .map((placed) => presentOrder(placed, fills))
      .filter(({ status }) => (query.get('status') ?? status) === status);
    const { page, cursor } = pageOf(all, query, MOST_ROWS);
    return ok({ orders: page, cursor });
  }

  function fills({ member, query }: MemberCall): Answer {
    const all = listFills(member)
      .filter(({ ticker }) => (query.get('ticker') ?? ticker) === ticker)
      .filter(({ orderId }) => (query.get('order_id') ?? orderId) === orderId);
    const { page, cursor } = pageOf(all, query, MOST_ROWS);
    return ok({ fills: page.map(presentFill), cursor });
  }

  function positions({ member, nowTs }: MemberCall): Answer {
    const held = listPositions(member, nowTs);
    const events = [...Map.groupBy(held, ({ ticker }) => eventOf(ticker))];
    return ok({
      market_positions: held.map(presentPosition),
      event_positions: events.map(([ticker, group]) => presentEventPosition(ticker, group)),
      cursor: '',
    });
  }

  function balance({ member, nowTs }: MemberCall): Answer {
    const values = listPositions(member, nowTs).map(({ ticker, contractsMicro }) => {
      const { last } = venue.price(venue.find(ticker, nowTs)!, nowTs);
      return Math.abs(contractsMicro) * (contractsMicro > 0 ? last : 1 - last);
    });
    const valueMicro = values.reduce((sum, value) => sum + value, 0);
    return ok(presentBalance(core.ledger.available(member.keyId, USD), valueMicro, nowTs));
  }

  function read(call: MemberCall): Answer {
    const { member, path } = call;
    if (path === '/portfolio/balance') return balance(call);
    if (path === '/portfolio/positions') return positions(call);
    if (path === '/portfolio/fills') return fills(call);
    if (path === '/portfolio/orders') return listOrders(call);
    if (path === '/portfolio/settlements') return ok({ settlements: [], cursor: '' });
    const orderId = matchPath('/portfolio/orders/:id', path)?.id;
    const placed = orderId === undefined ? undefined : find(member, orderId);
    return placed ? ok({ order: presentOrder(placed, listFills(member)) }) : NOT_FOUND;
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

  return async (call: MemberCall): Promise<Answer> => {
    exchange.meet(call.member);
    core.advance(call.nowTs);
    try {
      return call.method === 'GET' ? read(call) : await write(call);
    } catch (error) {
      const described = describe(error);
      return failure((error as OrderRefused).status, { error: { ...described, service: 'exchange' } });
    }
  };
}

function listOf(body: unknown): unknown[] {
  const { orders } = (body ?? {}) as { orders?: unknown };
  return Array.isArray(orders) ? orders.slice(0, MAX_BATCH) : [];
}

function describe(error: unknown): { code: string; message: string; details?: string } {
  if (!(error instanceof OrderRefused)) throw error;
  const { code, message, details } = error;
  return { code, message, ...(details !== undefined && { details }) };
}

function eventOf(ticker: string): string {
  return ticker.slice(0, ticker.lastIndexOf('-'));
}
