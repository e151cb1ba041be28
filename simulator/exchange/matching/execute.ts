// Order types: how much of an incoming order trades immediately, how much rests, or why it is rejected.

import { sharesMicroFor } from '../../../src/domain/units.ts';
import type { Demand, Match, OrderBook } from './order-book.ts';

export type OrderType = 'GTC' | 'GTD' | 'FOK' | 'FAK';

export interface Incoming extends Demand {
  type: OrderType;
  isPostOnly: boolean;
  /** Whether the order is worth less than a purchase that trades at once must be. */
  isBelowDollar?: boolean;
}

export type Refusal = 'post-only-crosses' | 'below-a-dollar' | 'fok-not-filled' | 'fak-no-match';

export interface Execution {
  matches: Match[];
  /** Size that stays on the book. */
  restMicro: number;
  refusal: Refusal | null;
}

/** A budget counts as spent when less than this is left, because shares rarely divide it evenly. */
const SPENT_MICRO = 10_000;

export function execute(book: OrderBook, incoming: Incoming): Execution {
  const matches = book.match(incoming);
  if (incoming.isPostOnly && matches.length > 0) return refuse('post-only-crosses');
  if (incoming.isBelowDollar && matches.length > 0) return refuse('below-a-dollar');
  if (incoming.type === 'FOK' && !isFilled(incoming, matches)) return refuse('fok-not-filled');
  if (incoming.type === 'FAK' && matches.length === 0) return refuse('fak-no-match');
  const rests = incoming.type === 'GTC' || incoming.type === 'GTD';
  return { matches, restMicro: rests ? restOf(incoming, matches) : 0, refusal: null };
}

/** What was not spent rests at the limit. */
function restOf(incoming: Incoming, matches: readonly Match[]): number {
  if (incoming.budgetMicro === undefined || matches.length === 0) return incoming.sizeMicro - total(matches);
  const limitPips = incoming.costPips?.(incoming.limitPips) ?? incoming.limitPips;
  return sharesMicroFor(incoming.budgetMicro - Math.ceil(spent(incoming, matches)), limitPips);
}

function isFilled(incoming: Incoming, matches: readonly Match[]): boolean {
  if (incoming.budgetMicro === undefined) return total(matches) === incoming.sizeMicro;
  return incoming.budgetMicro - spent(incoming, matches) < SPENT_MICRO;
}

function spent({ costPips }: Incoming, matches: readonly Match[]): number {
  return matches.reduce(
    (sum, { pricePips, sizeMicro }) => sum + (sizeMicro * (costPips?.(pricePips) ?? pricePips)) / 10_000,
    0,
  );
}

function total(matches: readonly Match[]): number {
  return matches.reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
}

function refuse(refusal: Refusal): Execution {
  return { matches: [], restMicro: 0, refusal };
}
