// Orders, fills and positions in the venue's wire format.

import { MICRO, PIPS, usdMicroFor } from '../../src/domain/units.ts';
import { flipPips } from '../exchange/settling/transfers.ts';
import { contracts, dollars, toIso } from '../kalshi/wire.ts';
import type { KalshiFill, KalshiPosition } from './fills.ts';
import type { KalshiOrder } from './kalshi-exchange.ts';

const inContracts = (micro: number) => contracts(micro / MICRO);
const inDollars = (micro: number) => dollars(micro / MICRO);
const prices = (yesPips: number) => ({
  yes_price_dollars: dollars(yesPips / PIPS),
  no_price_dollars: dollars(flipPips(yesPips) / PIPS),
});

/** A Yes bid is on the Yes side; a Yes ask is on the No side. */
const direction = (side: 'bid' | 'ask') => ({
  outcome_side: side === 'bid' ? 'yes' : 'no',
  book_side: side,
});

export function statusOf({ order }: KalshiOrder): 'resting' | 'executed' | 'canceled' {
  if (order.status === 'LIVE') return 'resting';
  return order.matchedMicro >= order.originalMicro ? 'executed' : 'canceled';
}

export function presentOrder(placed: KalshiOrder, fills: readonly KalshiFill[]) {
  const { order, asked, clientOrderId } = placed;
  const status = statusOf(placed);
  const own = fills.filter(({ orderId }) => orderId === order.id);
  const sum = (isTaker: boolean, measure: (fill: KalshiFill) => number) =>
    inDollars(
      own.filter((fill) => fill.isTaker === isTaker).reduce((total, fill) => total + measure(fill), 0),
    );
  const leftMicro = status === 'resting' ? order.originalMicro - order.matchedMicro : 0;
  return {
    order_id: order.id,
    user_id: order.apiKey,
    client_order_id: clientOrderId,
    ticker: asked.ticker,
    ...direction(asked.side),
    type: 'limit',
    status,
    ...prices(asked.yesPips),
    fill_count_fp: inContracts(order.matchedMicro),
    remaining_count_fp: inContracts(leftMicro),
    initial_count_fp: inContracts(order.originalMicro),
    taker_fill_cost_dollars: sum(true, costOf),
    maker_fill_cost_dollars: sum(false, costOf),
    taker_fees_dollars: sum(true, ({ feeMicro }) => feeMicro),
    maker_fees_dollars: sum(false, ({ feeMicro }) => feeMicro),
    expiration_time: asked.expiresTs === null ? null : toIso(asked.expiresTs),
    created_time: toIso(order.createdTs),
    last_update_time: toIso(Math.max(order.createdTs, ...own.map(({ ts }) => ts))),
    self_trade_prevention_type: asked.selfTradePrevention,
    subaccount_number: 0,
    exchange_index: 0,
  };
}

function costOf({ side, yesPips, sizeMicro }: KalshiFill): number {
  return usdMicroFor(sizeMicro, side === 'bid' ? yesPips : flipPips(yesPips));
}

/** Response to a new order; averages are included only if something was filled. */
export function presentPlacement({ order, clientOrderId }: KalshiOrder, fills: readonly KalshiFill[]) {
  const own = fills.filter(({ orderId }) => orderId === order.id);
  const filledMicro = own.reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
  const average = (measure: (fill: KalshiFill) => number) =>
    dollars(own.reduce((sum, fill) => sum + measure(fill), 0) / filledMicro);
  return {
    order_id: order.id,
    client_order_id: clientOrderId,
    fill_count: inContracts(filledMicro),
    remaining_count: inContracts(order.status === 'LIVE' ? order.originalMicro - filledMicro : 0),
    ...(filledMicro > 0 && {
      average_fill_price: average(({ yesPips, sizeMicro }) => (yesPips / PIPS) * sizeMicro),
      average_fee_paid: average(({ feeMicro }) => feeMicro),
    }),
    ts_ms: order.createdTs,
  };
}

export function presentFill({ id, orderId, ticker, side, yesPips, ...fill }: KalshiFill) {
  return {
    fill_id: id,
    trade_id: id,
    exchange_index: 0,
    order_id: orderId,
    ticker,
    market_ticker: ticker,
    ...direction(side),
    count_fp: inContracts(fill.sizeMicro),
    ...prices(yesPips),
    is_taker: fill.isTaker,
    created_time: toIso(fill.ts),
    fee_cost: inDollars(fill.feeMicro),
    subaccount_number: 0,
    ts: Math.floor(fill.ts / 1_000),
  };
}

export function presentPosition(position: KalshiPosition) {
  return {
    ticker: position.ticker,
    exchange_index: 0,
    total_traded_dollars: inDollars(position.tradedMicro),
    position_fp: inContracts(position.contractsMicro),
    market_exposure_dollars: inDollars(position.costMicro),
    realized_pnl_dollars: inDollars(position.realizedMicro),
    fees_paid_dollars: inDollars(position.feesMicro),
    last_updated_ts: toIso(position.updatedTs),
  };
}

export function presentEventPosition(eventTicker: string, positions: readonly KalshiPosition[]) {
  const sum = (measure: (position: KalshiPosition) => number) =>
    positions.reduce((total, position) => total + measure(position), 0);
  return {
    event_ticker: eventTicker,
    total_cost_dollars: inDollars(sum(({ costMicro }) => costMicro)),
    total_cost_shares_fp: inContracts(sum(({ contractsMicro }) => Math.abs(contractsMicro))),
    event_exposure_dollars: inDollars(sum(({ costMicro }) => costMicro)),
    realized_pnl_dollars: inDollars(sum(({ realizedMicro }) => realizedMicro)),
    fees_paid_dollars: inDollars(sum(({ feesMicro }) => feesMicro)),
  };
}

export function presentBalance(availableMicro: number, valueMicro: number, nowTs: number) {
  const cents = (micro: number) => Math.floor(micro / 10_000);
  return {
    balance: cents(availableMicro),
    balance_dollars: inDollars(availableMicro),
    portfolio_value: cents(valueMicro),
    updated_ts: Math.floor(nowTs / 1_000),
    balance_breakdown: [{ exchange_index: 0, balance: inDollars(availableMicro) }],
  };
}
