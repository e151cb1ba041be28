// When a paper order fills. A taker gets part of the displayed book once the order has arrived; a maker
// queues behind earlier orders and fills only from trades that reach it.

import type { Action, PriceLevel, VenueBook } from '../types.ts';

/** A public trade in the token. */
export interface Print {
  tokenId: string;
  ts: number;
  pricePips: number;
  sizeMicro: number;
  /** The taker's side. */
  takerAction: Action;
}

export interface RestingOrder {
  action: Action;
  pricePips: number;
  openMicro: number;
  /** Shares ahead of the order in the queue at its price. */
  aheadMicro: number;
}

export interface PaperFill {
  pricePips: number;
  sizeMicro: number;
}

const LOT_MICRO = 10_000;

/** Walks the levels within the limit, leaving the rest of each level to others. */
export function takeLevels(
  action: Action,
  limitPips: number,
  wantedMicro: number,
  book: VenueBook,
  share: number,
  takenMicro: (pricePips: number) => number,
): PaperFill[] {
  const fills: PaperFill[] = [];
  let leftMicro = wantedMicro;
  for (const { pricePips, sizeMicro } of action === 'BUY' ? book.asks : book.bids) {
    if (leftMicro <= 0 || !isWithin(action, pricePips, limitPips)) break;
    const offered = Math.floor((sizeMicro * share - takenMicro(pricePips)) / LOT_MICRO) * LOT_MICRO;
    const size = Math.min(leftMicro, offered);
    if (size <= 0) continue;
    fills.push({ pricePips, sizeMicro: size });
    leftMicro -= size;
  }
  return fills;
}

/** Size already resting at the price when the order joins. */
export function queueAhead(action: Action, pricePips: number, book: VenueBook): number {
  const own: readonly PriceLevel[] = action === 'BUY' ? book.bids : book.asks;
  return own.find((level) => level.pricePips === pricePips)?.sizeMicro ?? 0;
}

/** Queue left after a trade, and the part of the trade that reaches the order. */
export function passPrint(order: RestingOrder, print: Print): { aheadMicro: number; filledMicro: number } {
  const reaches =
    print.takerAction !== order.action && isWithin(print.takerAction, order.pricePips, print.pricePips);
  if (!reaches) return { aheadMicro: order.aheadMicro, filledMicro: 0 };
  // A trade through the price has filled everything ahead.
  const ahead = print.pricePips === order.pricePips ? order.aheadMicro : 0;
  const left = Math.max(0, print.sizeMicro - ahead);
  return { aheadMicro: Math.max(0, ahead - print.sizeMicro), filledMicro: Math.min(order.openMicro, left) };
}

/** Whether a later trade confirms a fill: it happened at the fill price or at a worse price for us. */
export function confirms(
  fill: { action: Action; pricePips: number; ts: number },
  print: Print,
  withinMs: number,
): boolean {
  const isLater = print.ts > fill.ts && print.ts <= fill.ts + withinMs;
  return isLater && isWithin(fill.action, print.pricePips, fill.pricePips);
}

function isWithin(action: Action, pricePips: number, limitPips: number): boolean {
  return action === 'BUY' ? pricePips <= limitPips : pricePips >= limitPips;
}
