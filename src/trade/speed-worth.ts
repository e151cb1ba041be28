// What a faster source is worth: dollars paid, after the count had decided a bucket, at prices that contradict
// the count. A reader of posts with this delay could have been on the other side of those trades.

import type { BucketRange, CountWindow } from '../domain/market-event.ts';
import { SECOND_MS } from '../domain/units.ts';

export const SPEED_DELAYS_S = [1, 5, 11.5, 30, 60, 300] as const;

/** A trade as the venue reports it; `ts` is a whole second. */
export interface SpeedTrade {
  ts: number;
  /** Index of the event's bucket. */
  bucket: number;
  side: 'yes' | 'no';
  price: number;
  shares: number;
}

export interface TradedEvent {
  window: CountWindow;
  buckets: readonly BucketRange[];
  /** Creation times of the counted posts in the window, ascending. */
  countedTs: ArrayLike<number>;
  /** Index of the paid bucket; null if unknown. */
  winner: number | null;
  trades: readonly SpeedTrade[];
}

export interface SpeedWorth {
  events: number;
  /** Buckets decided by the count, and those among them that the venue paid nevertheless (not in the sums). */
  decided: number;
  overruled: number;
  /** In the order of SPEED_DELAYS_S: trades at contradicting prices from then on, and what they cost. */
  trades: number[];
  usd: number[];
}

/** Prices closer than this to 0 or 1 do not contradict. */
const MIN_CONTRADICTION = 0.01;

export function measureSpeedWorth(event: TradedEvent): SpeedWorth {
  const worth = emptyWorth();
  worth.events = 1;
  const decided = findDecided(event);
  for (const fact of decided) {
    worth.decided += fact === null ? 0 : 1;
    if (fact?.isOverruled) worth.overruled += 1;
  }
  for (const trade of event.trades) {
    const fact = decided[trade.bucket];
    if (!fact || fact.isOverruled) continue;
    const yesPrice = trade.side === 'yes' ? trade.price : 1 - trade.price;
    const gap = fact.isWinner ? 1 - yesPrice : yesPrice;
    if (gap <= MIN_CONTRADICTION) continue;
    SPEED_DELAYS_S.forEach((delayS, k) => {
      if (trade.ts < fact.ts + delayS * SECOND_MS) return;
      worth.trades[k]! += 1;
      worth.usd[k]! += gap * trade.shares;
    });
  }
  return worth;
}

export function addWorths(worths: readonly Summand[]): SpeedWorth {
  const sum = emptyWorth();
  for (const { events, decided, overruled, trades, usd } of worths) {
    sum.events += events;
    sum.decided += decided;
    sum.overruled += overruled;
    SPEED_DELAYS_S.forEach((_, k) => {
      sum.trades[k]! += trades[k] ?? 0;
      sum.usd[k]! += usd[k] ?? 0;
    });
  }
  return sum;
}

type Summand = Omit<SpeedWorth, 'trades' | 'usd'> & { trades: readonly number[]; usd: readonly number[] };

function emptyWorth(): SpeedWorth {
  const zeros = () => SPEED_DELAYS_S.map(() => 0);
  return { events: 0, decided: 0, overruled: 0, trades: zeros(), usd: zeros() };
}

interface Decided {
  ts: number;
  isWinner: boolean;
  isOverruled: boolean;
}

/** A bucket is lost when the count passes it; at the end of the window, all others are decided too. */
function findDecided({ window, buckets, countedTs, winner }: TradedEvent): (Decided | null)[] {
  const passedTs = listPassedTs(buckets, countedTs);
  return buckets.map(({ lo }, i) => {
    const isWinner = passedTs[i] === null && countedTs.length >= lo;
    if (winner === null && passedTs[i] === null) return null;
    const isOverruled = winner !== null && isWinner !== (winner === i);
    return { ts: passedTs[i] ?? window.endTs, isWinner, isOverruled };
  });
}

/** Creation times of the counted posts in a window. `createdTs` is ascending. */
export function listCountedTs(
  { createdTs, isCounted }: { createdTs: Float64Array; isCounted: ArrayLike<number> },
  { startTs, endTs }: CountWindow,
): Float64Array {
  return createdTs.filter((ts, i) => isCounted[i] === 1 && ts >= startTs && ts < endTs);
}

/** Time of the post that took the count past each bucket; null for buckets at or above the count. */
export function listPassedTs(
  buckets: readonly BucketRange[],
  countedTs: ArrayLike<number>,
): (number | null)[] {
  return buckets.map(({ hi }) => (hi === null ? null : (countedTs[hi] ?? null)));
}
