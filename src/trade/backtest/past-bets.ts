// What the rules would have bet on a settled ladder, from its hourly forecasts and prices.

import type { AccountId } from '../../domain/account.ts';
import type { VenueId } from '../../domain/contract.ts';
import type { CountWindow, MarketBucket } from '../../domain/market-event.ts';
import type { SettledBet } from '../rules/judge.ts';
import { isChosenOn, type LadderMoment, type Rule, slotAt, toMoment } from '../rules/rule.ts';
import type { PricedBucket } from '../types.ts';
import { toPricedBucket } from './past-ladder.ts';

export interface SettledLadder {
  eventId: number;
  accountId: AccountId;
  venue: VenueId;
  window: CountWindow;
  buckets: readonly MarketBucket[];
  /** Index of the bucket that paid. */
  winner: number;
}

interface LadderPoint {
  asofTs: number;
  bucketProbabilities: readonly number[];
  marketPrices: readonly (number | null)[];
}

/** Past prices are midpoints without a book. */
const HALF_SPREAD = 0.01;

/** `points`: ascending; one look a day. */
export function findPastBets(
  rule: Rule,
  ladder: SettledLadder,
  points: readonly LadderPoint[],
): SettledBet[] {
  const { eventId, window, buckets, winner } = ladder;
  const { endTs } = window;
  if (isChosenOn(rule, { ...ladder, endTs })) return [];
  const bySlot = new Map<number, LadderPoint>();
  for (const point of points) {
    const slot = slotAt(rule, point.asofTs);
    const isPriced = point.marketPrices.some((price) => price !== null);
    if (slot !== null && isPriced && !bySlot.has(slot)) bySlot.set(slot, point);
  }
  return [...bySlot.values()].flatMap((point) =>
    rule.findBets(recallMoment(ladder, point)).map((bet): SettledBet => {
      const hasHit = bet.bucketLabel === buckets[winner]?.label;
      return { ...bet, eventId, endTs, won: bet.side === 'No' ? !hasHit : hasHit };
    }),
  );
}

function recallMoment({ window, buckets }: SettledLadder, point: LadderPoint): LadderMoment {
  const { asofTs, bucketProbabilities, marketPrices } = point;
  const priced = buckets.map((bucket, i): PricedBucket => {
    const price = marketPrices[i] ?? null;
    const terms = { ...bucket, modelProbability: bucketProbabilities[i] ?? 0 };
    if (price === null) return { ...terms, isOpen: false, marketPrice: null, yesQuote: null, noQuote: null };
    const { label, lo, hi, fee } = bucket;
    const bare = { label, lo, hi, price, ask: null, bid: null, size: null };
    const past = toPricedBucket(bare, 0, { fee, halfSpread: HALF_SPREAD }, asofTs);
    return { ...past, ...terms, isOpen: past.isOpen };
  });
  const moment = toMoment({ ...window, buckets: priced }, asofTs);
  return { ...moment, mids: priced.map(({ marketPrice }) => marketPrice) };
}
