// One market's resting orders in terms of its Yes token, by price, then time.

import { sharesMicroFor } from '../../../src/domain/units.ts';

export type BookSide = 'bid' | 'ask';

export interface BookOrder {
  id: string;
  side: BookSide;
  pricePips: number;
  openMicro: number;
}

export interface BookLevel {
  pricePips: number;
  sizeMicro: number;
}

/** An incoming order and its maximum, in shares or collateral. */
export interface Demand {
  side: BookSide;
  limitPips: number;
  sizeMicro: number;
  /**
   * Set for a purchase, which derives shares from money. `costPips` is the cost of a share at a Yes price.
   */
  budgetMicro?: number;
  costPips?(yesPricePips: number): number;
}

export interface Match {
  makerId: string;
  pricePips: number;
  sizeMicro: number;
}

export interface OrderBook {
  add(order: BookOrder): void;
  find(id: string): BookOrder | null;
  /** Removes an order or part of it; ignores unknown ids. */
  reduce(id: string, byMicro?: number): void;
  /** Matches the order without changing the book. */
  match(demand: Demand): Match[];
  levels(side: BookSide): BookLevel[];
  ordersAt(side: BookSide, pricePips: number): readonly BookOrder[];
  prices(side: BookSide): number[];
}

interface Level {
  pricePips: number;
  orders: BookOrder[];
}

export function createOrderBook(): OrderBook {
  const byId = new Map<string, BookOrder>();
  const sides: Record<BookSide, Level[]> = { bid: [], ask: [] };

  function levelFor(side: BookSide, pricePips: number): Level {
    const levels = sides[side];
    const at = levels.findIndex((level) => !isBetter(side, level.pricePips, pricePips));
    if (at >= 0 && levels[at]!.pricePips === pricePips) return levels[at]!;
    const level = { pricePips, orders: [] };
    levels.splice(at < 0 ? levels.length : at, 0, level);
    return level;
  }

  function drop(order: BookOrder): void {
    byId.delete(order.id);
    const levels = sides[order.side];
    const at = levels.findIndex(({ pricePips }) => pricePips === order.pricePips);
    const level = levels[at]!;
    level.orders.splice(level.orders.indexOf(order), 1);
    if (level.orders.length === 0) levels.splice(at, 1);
  }

  return {
    add(order) {
      if (byId.has(order.id)) throw new Error(`order ${order.id} is already on the book`);
      const kept = { ...order };
      byId.set(kept.id, kept);
      levelFor(kept.side, kept.pricePips).orders.push(kept);
    },
    find: (id) => byId.get(id) ?? null,
    reduce(id, byMicro = Number.POSITIVE_INFINITY) {
      const order = byId.get(id);
      if (!order) return;
      order.openMicro -= Math.min(order.openMicro, byMicro);
      if (order.openMicro === 0) drop(order);
    },
    match: (demand) => matchLevels(sides[opposite(demand.side)], demand),
    levels: (side) =>
      sides[side].map(({ pricePips, orders }) => ({
        pricePips,
        sizeMicro: orders.reduce((sum, { openMicro }) => sum + openMicro, 0),
      })),
    ordersAt: (side, pricePips) => sides[side].find((level) => level.pricePips === pricePips)?.orders ?? [],
    prices: (side) => sides[side].map(({ pricePips }) => pricePips),
  };
}

function matchLevels(levels: readonly Level[], demand: Demand): Match[] {
  const matches: Match[] = [];
  let leftMicro = demand.sizeMicro;
  let budgetMicro = demand.budgetMicro ?? null;
  for (const { pricePips, orders } of levels) {
    if (isBetter(demand.side, pricePips, demand.limitPips)) break;
    for (const order of orders) {
      const costPips = demand.costPips?.(pricePips) ?? pricePips;
      const affordable = budgetMicro === null ? leftMicro : sharesMicroFor(budgetMicro, costPips);
      const sizeMicro = Math.min(order.openMicro, affordable);
      if (sizeMicro <= 0) return matches;
      matches.push({ makerId: order.id, pricePips, sizeMicro });
      if (budgetMicro === null) leftMicro -= sizeMicro;
      else budgetMicro -= Math.ceil((sizeMicro * costPips) / 10_000);
    }
  }
  return matches;
}

export function opposite(side: BookSide): BookSide {
  return side === 'bid' ? 'ask' : 'bid';
}

/** Whether the first price has priority on this side. */
function isBetter(side: BookSide, pricePips: number, thanPips: number): boolean {
  return side === 'bid' ? pricePips > thanPips : pricePips < thanPips;
}
