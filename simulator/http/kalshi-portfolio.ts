// A member's orders, fills, positions and balance.

import { USD } from '../exchange/settling/ledger.ts';
import type { KalshiMember } from '../kalshi/signing.ts';
import { foldPositions, type KalshiPosition } from '../kalshi-orders/fills.ts';
import type { KalshiExchange } from '../kalshi-orders/kalshi-exchange.ts';
import {
  presentBalance,
  presentEventPosition,
  presentFill,
  presentOrder,
  presentPosition,
  statusOf,
} from '../kalshi-orders/present.ts';
import type { OrderRefused } from '../kalshi-orders/read-order.ts';
import { type Answer, failure, matchPath, ok, readInteger } from './answer.ts';
import { NOT_FOUND, pageOf } from './kalshi-answers.ts';
import {
  createKalshiOrders,
  describeRefusal,
  findOrder,
  listFills,
  type MemberCall,
} from './kalshi-order-calls.ts';

const MAX_ROWS = 1_000;
export function createKalshiPortfolio(exchange: KalshiExchange) {
  const { core, venue } = exchange;
  const write = createKalshiOrders(exchange);

  function listPositions(member: KalshiMember, nowTs: number): KalshiPosition[] {
    return foldPositions(listFills(exchange, member).reverse()).filter(({ ticker, contractsMicro }) => {
      const contract = venue.find(ticker, nowTs)?.contract;
      return contractsMicro !== 0 && contract && venue.finalCount(contract, nowTs) === null;
    });
  }

  function listOrders({ member, query }: MemberCall): Answer {
    const events = query.get('event_ticker')?.split(',');
    const fills = listFills(exchange, member);
    const all = exchange
      .ordersOf(member)
      .filter(({ asked }) => (query.get('ticker') ?? asked.ticker) === asked.ticker)
      .filter(({ asked }) => events?.includes(eventOf(asked.ticker)) ?? true)
      .filter(({ order }) => isWithin(query, order.createdTs))
      .filter((placed) => (query.get('status') ?? statusOf(placed)) === statusOf(placed))
      .map((placed) => presentOrder(placed, fills));
    const { page, cursor } = pageOf(all, query, MAX_ROWS);
    return ok({ orders: page, cursor });
  }

  function fills({ member, query }: MemberCall): Answer {
    const all = listFills(exchange, member)
      .filter(({ ticker }) => (query.get('ticker') ?? ticker) === ticker)
      .filter(({ orderId }) => (query.get('order_id') ?? orderId) === orderId)
      .filter(({ ts }) => isWithin(query, ts));
    const { page, cursor } = pageOf(all, query, MAX_ROWS);
    return ok({ fills: page.map(presentFill), cursor });
  }

  function positions({ member, query, nowTs }: MemberCall): Answer {
    const held = listPositions(member, nowTs).filter(
      ({ ticker }) => (query.get('ticker') ?? ticker) === ticker,
    );
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
    const placed = orderId === undefined ? undefined : findOrder(exchange, member, orderId);
    return placed ? ok({ order: presentOrder(placed, listFills(exchange, member)) }) : NOT_FOUND;
  }

  return async (call: MemberCall): Promise<Answer> => {
    exchange.meet(call.member);
    core.advance(call.nowTs);
    try {
      return call.method === 'GET' ? read(call) : await write(call);
    } catch (error) {
      const described = describeRefusal(error);
      return failure((error as OrderRefused).status, { error: { ...described, service: 'exchange' } });
    }
  };
}

/** `min_ts` and `max_ts` are in seconds. */
function isWithin(query: URLSearchParams, ts: number): boolean {
  const maxS = readInteger(query.get('max_ts'), Number.MAX_SAFE_INTEGER);
  return ts >= 1_000 * readInteger(query.get('min_ts'), 0) && ts <= 1_000 * maxS;
}

function eventOf(ticker: string): string {
  return ticker.slice(0, ticker.lastIndexOf('-'));
}
