// Turns the crowd's probability into an order book: overround, spread, ticks, depth.

import { chance, hashNumbers } from '../chance.ts';

export interface BookLevel {
  price: number;
  shares: number;
}

/** Both sides best first; the wire reverses them. */
export interface YesBook {
  bids: BookLevel[];
  asks: BookLevel[];
}

export interface BookHabits {
  tick: number;
  halfSpread: number;
  depthUsd: number;
}

/** Sum of a real ladder's mids by hours before the close. */
const SUMS_OF_MIDS = [
  { aheadHours: 17, sum: 0.996 },
  { aheadHours: 65, sum: 0.999 },
  { aheadHours: 89, sum: 1.003 },
  { aheadHours: 113, sum: 1.02 },
  { aheadHours: 161, sum: 1.066 },
  { aheadHours: 233, sum: 1.1 },
] as const;
/** Unlikely buckets have no resting bids to inflate their mids. */
const MIN_INFLATED = 1e-4;

/** Adds half of it proportionally and half evenly, because long shots are the most overpriced. */
export function addOverround(shares: ArrayLike<number>, aheadHours: number): number[] {
  const over = sumOfMids(aheadHours) - 1;
  const all = Array.from(shares);
  const priced = all.filter((share) => share > MIN_INFLATED).length;
  return all.map((share) =>
    share > MIN_INFLATED ? Math.max(0, share * (1 + over / 2) + over / 2 / priced) : share,
  );
}

function sumOfMids(aheadHours: number): number {
  const later = SUMS_OF_MIDS.findIndex((point) => point.aheadHours >= aheadHours);
  if (later <= 0) return SUMS_OF_MIDS.at(later)!.sum;
  const [from, to] = [SUMS_OF_MIDS[later - 1]!, SUMS_OF_MIDS[later]!];
  const share = (aheadHours - from.aheadHours) / (to.aheadHours - from.aheadHours);
  return from.sum + share * (to.sum - from.sum);
}

export function quoteAround(mid: number, habits: BookHabits): { bid: number | null; ask: number | null } {
  const half = Math.max(
    habits.tick / 2,
    habits.halfSpread * (0.1 + 1.8 * Math.sqrt(Math.max(0, mid * (1 - mid)))),
  );
  const bid = roundTo(Math.floor((mid - half) / habits.tick + 1e-9) * habits.tick);
  const ask = roundTo(Math.ceil((mid + half) / habits.tick - 1e-9) * habits.tick);
  return {
    bid: bid < habits.tick - 1e-9 ? null : Math.min(bid, roundTo(1 - 2 * habits.tick)),
    ask: ask > 1 - habits.tick + 1e-9 ? null : Math.max(ask, roundTo(2 * habits.tick)),
  };
}

/**
 * The best price, then the cents beyond it. A level's size depends on its price, so it stays the same while
 * the market moves.
 */
export function buildYesBook(
  key: number,
  bid: number | null,
  ask: number | null,
  habits: BookHabits,
  hour: number,
): YesBook {
  return {
    bids: bid === null ? [] : buildSide(hashNumbers(key, 1, hour), bid, -1, habits),
    asks: ask === null ? [] : buildSide(hashNumbers(key, 2, hour), ask, 1, habits),
  };
}

function buildSide(key: number, best: number, step: 1 | -1, habits: BookHabits): BookLevel[] {
  const levels = [makeLevel(key, best, habits)];
  let cents = step > 0 ? Math.floor(best * 100 + 1e-9) + 1 : Math.ceil(best * 100 - 1e-9) - 1;
  for (; levels.length < 7 && cents > 0 && cents < 100; cents += step) {
    levels.push(makeLevel(key, cents / 100, habits));
  }
  return levels;
}

function makeLevel(key: number, price: number, habits: BookHabits): BookLevel {
  const unit = chance(key, Math.round(price * 10000));
  const shares = (habits.depthUsd * (0.3 + 1.4 * unit)) / Math.max(0.02, price);
  return { price: roundTo(price), shares: Math.round(Math.max(5, shares) * 100) / 100 };
}

/** The No side mirrors the Yes side: a bid for one is an offer of the other. */
export function mirrorBook(book: YesBook): YesBook {
  const mirror = (level: BookLevel) => ({ price: roundTo(1 - level.price), shares: level.shares });
  return { bids: book.asks.map(mirror), asks: book.bids.map(mirror) };
}

export function roundTo(price: number): number {
  return Math.round(price * 1e4) / 1e4;
}
