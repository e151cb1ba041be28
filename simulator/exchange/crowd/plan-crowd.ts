// Maintains the simulated market makers' quotes: computes what to remove from and add to the book.

import type { BookLevel, BookOrder, BookSide } from '../matching/order-book.ts';

export interface CrowdQuote {
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}

export interface CrowdChange {
  cancels: { id: string; byMicro: number }[];
  placements: { side: BookSide; pricePips: number; sizeMicro: number }[];
}

/** Recent depletion of a level. Half of it recovers per half-life, updated once a minute. */
export interface Depletion {
  note(side: BookSide, pricePips: number, sizeMicro: number, nowTs: number): void;
  at(side: BookSide, pricePips: number, nowTs: number): number;
  isEmpty(nowTs: number): boolean;
}

const FORGOTTEN_MICRO = 1_000_000;
const STEP_MS = 60_000;
const LOT_MICRO = 10_000;

export function createDepletion(halfLifeMs: number): Depletion {
  const taken = new Map<string, { micro: number; ts: number }>();
  const left = (entry: { micro: number; ts: number } | undefined, nowTs: number) =>
    entry
      ? entry.micro * 0.5 ** ((Math.floor(Math.max(0, nowTs - entry.ts) / STEP_MS) * STEP_MS) / halfLifeMs)
      : 0;
  return {
    note(side, pricePips, sizeMicro, nowTs) {
      const key = `${side}${pricePips}`;
      taken.set(key, { micro: left(taken.get(key), nowTs) + sizeMicro, ts: nowTs });
    },
    at(side, pricePips, nowTs) {
      const micro = left(taken.get(`${side}${pricePips}`), nowTs);
      return micro < FORGOTTEN_MICRO ? 0 : Math.ceil(micro / LOT_MICRO) * LOT_MICRO;
    },
    isEmpty(nowTs) {
      for (const [key, entry] of taken) if (left(entry, nowTs) < FORGOTTEN_MICRO) taken.delete(key);
      return taken.size === 0;
    },
  };
}

/** Excess size is removed from the end of the queue; missing size joins at the end. */
export function planCrowd(
  quote: CrowdQuote,
  depletion: Depletion,
  nowTs: number,
  current: (side: BookSide) => ReadonlyMap<number, readonly BookOrder[]>,
): CrowdChange {
  const change: CrowdChange = { cancels: [], placements: [] };
  for (const side of ['bid', 'ask'] as const) {
    const levels = side === 'bid' ? quote.bids : quote.asks;
    const wanted = new Map(
      levels.map(({ pricePips, sizeMicro }) => [
        pricePips,
        Math.max(0, sizeMicro - depletion.at(side, pricePips, nowTs)),
      ]),
    );
    const shown = current(side);
    for (const [pricePips, orders] of shown) cancelExcess(change, orders, wanted.get(pricePips) ?? 0);
    for (const [pricePips, sizeMicro] of wanted) {
      const missing = sizeMicro - total(shown.get(pricePips) ?? []);
      if (missing > 0) change.placements.push({ side, pricePips, sizeMicro: missing });
    }
  }
  return change;
}

function cancelExcess(change: CrowdChange, orders: readonly BookOrder[], wantedMicro: number): void {
  let excess = total(orders) - wantedMicro;
  for (const order of [...orders].reverse()) {
    if (excess <= 0) return;
    const byMicro = Math.min(excess, order.openMicro);
    change.cancels.push({ id: order.id, byMicro });
    excess -= byMicro;
  }
}

function total(orders: readonly BookOrder[]): number {
  return orders.reduce((sum, { openMicro }) => sum + openMicro, 0);
}
