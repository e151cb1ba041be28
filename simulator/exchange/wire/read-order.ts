// Parses an incoming order: format, amounts, and the resulting price and size. Rejections use the exchange's
// wording, because clients parse it.

import type { Hex } from 'viem';
import { MICRO, PIPS, toPips } from '../../../src/domain/units.ts';
import type { SignedOrder } from '../auth/order-signature.ts';
import type { OrderType } from '../matching/execute.ts';
import type { ExchangeMarket } from '../types.ts';

export interface OrderPayload {
  order: SignedOrder & { expiration: string };
  owner: string;
  orderType: OrderType;
  isPostOnly: boolean;
}

export interface PricedOrder {
  pricePips: number;
  sizeMicro: number;
  budgetMicro?: number;
}

/** Thrown with the text sent to the client. */
export class OrderRefusal extends Error {}

const TYPES = new Set<string>(['GTC', 'GTD', 'FOK', 'FAK']);
const HEX = /^0x[0-9a-fA-F]+$/;
const DIGITS = /^\d{1,78}$/;
const MAX_SHARES_MICRO = 500_000 * MICRO;
const SIZE_STEP_MICRO = MICRO / 100;
const MIN_MARKET_USD_MICRO = MICRO;
const MIN_GTD_MS = 60_000;

export function readPayload(body: unknown): OrderPayload {
  const given = (body ?? {}) as Record<string, unknown>;
  const order = (given.order ?? {}) as Record<string, unknown>;
  if ('feeRateBps' in order || 'nonce' in order) throw new OrderRefusal('order_version_mismatch');
  const text = (name: string, pattern: RegExp) => {
    const value = String(order[name] ?? '');
    if (!pattern.test(value)) throw new OrderRefusal('Invalid order payload');
    return value;
  };
  const side = String(order.side);
  const orderType = String(given.orderType);
  if ((side !== 'BUY' && side !== 'SELL') || !TYPES.has(orderType))
    throw new OrderRefusal('Invalid order payload');
  return {
    order: {
      salt: text('salt', DIGITS),
      maker: text('maker', HEX) as Hex,
      signer: text('signer', HEX) as Hex,
      tokenId: text('tokenId', DIGITS),
      makerAmount: text('makerAmount', DIGITS),
      takerAmount: text('takerAmount', DIGITS),
      side,
      signatureType: Number(text('signatureType', /^[0-3]$/)),
      timestamp: text('timestamp', DIGITS),
      metadata: text('metadata', HEX) as Hex,
      builder: text('builder', HEX) as Hex,
      signature: text('signature', HEX) as Hex,
      expiration: text('expiration', DIGITS),
    },
    owner: String(given.owner ?? ''),
    orderType: orderType as OrderType,
    isPostOnly: given.postOnly === true,
  };
}

/** Derives price and size from the signed amounts, and enforces the market's tick and minimum sizes. */
export function priceOrder(id: string, payload: OrderPayload, market: ExchangeMarket): PricedOrder {
  const { order, orderType } = payload;
  const [makerMicro, takerMicro] = [Number(order.makerAmount), Number(order.takerAmount)];
  if (!(makerMicro > 0) || !(takerMicro > 0)) throw new OrderRefusal('invalid amounts');
  const isBuy = order.side === 'BUY';
  const [sharesMicro, usdMicro] = isBuy ? [takerMicro, makerMicro] : [makerMicro, takerMicro];
  if (sharesMicro > MAX_SHARES_MICRO) throw new OrderRefusal('invalid amounts');
  const isMarket = orderType === 'FOK' || orderType === 'FAK';
  const tickPips = toPips(market.tick);
  const pricePips = isMarket
    ? marketPrice(isBuy, sharesMicro, usdMicro, tickPips)
    : limitPrice(id, sharesMicro, usdMicro, market);
  if (pricePips < tickPips || pricePips > PIPS - tickPips)
    throw new OrderRefusal(
      `invalid price (${pricePips / PIPS}), min: ${market.tick} - max: ${1 - market.tick}`,
    );
  if (!isMarket && sharesMicro < market.minOrderShares * MICRO)
    throw new OrderRefusal(
      `order ${id} is invalid. Size (${sharesMicro / MICRO}) lower than the minimum: ${market.minOrderShares}`,
    );
  if (isMarket) checkMarketAmounts(isBuy, sharesMicro, usdMicro);
  return isBuy
    ? { pricePips, sizeMicro: sharesMicro, budgetMicro: usdMicro }
    : { pricePips, sizeMicro: sharesMicro };
}

function limitPrice(id: string, sharesMicro: number, usdMicro: number, { tick }: ExchangeMarket): number {
  const pricePips = Math.round((usdMicro * PIPS) / sharesMicro);
  const isExact = sharesMicro * pricePips === usdMicro * PIPS;
  if (sharesMicro % SIZE_STEP_MICRO !== 0 || !isExact || pricePips % toPips(tick) !== 0)
    throw new OrderRefusal(
      `order ${id} is invalid. Price (${usdMicro / sharesMicro}) breaks minimum tick size rule: ${tick}`,
    );
  return pricePips;
}

/** Shares of a market buy are rounded down, so the intended price is the tick below the computed one. */
function marketPrice(isBuy: boolean, sharesMicro: number, usdMicro: number, tickPips: number): number {
  const ticks = (usdMicro * PIPS) / sharesMicro / tickPips;
  return (isBuy ? Math.floor(ticks + 1e-3) : Math.ceil(ticks - 1e-3)) * tickPips;
}

function checkMarketAmounts(isBuy: boolean, sharesMicro: number, usdMicro: number): void {
  if ((isBuy ? usdMicro : sharesMicro) % SIZE_STEP_MICRO !== 0)
    throw new OrderRefusal(
      `invalid amounts, the market ${isBuy ? 'buy' : 'sell'} orders maker amount supports a max accuracy of 2 decimals`,
    );
  if (isBuy && usdMicro < MIN_MARKET_USD_MICRO)
    throw new OrderRefusal(
      `invalid amount for a marketable BUY order ($${usdMicro / MICRO}), min size: $${MIN_MARKET_USD_MICRO / MICRO}`,
    );
}

/** Only GTD orders expire, at a time in the future. `instants` are the clocks a client may use. */
export function readExpiry({ order, orderType }: OrderPayload, instants: readonly number[]): number | null {
  const expiresTs = Number(order.expiration) * 1000;
  if (orderType !== 'GTD') {
    if (expiresTs !== 0) throw new OrderRefusal('invalid expiration');
    return null;
  }
  if (!instants.some((nowTs) => expiresTs >= nowTs + MIN_GTD_MS))
    throw new OrderRefusal('invalid expiration');
  return expiresTs;
}
