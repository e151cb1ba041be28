// Advice as text. The service writes the sentence; the page adds what fits in a row. Pure.

import type { AdviceRecord } from '../api/records.ts';
import { formatCents, formatDayTime, formatProbability, formatUsd } from './format.ts';

export function isActive({ verdict }: Pick<AdviceRecord, 'verdict'>): boolean {
  return verdict !== 'NOTHING';
}

/** For a narrow cell: the same side, shares and price as the sentence. */
export function shortenAdvice(advice: AdviceRecord): string {
  const { verdict, shares, limit_price } = advice;
  if (verdict === 'NOTHING') return describeWait(advice);
  if (verdict === 'EXIT') return `Sell if you hold it, bid ${formatCents(limit_price)}`;
  return `Buy ${shares} ${verdict === 'BUY_NO' ? 'No' : 'Yes'} at ${formatCents(limit_price)} or less`;
}

/** Not a trade now: the price at which it would be one. */
function describeWait({ act_at_side: side, act_at_price: price }: AdviceRecord): string {
  return side === null || price === null ? 'No trade' : `Wait: ${side} ${formatCents(price)}`;
}

/** The price that would make it a trade; null if none would. */
export function describeTrigger({ act_at_side: side, act_at_price: price }: AdviceRecord): string | null {
  return side === null || price === null ? null : `${side} at ${formatCents(price)}`;
}

const EDGES: Record<NonNullable<AdviceRecord['edge_kind']>, string> = {
  fact: 'Fact',
  structure: 'Structure',
  model: 'Model edge',
};

/** Kind of edge, probability, stake and available depth. */
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

/** Since when, what changed then, and until when. */
export function describeStanding({ since_ts, changed_because, valid_while }: AdviceRecord): string {
  const { count_from: from, count_to: to } = valid_while;
  const because = changed_because ? `: ${changed_because}` : '';
  const counts = from === null || to === null ? '' : ` Valid while the count is ${from} to ${to}.`;
  return `Since ${formatDayTime(since_ts)}${because}.${counts}`;
}
