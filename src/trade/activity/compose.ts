// What happened, newest first, as one list with one sentence per item: advice given and ended, price
// jumps, counts that disagreed, settlements. Pure; API, page, command line and agents show the same items.

import type { AdviceHappening, Happening, PriceHappening } from '../../domain/happening.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import { centsSign } from '../advice/reasons.ts';

export type ActivityKind =
  | 'advice'
  | 'advice_ended'
  | 'price_jump'
  | 'counts_differ'
  | 'counts_agree'
  | 'settlement';

export interface ActivityItem {
  /** The same for the same item in every response. */
  id: string;
  ts: number;
  kind: ActivityKind;
  accountId: string;
  eventId: number | null;
  bucketLabel: string | null;
  text: string;
}

export interface SettledEvent {
  accountId: string;
  eventId: number;
  finalCount: number;
  winningLabel: string | null;
  revision: number;
  settledTs: number;
}

export interface KnownActivity {
  accountId: string;
  happenings: readonly Happening[];
  settlements: readonly SettledEvent[];
  outcomeOf(advice: AdviceHappening): AdviceOutcome;
}

export function composeActivity(known: KnownActivity, sinceTs: number): ActivityItem[] {
  const items = [
    ...known.settlements.map(describeSettlement),
    ...known.happenings.flatMap((one) => describeHappening(known, one)),
    ...groupJumps(known.happenings.filter((one) => one.kind === 'price')).map(describeJumps),
  ];
  return items.filter(({ ts }) => ts > sinceTs).sort((a, b) => b.ts - a.ts || (a.id < b.id ? -1 : 1));
}

function describeSettlement(settled: SettledEvent): ActivityItem {
  const { accountId, eventId, finalCount, winningLabel, revision, settledTs } = settled;
  const winner = winningLabel === null ? '' : `: ${winningLabel} won`;
  return {
    id: `settlement/${eventId}/${revision}`,
    ...{ ts: settledTs, kind: 'settlement', accountId, eventId, bucketLabel: winningLabel },
    text: `${revision > 1 ? 'Settlement revised to' : 'Settled at'} ${finalCount}${winner}`,
  };
}

function describeHappening(known: KnownActivity, one: Happening): ActivityItem[] {
  if (one.kind === 'price') return [];
  const { accountId, eventId, bucketLabel, fromTs, endedTs } = one;
  const id = `${one.kind}/${eventId}/${bucketLabel}/${fromTs}`;
  const about = { accountId, eventId, bucketLabel: bucketLabel === '' ? null : bucketLabel };
  const [begun, ended] = one.kind === 'advice' ? adviceTexts(known, one) : countsTexts(one.content);
  const [first, last] = one.kind === 'advice' ? ADVICE_KINDS : COUNTS_KINDS;
  return [
    { id, ts: fromTs, kind: first, ...about, text: begun },
    ...(endedTs === null ? [] : [{ id: `${id}/end`, ts: endedTs, kind: last, ...about, text: ended }]),
  ];
}

const ADVICE_KINDS = ['advice', 'advice_ended'] as const;
const COUNTS_KINDS = ['counts_differ', 'counts_agree'] as const;

function adviceTexts({ outcomeOf }: KnownActivity, advice: AdviceHappening): [begun: string, ended: string] {
  const { endedBecause } = advice.content;
  const because = endedBecause === null ? '' : `: ${endedBecause}`;
  return [
    `Advised ${describeRemembered(advice, outcomeOf(advice))}`,
    `Advice on ${nameOrder(advice)} ended${because}`,
  ];
}

function countsTexts({ real, oracle }: { real: number; oracle: number }): [begun: string, ended: string] {
  return [`Counts differ: ours ${real}, oracle ${oracle}`, 'Our count and the oracle agree again'];
}

/** Jumps of an event within this time are one item: a post moves several buckets at once. */
const TOGETHER_MS = MINUTE_MS;

function groupJumps(jumps: readonly PriceHappening[]): PriceHappening[][] {
  const groups: PriceHappening[][] = [];
  const sorted = [...jumps].sort((a, b) => a.eventId - b.eventId || a.endedTs! - b.endedTs!);
  for (const jump of sorted) {
    const [first] = groups.at(-1) ?? [];
    if (first?.eventId === jump.eventId && jump.endedTs! - first.endedTs! <= TOGETHER_MS)
      groups.at(-1)!.push(jump);
    else groups.push([jump]);
  }
  return groups;
}

const MAX_JUMPS_NAMED = 3;

function describeJumps(jumps: readonly PriceHappening[]): ActivityItem {
  const size = ({ content: { fromPrice, toPrice } }: PriceHappening) => Math.abs(toPrice - fromPrice);
  const largest = [...jumps].sort((a, b) => size(b) - size(a));
  const { accountId, eventId, bucketLabel, fromTs } = largest[0]!;
  const moves = largest.slice(0, MAX_JUMPS_NAMED).map(({ bucketLabel: label, content }) => {
    const verb = content.toPrice > content.fromPrice ? 'rose' : 'fell';
    return `${label} ${verb} from ${centsSign(content.fromPrice)} to ${centsSign(content.toPrice)}`;
  });
  const rest = largest.length > MAX_JUMPS_NAMED ? ` and ${largest.length - MAX_JUMPS_NAMED} more moved` : '';
  return {
    id: `price/${eventId}/${bucketLabel}/${fromTs}`,
    ts: Math.max(...jumps.map(({ endedTs }) => endedTs!)),
    ...{ kind: 'price_jump', accountId, eventId, bucketLabel },
    text: `${moves.join(', ')}${rest}`,
  };
}

// Advice as it is remembered: the order, and what became of it.

export interface AdviceOutcome {
  /** active: still advised; open: over, but the event is not settled. */
  state: 'active' | 'open' | 'won' | 'lost';
  /** Market price of the traded side now, or what it paid; null if unknown. */
  price: number | null;
  /** USD per share since the advice, before fees; null if unknown. */
  gainPerShare: number | null;
}

/** `winningLabel` is undefined until the event settles. */
export function judgeAdvice(
  { endedTs, bucketLabel, content }: AdviceHappening,
  priceNow: number | null,
  winningLabel: string | null | undefined,
): AdviceOutcome {
  const { verdict, limitPrice, endPrice } = content;
  const hasPaid = winningLabel !== undefined && (winningLabel === bucketLabel) === (verdict !== 'buy-no');
  const price = winningLabel === undefined ? (priceNow ?? endPrice) : hasPaid ? 1 : 0;
  const gain = price === null ? null : verdict === 'exit' ? limitPrice - price : price - limitPrice;
  const gainPerShare = gain === null ? null : Math.round(gain * 1e6) / 1e6;
  if (winningLabel === undefined) return { state: endedTs === null ? 'active' : 'open', price, gainPerShare };
  return { state: hasPaid === (verdict !== 'exit') ? 'won' : 'lost', price, gainPerShare };
}

/** "Yes 40-49 at 57¢ or less, now 87¢". */
export function describeRemembered(advice: AdviceHappening, { state, price }: AdviceOutcome): string {
  const limit = centsSign(advice.content.limitPrice);
  const order = `${nameOrder(advice)} at ${limit} or ${advice.content.verdict === 'exit' ? 'more' : 'less'}`;
  if (state === 'won' || state === 'lost') return `${order}, ${state}`;
  return price === null ? order : `${order}, now ${centsSign(price)}`;
}

const ORDERS = { 'buy-yes': 'Yes', 'buy-no': 'No', exit: 'selling' } as const;

function nameOrder({ bucketLabel, content }: AdviceHappening): string {
  return `${ORDERS[content.verdict]} ${bucketLabel}`;
}
