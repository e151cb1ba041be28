// A member's fills in Yes terms, their fees, and the resulting positions.

import { PIPS } from '../../src/domain/units.ts';
import type { BookSide } from '../exchange/matching/order-book.ts';
import { type Action, flipPips, sideOf } from '../exchange/settling/transfers.ts';
import type { FeeRounding } from '../exchange/trade-maker.ts';
import type { ExchangeTrade } from '../exchange/types.ts';
import { tokenOf } from './markets.ts';

export interface KalshiFill {
  id: string;
  orderId: string;
  ticker: string;
  side: BookSide;
  yesPips: number;
  sizeMicro: number;
  feeMicro: number;
  isTaker: boolean;
  ts: number;
}

export interface KalshiPosition {
  ticker: string;
  /** Negative for No. */
  contractsMicro: number;
  costMicro: number;
  realizedMicro: number;
  tradedMicro: number;
  feesMicro: number;
  updatedTs: number;
}

/** The sides of a trade that belong to the member. */
export function fillsOf(trade: ExchangeTrade, keyId: string): KalshiFill[] {
  const { id, conditionId: ticker, matchedTs: ts } = trade;
  const inYes = (tokenId: string, action: Action, pricePips: number) => {
    const isYes = tokenId === tokenOf(ticker, 'yes');
    return { side: sideOf(action, isYes), yesPips: isYes ? pricePips : flipPips(pricePips) };
  };
  const made = trade.makers
    .filter(({ apiKey }) => apiKey === keyId)
    .map(({ orderId, matchedMicro, tokenId, action, pricePips, feeMicro = 0 }) => ({
      ...{ id: `${id}-${orderId.slice(0, 8)}`, orderId, ticker, ts, ...inYes(tokenId, action, pricePips) },
      ...{ sizeMicro: matchedMicro, feeMicro, isTaker: false },
    }));
  if (trade.takerKey !== keyId) return made;
  const { takerOrderId: orderId, sizeMicro, feeMicro, tokenId, action, pricePips } = trade;
  const taken = { id, orderId, ticker, ts, sizeMicro, feeMicro, isTaker: true };
  return [{ ...taken, ...inYes(tokenId, action, pricePips) }, ...made];
}

const CENT_MICRO = 10_000;
const CENTICENT_MICRO = 100;

/**
 * Every fill leaves a balance of whole cents; what an order has paid too much by that is returned in whole cents
 * once it exceeds one. As documented under "Fee Rounding".
 */
export function createFeeRounding(): FeeRounding {
  const overpaid = new Map<string, number>();
  return (orderId, revenueMicro, exactMicro) => {
    const tradeFeeMicro = Math.ceil(exactMicro / CENTICENT_MICRO - 1e-9) * CENTICENT_MICRO;
    const changeMicro = revenueMicro - tradeFeeMicro;
    const roundedMicro = Math.floor(changeMicro / CENT_MICRO) * CENT_MICRO;
    let feeMicro = revenueMicro - roundedMicro;
    let surplusMicro = (overpaid.get(orderId) ?? 0) + changeMicro - roundedMicro;
    for (; surplusMicro > CENT_MICRO && feeMicro >= CENT_MICRO; surplusMicro -= CENT_MICRO)
      feeMicro -= CENT_MICRO;
    overpaid.set(orderId, surplusMicro);
    return feeMicro;
  };
}

/** Expects fills oldest first. */
export function foldPositions(fills: readonly KalshiFill[]): KalshiPosition[] {
  const byTicker = new Map<string, KalshiPosition>();
  for (const fill of fills)
    byTicker.set(fill.ticker, addFill(byTicker.get(fill.ticker) ?? emptyPosition(fill.ticker), fill));
  return [...byTicker.values()];
}

function emptyPosition(ticker: string): KalshiPosition {
  const nothing = { contractsMicro: 0, costMicro: 0, realizedMicro: 0, tradedMicro: 0, feesMicro: 0 };
  return { ticker, ...nothing, updatedTs: 0 };
}

/** Closes the opposite position first, at its average cost; the rest opens a new one. */
function addFill(
  held: KalshiPosition,
  { side, yesPips, sizeMicro, feeMicro, ts }: KalshiFill,
): KalshiPosition {
  const sign = side === 'bid' ? 1 : -1;
  const heldMicro = Math.abs(held.contractsMicro);
  const isClosing = held.contractsMicro * sign < 0;
  const closedMicro = isClosing ? Math.min(heldMicro, sizeMicro) : 0;
  const openedMicro = sizeMicro - closedMicro;
  const ownPips = side === 'bid' ? yesPips : flipPips(yesPips);
  const dollars = (micro: number, pips: number) => Math.round((micro * pips) / PIPS);
  const closedCostMicro = heldMicro === 0 ? 0 : Math.round((held.costMicro * closedMicro) / heldMicro);
  return {
    ticker: held.ticker,
    contractsMicro: held.contractsMicro + sign * sizeMicro,
    costMicro: held.costMicro - closedCostMicro + dollars(openedMicro, ownPips),
    realizedMicro: held.realizedMicro + dollars(closedMicro, flipPips(ownPips)) - closedCostMicro,
    tradedMicro: held.tradedMicro + dollars(sizeMicro, ownPips),
    feesMicro: held.feesMicro + feeMicro,
    updatedTs: ts,
  };
}
