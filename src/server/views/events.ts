// Which events a response lists, and fields shared by several responses.

import type { AccountId } from '../../domain/account.ts';
import type { ContractTerms, VenueId } from '../../domain/contract.ts';
import { computeDeltas } from '../../domain/counters.ts';
import { describeRule } from '../../domain/counting-rule.ts';
import { type FeedName, type FeedStatus, findFeed } from '../../domain/feed.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { presentBounds } from '../../state/count-bounds.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';

/** When the list of active events next changes with time alone. */
export function nextBoundaryTs(snapshot: AccountSnapshot | undefined, nowTs: number): number {
  let nextTs = Infinity;
  for (const { event } of snapshot?.events ?? []) {
    for (const ts of [event.window.startTs, event.window.endTs]) if (ts > nowTs && ts < nextTs) nextTs = ts;
  }
  return nextTs;
}

export function presentCounters(state: EventState, isPastMissing = false) {
  return {
    market_oracle_counter: state.counters.oracle,
    real_counter: state.counters.real,
    market_ui_counter: state.counters.ui,
    ...presentBounds(state, isPastMissing),
  };
}

export function presentDeltas(state: EventState) {
  const deltas = computeDeltas(state.counters);
  return {
    settlement_delta: deltas.settlement,
    display_delta: deltas.display,
    internal_delta: deltas.internal,
  };
}

/** Post feeds are per account, prices per venue, and oracle and market UI counts per event. */
export function presentFeeds(snapshot: AccountSnapshot, state: EventState, nowTs: number) {
  const venue = state.event.terms?.venue;
  const find = (feed: FeedName, of?: VenueId) => findFeed(snapshot.feeds, feed, of);
  return {
    own: presentOwn(find('own'), snapshot, nowTs),
    oracle: presentFeedAge(withTime(find('oracle', venue), state.oracleUpdatedTs), nowTs),
    ui: presentFeedAge(withTime(find('ui'), state.uiUpdatedTs), nowTs),
    prices: presentFeedAge(find('prices', venue), nowTs),
    forecast: presentFeedAge(withTime(find('forecast'), state.forecast?.asofTs ?? null), nowTs),
  };
}

/** Until the backfill is complete, the count is too low even if the feed is fresh. */
function presentOwn(feed: FeedStatus | undefined, { isPastMissing }: AccountSnapshot, nowTs: number) {
  const age = presentFeedAge(feed, nowTs);
  return isPastMissing ? { ...age, stale: true } : age;
}

/** An event's feeds by event id; all stale if the event is unknown. */
export function presentFeedsOf(snapshot: AccountSnapshot | undefined, eventId: number, nowTs: number) {
  const state = snapshot?.events.find(({ event }) => event.eventId === eventId);
  if (snapshot && state) return presentFeeds(snapshot, state, nowTs);
  const never = presentFeedAge(undefined, nowTs);
  return { own: never, oracle: never, ui: never, prices: never, forecast: never };
}

export function presentFeedAge(feed: FeedStatus | undefined, nowTs: number) {
  if (!feed || feed.updatedTs === null) return { updated_ts: null, age_s: null, stale: true };
  const ageMs = Math.max(0, nowTs - feed.updatedTs);
  return {
    updated_ts: feed.updatedTs,
    age_s: Math.floor(ageMs / 1000),
    stale: ageMs > feed.staleAfterMs,
    ...presentSource(feed),
  };
}

/** Current source of the feed, and its median delay. */
function presentSource({ source, lagMs }: FeedStatus): { source?: string; lag_s?: number } {
  if (source === undefined) return {};
  return { source, lag_s: Math.round((lagMs ?? 0) / 1000) };
}

function withTime(feed: FeedStatus | undefined, updatedTs: number | null): FeedStatus | undefined {
  return feed && { ...feed, updatedTs };
}

/** The contract's venue, counting rule and settlement source. */
export function presentTerms(
  snapshot: AccountSnapshot | undefined,
  event: Pick<MarketEvent, 'terms'>,
): Partial<ReturnType<typeof presentContract>> {
  const terms = event.terms ?? snapshot?.terms;
  return terms ? presentContract(terms) : {};
}

export function presentContract({ venue, countingRule, settlementSource }: ContractTerms) {
  return { venue, counting_rule: describeRule(countingRule), settlement_source: settlementSource };
}

/** Returns an event's account and terms, for responses about settled events. */
export type PlaceOf = (event: { accountId: AccountId; eventId: number }) => { account: string };

/** An event's terms by event id. */
export function presentTermsOf(snapshot: AccountSnapshot | undefined, eventId: number) {
  const state = snapshot?.events.find(({ event }) => event.eventId === eventId);
  return state ? presentTerms(snapshot, state.event) : {};
}

/** The event's market page; null if none is configured. */
export function linkToMarket(
  { marketPageUrl }: { marketPageUrl?: string | null },
  { slug, terms }: Pick<MarketEvent, 'slug' | 'terms'>,
): string | null {
  // Only the first venue has market pages.
  return slug && !terms && marketPageUrl ? `${marketPageUrl}/${encodeURIComponent(slug)}` : null;
}

/** An event's market page by event id. */
export function linkToMarketOf(
  settings: { marketPageUrl?: string | null },
  snapshot: AccountSnapshot | undefined,
  eventId: number,
): string | null {
  const state = snapshot?.events.find(({ event }) => event.eventId === eventId);
  return state ? linkToMarket(settings, state.event) : null;
}

/** Rounds probabilities and prices for responses. */
export function round6(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}

export function round2(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
