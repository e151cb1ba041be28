// The parts of the exchange's answers that we read, and their conversion.

import { MICRO, toPips } from '../../../domain/micro-units.ts';
import type { Action, Fill, FillStatus, VenueBook, VenueOrder } from '../../types.ts';

export interface WireOrder {
  id: string;
  status: string;
  asset_id: string;
  side: Action;
  original_size: string;
  size_matched: string;
  price: string;
}

interface WireMaker {
  order_id: string;
  owner: string;
  matched_amount: string;
  price: string;
  asset_id: string;
  side: Action;
}

export interface WireTrade {
  id: string;
  taker_order_id: string;
  owner: string;
  asset_id: string;
  side: Action;
  size: string;
  price: string;
  status: string;
  match_time: string;
  trader_side: 'TAKER' | 'MAKER';
  maker_orders: WireMaker[];
}

export interface WireBook {
  market: string;
  asset_id: string;
  bids: { price: string; size: string }[];
  asks: { price: string; size: string }[];
  min_order_size: string;
  tick_size: string;
  neg_risk: boolean;
}

export function toMicro(text: string): number {
  return Math.round(Number(text) * MICRO);
}

export function readOrder(wire: WireOrder): VenueOrder {
  return {
    orderId: wire.id,
    tokenId: wire.asset_id,
    action: wire.side,
    pricePips: toPips(Number(wire.price)),
    sizeMicro: toMicro(wire.original_size),
    matchedMicro: toMicro(wire.size_matched),
    isLive: wire.status.toUpperCase() === 'LIVE',
  };
}

const STATUSES: Record<string, FillStatus> = {
  MATCHED: 'provisional',
  MATCHED_NOT_BROADCASTED: 'provisional',
  RETRYING: 'provisional',
  MINED: 'confirmed',
  CONFIRMED: 'confirmed',
  FAILED: 'failed',
};

/** One fill per own order in the trade: as taker, or as one of the makers. */
export function readFills(wire: WireTrade, apiKey: string): Fill[] {
  const status = STATUSES[wire.status.toUpperCase().replace('TRADE_STATUS_', '')] ?? 'provisional';
  const ts = Number(wire.match_time) * 1000;
  const fills: Fill[] = [];
  if (wire.trader_side === 'TAKER')
    fills.push({
      fillId: `${wire.id} ${wire.taker_order_id}`,
      orderId: wire.taker_order_id,
      tokenId: wire.asset_id,
      action: wire.side,
      pricePips: toPips(Number(wire.price)),
      sizeMicro: toMicro(wire.size),
      isTaker: true,
      status,
      ts,
    });
  for (const maker of wire.maker_orders)
    if (maker.owner === apiKey)
      fills.push({
        fillId: `${wire.id} ${maker.order_id}`,
        orderId: maker.order_id,
        tokenId: maker.asset_id,
        action: maker.side,
        pricePips: toPips(Number(maker.price)),
        sizeMicro: toMicro(maker.matched_amount),
        isTaker: false,
        status,
        ts,
      });
  return fills;
}

/** The wire format has the worst level first. */
export function readBook(wire: WireBook): VenueBook {
  const levels = (side: WireBook['bids']) =>
    side.map(({ price, size }) => ({ pricePips: toPips(Number(price)), sizeMicro: toMicro(size) })).reverse();
  return {
    tokenId: wire.asset_id,
    conditionId: wire.market,
    bids: levels(wire.bids),
    asks: levels(wire.asks),
    tickPips: toPips(Number(wire.tick_size)),
    minOrderMicro: toMicro(wire.min_order_size),
    isNegRisk: wire.neg_risk,
  };
}
