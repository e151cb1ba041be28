// Orders and trades in the format of the exchange's responses and user stream.

import { decimalText, priceText } from '../../../src/domain/units.ts';
import { CROWD } from '../settling/ledger.ts';
import type { ExchangeOrder, ExchangeTrade, TradeMaker, UserEvent } from '../types.ts';

/** The crowd's wallet where an address is required. */
const CROWD_WALLET = '0xc0ffee00000000000000000000000000000c0de5';

/** The documented form has long status names and amounts in millionths; the stream and some answers are plain. */
export type Form = 'documented' | 'plain';

function sizeText(form: Form, micro: number): string {
  return form === 'documented' ? String(micro) : decimalText(micro);
}

export function presentOrder(order: ExchangeOrder, form: Form): Record<string, unknown> {
  // In terms of the dollars that are left: a purchase below its limit never shows more than it asked for.
  const matchedMicro = order.action === 'BUY' ? order.originalMicro - order.openMicro : order.matchedMicro;
  return {
    id: order.id,
    status: form === 'documented' ? `ORDER_STATUS_${order.status}` : order.status,
    owner: order.apiKey,
    maker_address: order.maker,
    market: order.conditionId,
    asset_id: order.tokenId,
    side: order.action,
    original_size: sizeText(form, order.originalMicro),
    size_matched: sizeText(form, matchedMicro),
    price: priceText(order.pricePips),
    associate_trades: order.tradeIds,
    outcome: order.outcome,
    created_at: seconds(order.createdTs),
    expiration: String(order.expiresTs === null ? 0 : seconds(order.expiresTs)),
    order_type: order.type,
  };
}

/** The trade from one owner's point of view. */
export function presentTrade(trade: ExchangeTrade, apiKey: string, form: Form): Record<string, unknown> {
  const isTaker = trade.takerKey === apiKey;
  return {
    id: trade.id,
    taker_order_id: trade.takerOrderId,
    market: trade.conditionId,
    asset_id: trade.tokenId,
    side: trade.action,
    size: sizeText(form, trade.sizeMicro),
    fee_rate_bps: '0',
    price: priceText(trade.pricePips),
    status: form === 'documented' ? `TRADE_STATUS_${trade.status}` : trade.status,
    match_time: String(seconds(trade.matchedTs)),
    match_time_nano: `${trade.matchedTs}000000`,
    last_update: String(seconds(trade.updatedTs)),
    outcome: trade.outcome,
    bucket_index: 0,
    owner: shown(trade.takerKey),
    maker_address: isTaker ? trade.taker : walletText(trade.taker),
    maker_orders: trade.makers.map((maker) => presentMaker(maker, form)),
    transaction_hash: trade.status === 'FAILED' ? '' : trade.txHash,
    err_msg: trade.status === 'FAILED' ? 'execution reverted' : null,
    trader_side: isTaker ? 'TAKER' : 'MAKER',
  };
}

function presentMaker(maker: TradeMaker, form: Form): Record<string, unknown> {
  return {
    order_id: maker.orderId,
    owner: shown(maker.apiKey),
    maker_address: walletText(maker.maker),
    matched_amount: sizeText(form, maker.matchedMicro),
    price: priceText(maker.pricePips),
    fee_rate_bps: '0',
    asset_id: maker.tokenId,
    outcome: maker.outcome,
    side: maker.action,
  };
}

export function presentEvent(event: UserEvent, apiKey: string, nowTs: number): Record<string, unknown> {
  if (event.kind === 'order')
    return {
      ...presentOrder(event.order, 'plain'),
      created_at: String(seconds(event.order.createdTs)),
      event_type: 'order',
      type: event.type,
      order_owner: event.order.apiKey,
      timestamp: String(nowTs),
    };
  return {
    ...presentTrade(event.trade, apiKey, 'plain'),
    event_type: 'trade',
    type: 'TRADE',
    trade_owner: apiKey,
    timestamp: String(nowTs),
  };
}

export function presentPlacement(
  order: ExchangeOrder,
  trades: readonly ExchangeTrade[],
): Record<string, unknown> {
  const shares = trades.reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
  const usd = trades.reduce(
    (sum, { sizeMicro, pricePips }) => sum + Math.round((sizeMicro * pricePips) / 10_000),
    0,
  );
  const [making, taking] = order.action === 'BUY' ? [usd, shares] : [shares, usd];
  return {
    success: true,
    errorMsg: '',
    orderID: order.id,
    status: trades.length > 0 ? 'matched' : 'live',
    makingAmount: making === 0 ? '' : decimalText(making),
    takingAmount: taking === 0 ? '' : decimalText(taking),
    tradeIDs: trades.map(({ id }) => id),
    transactionsHashes: trades.map(({ txHash }) => txHash),
  };
}

function seconds(ts: number): number {
  return Math.floor(ts / 1000);
}

function shown(apiKey: string): string {
  return apiKey === CROWD ? '00000000-0000-0000-0000-0000000c0de5' : apiKey;
}

function walletText(owner: string): string {
  return owner === CROWD ? CROWD_WALLET : owner;
}
