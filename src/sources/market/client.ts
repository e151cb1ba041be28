// Finds one account's open and settled events in the market's listing API, by tag or series.

import type { Account, MarketScope } from '../../domain/account.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { giveWay } from '../../runtime/turns.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import { isStopped } from '../retry.ts';
import type {
  MarketListing,
  MarketSource,
  OracleTracking,
  RejectedEvent,
  SettledListing,
} from '../source.ts';
import { createEventListing, type EventListing, type Selection } from './listing.ts';
import {
  fetchPayouts,
  findClosedTs,
  findPriceAlarm,
  findWinningLabel,
  hasWholeLadder,
  type Payouts,
  parseListedQuotes,
  parseMarketEvent,
} from './parse.ts';
import type { ListedEventWire } from './wire.ts';
import { readListedEvent, unexpectedShape } from './wire.ts';

// Tracks which bucket of each event paid, rereading until the platform's record is final.

interface WinnerBook {
  /** Reads results that are not final yet. Returns why some remain unknown; null if all records were read. */
  read(events: readonly ListedEventWire[], signal: AbortSignal): Promise<string | null>;
  find(event: ListedEventWire): string | null;
}

const NOTHING: Payouts = new Map();

function createWinnerBook(data: HttpTransport): WinnerBook {
  const winners = new Map<number, string>();

  function note(events: readonly ListedEventWire[], payouts: Payouts): void {
    for (const event of events) {
      const label = findWinningLabel(event, payouts);
      if (label !== null) winners.set(event.id, label);
    }
  }

  return {
    async read(events, signal) {
      note(events, NOTHING);
      const open = events.filter(({ id }) => !winners.has(id));
      if (open.length === 0) return null;
      try {
        const ids = open.map(({ id }) => id);
        note(open, await fetchPayouts(data, ids, signal));
        return null;
      } catch (error) {
        if (isStopped(signal)) throw error;
        return `resolutions of ${open.length} event(s) cannot be read: ${errorMessage(error)}`;
      }
    },
    find: ({ id }) => winners.get(id) ?? null,
  };
}

export interface MarketSourceOptions {
  account: Account;
  scope: MarketScope;
  gamma: HttpTransport;
  /** Serves the resolution records. */
  data: HttpTransport;
  clock: Clock;
}

/** The market's tag for post-count markets. */
const COUNT_MARKETS_TAG_ID = '972';

export function createMarketSource(options: MarketSourceOptions): MarketSource {
  const listing = createEventListing(options.gamma);
  const winners = createWinnerBook(options.data);
  return {
    fetchEvents: async (trackings, signal) =>
      listOpen(options, await fetchScoped(options, listing, { closed: false }, signal), trackings),
    fetchSettled: async (sinceTs, signal) => {
      const query = { closed: true, end_date_min: new Date(sinceTs).toISOString() };
      const fetched = await fetchScoped(options, listing, query, signal);
      const problem = await winners.read(fetched.events, signal);
      return { ...(await listSettled(options, fetched, sinceTs, winners.find)), problem };
    },
  };
}

interface Fetched {
  events: ListedEventWire[];
  unreadable: number;
  ageMs: number;
}

async function listOpen(
  options: MarketSourceOptions,
  fetched: Fetched,
  trackings: readonly OracleTracking[],
): Promise<MarketListing> {
  const asofTs = options.clock.now() - fetched.ageMs;
  const listing: MarketListing = {
    events: [],
    uiCounts: new Map(),
    quotes: [],
    rejected: unreadableAsRejected(fetched),
    conflicts: [],
    asofTs,
    alarms: [],
    missed: [],
    oddities:
      fetched.unreadable > 0 ? [`${fetched.unreadable} listed event(s) have no id, title or slug`] : [],
  };
  for (const wire of fetched.events) {
    await giveWay();
    const parsed = parseWanted(options, wire, trackings);
    if ('reason' in parsed) {
      listing.rejected.push({ eventId: wire.id, title: wire.title, reason: parsed.reason });
      reportMissed(wire, parsed.reason, listing);
      continue;
    }
    listing.events.push(parsed.event);
    listing.oddities.push(...parsed.oddities.map((oddity) => `'${wire.title}': ${oddity}`));
    listing.uiCounts.set(wire.id, wire.tweetCount);
    listing.quotes.push(...parseListedQuotes(wire, asofTs));
    const alarm = findPriceAlarm(wire);
    if (alarm) listing.alarms.push(alarm);
    for (const conflict of parsed.conflicts) {
      listing.conflicts.push({ eventId: wire.id, title: wire.title, conflict });
    }
  }
  listing.events.sort(
    (left, right) => left.window.endTs - right.window.endTs || left.eventId - right.eventId,
  );
  return listing;
}

async function listSettled(
  options: MarketSourceOptions,
  fetched: Fetched,
  sinceTs: number,
  findWinner: (wire: ListedEventWire) => string | null,
): Promise<Omit<SettledListing, 'problem'>> {
  const listing: Omit<SettledListing, 'problem'> = {
    settled: [],
    rejected: unreadableAsRejected(fetched),
  };
  for (const wire of fetched.events) {
    await giveWay();
    const parsed = parseWanted(options, wire, []);
    if ('reason' in parsed) {
      listing.rejected.push({ eventId: wire.id, title: wire.title, reason: parsed.reason });
    } else if (parsed.event.window.endTs >= sinceTs) {
      listing.settled.push({
        event: parsed.event,
        winningLabel: findWinner(wire),
        closedTs: findClosedTs(wire),
        uiCount: wire.tweetCount,
      });
    }
  }
  listing.settled.sort((left, right) => left.event.window.endTs - right.event.window.endTs);
  return listing;
}

function parseWanted(
  options: MarketSourceOptions,
  wire: ListedEventWire,
  trackings: readonly OracleTracking[],
): ReturnType<typeof parseMarketEvent> {
  const exclusion = findExclusion(wire);
  return exclusion ? { reason: exclusion } : parseMarketEvent(wire, options.account, trackings);
}

/** Reports an event that is skipped although it looks relevant. */
function reportMissed(wire: ListedEventWire, reason: string, listing: MarketListing): void {
  // An event that was just listed may not have its markets yet.
  const isTraded = wire.markets.some((market) => market.isAcceptingOrders && !market.isClosed);
  if (wire.isClosed || !(isTraded || wire.unreadableMarkets > 0)) return;
  const text = `'${wire.title}' is not followed: ${reason}`;
  if (findExclusion(wire) === null) listing.missed.push(text);
  // The title does not look like a count market, but the buckets form a ladder of counts.
  else if (reason === NO_COUNT_MARKET && hasWholeLadder(wire)) listing.oddities.push(text);
}

function unreadableAsRejected(fetched: Fetched): RejectedEvent[] {
  if (fetched.unreadable === 0) return [];
  const title = `${fetched.unreadable} listed event(s)`;
  return [{ eventId: null, title, reason: 'no id, title or slug' }];
}

/** A prefix cannot be queried, so we search all post-count markets for matching events. */
function selectionsOf({ tagId, seriesSlugs, slugPrefix }: MarketScope): Selection[] {
  if (tagId !== null) return [{ tagId }];
  const bySeries = seriesSlugs.map((seriesSlug) => ({ seriesSlug }));
  return slugPrefix === null ? bySeries : [...bySeries, { tagId: COUNT_MARKETS_TAG_ID }];
}

/** The API ignores unknown filters, so the scope is checked again here. */
async function fetchScoped(
  options: MarketSourceOptions,
  listing: EventListing,
  query: Query,
  signal: AbortSignal,
): Promise<Fetched> {
  const { scope } = options;
  const selections = selectionsOf(scope);
  const byId = new Map<number, ListedEventWire>();
  let unreadable = 0;
  let readable = 0;
  let oldestMs = 0;
  for (const selection of selections) {
    const { events, ageMs } = await listing.fetchAll(selection, query, signal);
    oldestMs = Math.max(oldestMs, ageMs);
    for (const value of events) {
      // A page of ladders takes tens of milliseconds to read.
      await giveWay();
      const event = readListedEvent(value);
      if (event) readable += 1;
      else unreadable += 1;
      if (event && isInScope(event, scope)) byId.set(event.id, event);
    }
  }
  if (unreadable > 0 && readable === 0) throw unexpectedShape('every listed event (id, title, slug)');
  return { events: [...byId.values()], unreadable, ageMs: oldestMs };
}

const ADD_ON_SUFFIX =
  /-(?:higher|lower)-(?:brackets|options|strikes)(?:-\d+)?$|-(?:strikes|brackets)-of-\d+$|-\d+-(?:strikes|brackets)$|-continued$/;

function isInScope(event: ListedEventWire, scope: MarketScope): boolean {
  const isOfSeries = event.seriesSlugs.some((slug) => scope.seriesSlugs.includes(slug));
  return isOfSeries || (scope.slugPrefix !== null && event.slug.startsWith(scope.slugPrefix));
}

/** Reason given for an event in the account's series that is not titled like a post-count market. */
const NO_COUNT_MARKET = 'not a post-count market';

/** Why an event in the account's scope is not a count market; null if it is. */
function findExclusion(event: ListedEventWire): string | null {
  if (event.isArchived || event.slug.startsWith('arch-')) return 'an archived duplicate';
  if (ADD_ON_SUFFIX.test(event.slug)) return 'an add-on to another event';
  if (/\bmentions?\b/i.test(event.title) || /-mentions?(-|$)/.test(event.slug)) return 'a word market';
  if (/#\s*(?:[\w' ]{0,40}?)(?:tweets|posts|truths)\b/i.test(event.title)) return null;
  return /-of-(?:[a-z-]{0,40}?)(?:tweets|posts|truths)(-|$)/.test(event.slug) ? null : NO_COUNT_MARKET;
}
