// A market event: a window in which posts are counted, and its market's buckets.

import type { AccountId } from './account.ts';
import type { ListedTerms } from './contract.ts';

/** Half-open: a post counts when startTs <= createdTs < endTs. */
export interface CountWindow {
  startTs: number;
  endTs: number;
}

/** An inclusive range of final counts; hi is null for the open top bucket. */
export interface BucketRange {
  lo: number;
  hi: number | null;
}

/** Taker fee per share = rate * (p * (1 - p)) ** exponent. */
export interface FeeSchedule {
  rate: number;
  exponent: number;
}

export interface MarketBucket extends BucketRange {
  /** The market's label, e.g. 200-219, <40, 240+. */
  label: string;
  marketId: string;
  conditionId: string;
  yesTokenId: string;
  noTokenId: string;
  /** False if resolved early or not accepting orders: shown but never traded. */
  isOpen: boolean;
  tickSize: number;
  minOrderShares: number;
  fee: FeeSchedule;
  /** Listed Yes price, used if there is no book. */
  listedPrice: number | null;
}

export interface MarketEvent {
  eventId: number;
  accountId: AccountId;
  title: string;
  slug: string;
  image: string;
  window: CountWindow;
  /** Ascending and contiguous from 0 to the open top. */
  buckets: readonly MarketBucket[];
  isClosed: boolean;
  /** Absent on the account's first venue, where its own rule and oracle apply. */
  terms?: ListedTerms;
}

export function isActiveAt(window: CountWindow, nowTs: number): boolean {
  return window.startTs <= nowTs && nowTs < window.endTs;
}

/** Some contracts trade on after the counted period, while their settlement is awaited. */
export function isTradedAt({ window, terms }: Pick<MarketEvent, 'window' | 'terms'>, nowTs: number): boolean {
  return window.startTs <= nowTs && nowTs < (terms?.tradedUntilTs ?? window.endTs);
}

/** A snapshot's active events, ordered by end, then id. */
export function listActive<State extends { event: MarketEvent }>(
  snapshot: { events: readonly State[] } | undefined,
  nowTs: number,
): State[] {
  return (snapshot?.events ?? [])
    .filter(({ event }) => isActiveAt(event.window, nowTs))
    .sort((a, b) => a.event.window.endTs - b.event.window.endTs || a.event.eventId - b.event.eventId);
}

export function computeSecondsRemaining(endTs: number, nowTs: number): number {
  return Math.max(0, Math.floor((endTs - nowTs) / 1000));
}

export function isInside(window: CountWindow, ts: number): boolean {
  return window.startTs <= ts && ts < window.endTs;
}

// The three counts of an event and the differences between them.

export interface Counters {
  /** Our own count, including deleted captures. null until the post feed has responded once. */
  real: number | null;
  oracle: number | null;
  ui: number | null;
}

export interface CounterDeltas {
  /** real - oracle: positive if we are ahead of the oracle. */
  settlement: number | null;
  /** real - ui: positive if the market's page is behind. */
  display: number | null;
  /** ui - oracle. */
  internal: number | null;
}

export function computeDeltas(counters: Counters): CounterDeltas {
  return {
    settlement: subtract(counters.real, counters.oracle),
    display: subtract(counters.real, counters.ui),
    internal: subtract(counters.ui, counters.oracle),
  };
}

function subtract(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left - right;
}
