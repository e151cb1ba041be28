// Formats advice. The service writes the sentence; the page adds details that fit in a row. Pure.

import type { AdviceRecord, SignalRecord } from '../api/records.ts';
import { formatCents, formatDayTime, formatProbability, formatUsd } from './format.ts';

export function isActive({ verdict }: Pick<AdviceRecord, 'verdict'>): boolean {
  return verdict !== 'NOTHING';
}

/** Shortens the sentence for a narrow cell, with the same side, shares and price. */
export function shortenAdvice(advice: AdviceRecord): string {
  const { verdict, shares, limit_price } = advice;
  if (verdict === 'NOTHING') return describeWait(advice);
  if (verdict === 'EXIT') return `Sell if you hold it, bid ${formatCents(limit_price)}`;
  return `Buy ${shares} ${verdict === 'BUY_NO' ? 'No' : 'Yes'} at ${formatCents(limit_price)} or less`;
}

/** If there is no trade now, shows the price that would trigger one. */
function describeWait({ act_at_side: side, act_at_price: price }: AdviceRecord): string {
  return side === null || price === null ? 'No trade' : `Wait: ${side} ${formatCents(price)}`;
}

/** Returns the price that would trigger a trade; null if no price would. */
export function describeTrigger({ act_at_side: side, act_at_price: price }: AdviceRecord): string | null {
  return side === null || price === null ? null : `${side} at ${formatCents(price)}`;
}

export interface NearTrade {
  bucket: string;
  side: 'Yes' | 'No';
  /** Market price of that side, and the price at or below which it would be bought. */
  price: number;
  actAt: number;
  gap: number;
  reason: string;
}

type Near = Pick<SignalRecord, 'bucket' | 'market_price'> & { advice: AdviceRecord };

/** A share that can gain less is not worth waiting for. */
const MAX_WAIT_PRICE = 0.95;

/**
 * Buckets without a trade that some price would make one, by the share that the price would have to fall: a cent
 * is little for a share of 60 cents, and everything for one of 1 cent.
 */
export function findNearest(signals: readonly Near[]): NearTrade[] {
  return signals
    .flatMap(({ bucket, market_price, advice }): NearTrade[] => {
      const { act_at_side: side, act_at_price: actAt, abstain_reason: reason } = advice;
      if (isActive(advice) || side === null || actAt === null || market_price === null) return [];
      const price = side === 'Yes' ? market_price : 1 - market_price;
      if (price > MAX_WAIT_PRICE) return [];
      return [{ bucket, side, price, actAt, gap: price - actAt, reason: reason ?? '' }];
    })
    .sort(byShareToFall);
}

export function byShareToFall(left: NearTrade, right: NearTrade): number {
  return left.gap / left.price - right.gap / right.price;
}

const EDGES: Record<NonNullable<AdviceRecord['edge_kind']>, string> = {
  fact: 'Fact',
  structure: 'Structure',
  model: 'Model edge',
};

/** Describes the kind of edge, probability, stake and available depth. */
export function describeTrade(advice: AdviceRecord): string {
  const { edge_kind, win_probability, win_probability_low, stake, fillable_usd } = advice;
  return [
    edge_kind ? EDGES[edge_kind] : null,
    `win probability ${formatProbability(win_probability)}, at least ${formatProbability(win_probability_low)}`,
    stake > 0 ? `${formatUsd(stake)} stake` : null,
    fillable_usd === null ? null : `${formatUsd(fillable_usd)} fillable`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

/** Describes when the advice started, what changed then, and how long it stays valid. */
export function describeStanding({ since_ts, changed_because, valid_while }: AdviceRecord): string {
  const { count_from: from, count_to: to } = valid_while;
  const because = changed_because ? `: ${changed_because}` : '';
  const counts = from === null || to === null ? '' : ` Valid while the count is ${from} to ${to}.`;
  return `Since ${formatDayTime(since_ts)}${because}.${counts}`;
}
