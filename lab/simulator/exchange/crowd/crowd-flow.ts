// Market orders of the simulated crowd: when they arrive, which side they take, and their size. Depends only
// on seed and time, so that readers of the tape and owners of orders see the same trades.

import { chance } from '../../chance.ts';
import type { BookSide } from '../matching/order-book.ts';

export interface CrowdTrade {
  ts: number;
  /** The side that it takes: an 'ask' is lifted by a buyer of Yes. */
  takes: BookSide;
  sizeMicro: number;
}

const SLOT_MS = 10_000;
/** The median size in dollars' worth of shares at one half, and how widely sizes differ (log scale). */
const MEDIAN_SHARES = 30;
const SIZE_SPREAD = 1.1;
const MICRO = 1_000_000;

/** After `fromTs`, up to and including `toTs`. */
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

/** Log-logistic: many small ones, a few that walk the book. */
function drawSize(unit: number): number {
  const odds = Math.min(0.995, Math.max(0.005, unit));
  const shares = MEDIAN_SHARES * (odds / (1 - odds)) ** (1 / SIZE_SPREAD / 1.5);
  return Math.round(shares * 100) * (MICRO / 100);
}
