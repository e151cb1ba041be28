// The simulated crowd's market orders: when they arrive, which side they take, and their size. They depend
// only on seed and time, so that tape readers and order owners see the same trades.

import { chance } from '../../chance.ts';
import type { BookSide } from '../matching/order-book.ts';

export interface CrowdTrade {
  ts: number;
  /** The side the order takes: a buyer of Yes lifts an 'ask'. */
  takes: BookSide;
  sizeMicro: number;
}

const SLOT_MS = 10_000;
/** Median size, as shares at a price of one half, and the spread of sizes (log scale). */
const MEDIAN_SHARES = 30;
const SIZE_SPREAD = 1.1;
const MICRO = 1_000_000;

/** Lists the trades after `fromTs`, up to and including `toTs`. */
export function listCrowdTrades(
  key: number,
  tradesPerHour: number,
  fromTs: number,
  toTs: number,
): CrowdTrade[] {
  const perSlot = Math.min(0.95, (tradesPerHour * SLOT_MS) / 3_600_000);
  const trades: CrowdTrade[] = [];
  for (let slot = Math.floor(fromTs / SLOT_MS); slot * SLOT_MS <= toTs; slot++) {
    if (chance(key, slot, 1) >= perSlot) continue;
    const ts = Math.round((slot + chance(key, slot, 2)) * SLOT_MS);
    if (ts <= fromTs || ts > toTs) continue;
    trades.push({
      ts,
      takes: chance(key, slot, 3) < 0.5 ? 'bid' : 'ask',
      sizeMicro: drawSize(chance(key, slot, 4)),
    });
  }
  return trades;
}

/** Log-logistic: many small orders, and a few that walk the book. */
function drawSize(unit: number): number {
  const odds = Math.min(0.995, Math.max(0.005, unit));
  const shares = MEDIAN_SHARES * (odds / (1 - odds)) ** (1 / SIZE_SPREAD / 1.5);
  return Math.round(shares * 100) * (MICRO / 100);
}
