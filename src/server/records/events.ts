// Which events a response lists, and fields shared by several responses.

import { CountBounds, Feeds, MaybeCount, Terms } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { ContractTerms, VenueId } from '../../domain/contract.ts';
import { describeRule } from '../../domain/counting-rule.ts';
import { type FeedName, type FeedStatus, findFeed } from '../../domain/feed.ts';
import { computeDeltas, type MarketEvent } from '../../domain/market-event.ts';
import { boundCount } from '../../state/count-bounds.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import { rowsOf } from './record.ts';

/** When the list of active events next changes with time alone. */
export function nextBoundaryTs(snapshot: AccountSnapshot | undefined, nowTs: number): number {
  let nextTs = Infinity;
  for (const { event } of snapshot?.events ?? []) {
    for (const ts of [event.window.startTs, event.window.endTs]) if (ts > nowTs && ts < nextTs) nextTs = ts;
  }
  return nextTs;
}

/** An event in its account's snapshot. */
export interface EventSource {
  snapshot: AccountSnapshot;
  state: EventState;
  nowTs: number;
}

/** The event of advice, forecasts or positions computed from the snapshot. */
export function findState({ events }: AccountSnapshot, eventId: number): EventState {
  return events.find(({ event }) => event.eventId === eventId)!;
}

const boundsOf = ({ snapshot, state }: EventSource) => boundCount(state, snapshot);

/** Present if it is uncertain whether some posts count. */
export const boundRows = rowsOf<EventSource>()({
  real_counter_low: [CountBounds.real_counter_low, (source) => boundsOf(source)?.low],
  real_counter_high: [CountBounds.real_counter_high, (source) => boundsOf(source)?.high],
});

export const counterRows = rowsOf<EventSource>()({
  market_oracle_counter: [MaybeCount, ({ state }) => state.counters.oracle],
  real_counter: [MaybeCount, ({ state }) => state.counters.real],
  market_ui_counter: [MaybeCount, ({ state }) => state.counters.ui],
  ...boundRows,
});

export const deltaRows = rowsOf<Pick<EventSource, 'state'>>()({
  settlement_delta: [MaybeCount, ({ state }) => computeDeltas(state.counters).settlement],
  display_delta: [MaybeCount, ({ state }) => computeDeltas(state.counters).display],
  internal_delta: [MaybeCount, ({ state }) => computeDeltas(state.counters).internal],
});

/** The contract's venue, counting rule and settlement source. */
export const termRows = rowsOf<Pick<EventSource, 'snapshot' | 'state'>>()({
  venue: [Terms.venue, (source) => termsOf(source)?.venue],
  counting_rule: [Terms.counting_rule, (source) => describeTerms(termsOf(source))],
  settlement_source: [Terms.settlement_source, (source) => termsOf(source)?.settlementSource],
});

/** The event and its contract. */
export const eventRows = rowsOf<Pick<EventSource, 'snapshot' | 'state'>>()({
  event_id: [Type.Integer(), ({ state }) => state.event.eventId],
  event_title: [Type.String(), ({ state }) => state.event.title],
  ...termRows,
});

function termsOf({ snapshot, state }: Pick<EventSource, 'snapshot' | 'state'>): ContractTerms | undefined {
  return state.event.terms ?? snapshot.terms;
}

function describeTerms(terms: ContractTerms | undefined): string | undefined {
  return terms && describeRule(terms.countingRule);
}

export const feedRows = rowsOf<EventSource>()({
  feeds: [Feeds, ({ snapshot, state, nowTs }) => presentFeeds(snapshot, state, nowTs)],
});

/** Post feeds are per account, prices per venue, and oracle and market UI counts per event. */
export function presentFeeds(snapshot: AccountSnapshot, state: EventState, nowTs: number) {
  const venue = state.event.terms?.venue;
  const find = (feed: FeedName, of?: VenueId) => findFeed(snapshot.feeds, feed, of);
  return {
    own: presentFeedOf(snapshot, find('own'), nowTs),
    oracle: presentFeedAge(withTime(find('oracle', venue), state.oracleUpdatedTs), nowTs),
    ui: presentFeedAge(withTime(find('ui'), state.uiUpdatedTs), nowTs),
    prices: presentFeedAge(find('prices', venue), nowTs),
    forecast: presentFeedAge(withTime(find('forecast'), state.forecast?.asofTs ?? null), nowTs),
  };
}

/** Until the backfill is complete, our count is too low even if the feed is fresh. */
export function presentFeedOf(
  { isPastMissing }: AccountSnapshot,
  feed: FeedStatus | undefined,
  nowTs: number,
) {
  const isIncomplete = isPastMissing === true && feed?.feed === 'own';
  return { ...presentFeedAge(feed, nowTs), ...(isIncomplete && { stale: true, incomplete: true }) };
}

function presentFeedAge(feed: FeedStatus | undefined, nowTs: number) {
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

/** The event's market page; null if none is configured. */
export function linkToMarket(
  { marketPageUrl }: { marketPageUrl?: string | null },
  { slug, terms }: Pick<MarketEvent, 'slug' | 'terms'>,
): string | null {
  // Only the first venue has market pages.
  return slug && !terms && marketPageUrl ? `${marketPageUrl}/${encodeURIComponent(slug)}` : null;
}
