// The exchange's listing of a market: which protocol version it trades under, its tokens, and whether its event
// is disputed. Orders are signed only for a version that is known.

import type { Clock } from '../../../runtime/clock.ts';
import { errorMessage } from '../../../runtime/errors.ts';
import { type AnswerFields, readFields, readFlag, readList, readText } from '../answer-fields.ts';
import type { MarketForm } from './signing/contracts.ts';

export interface Listing extends MarketForm {
  conditionId: string;
  tokenIds: readonly string[];
}

/** Why the venue takes no orders at all, or no purchases; null if it does. */
export interface Refusals {
  refusesOrders: string | null;
  refusesBuys: string | null;
}

export interface Listings {
  /** Throws if the listing cannot be read or its version is unknown. */
  find(tokenId: string): Promise<Listing>;
  /** Never throws. The condition is the one that the order book names. */
  refusals(tokenId: string, conditionId: string): Promise<Refusals>;
}

export interface ListingsOptions {
  gammaUrl: string;
  clock: Clock;
  /** Requests a path of the exchange. */
  get(path: string): Promise<unknown>;
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 4_000;
/** How long an event's dispute status holds. */
const FRESH_MS = 60_000;
const DISPUTED = /disput|challeng/i;

interface ListedEvent {
  readTs: number;
  isDisputed: boolean;
  listings: Map<string, Listing | string>;
}

export function createListings(options: ListingsOptions): Listings {
  const { clock, get, fetch: ask = fetch } = options;
  const conditions = new Map<string, string>();
  const eventIds = new Map<string, string>();
  const events = new Map<string, ListedEvent>();

  async function gamma(path: string): Promise<unknown> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await ask(`${options.gammaUrl}${path}`, { redirect: 'error', signal });
    if (!response.ok) throw new Error(`listing: ${response.status}`);
    return response.json();
  }

  async function conditionOf(tokenId: string): Promise<string> {
    const known = conditions.get(tokenId);
    if (known !== undefined) return known;
    const owner = readFields(await get(`/markets-by-token/${tokenId}`), 'token market');
    const conditionId = readText(owner, 'condition_id');
    conditions.set(tokenId, conditionId);
    return conditionId;
  }

  async function eventIdOf(conditionId: string): Promise<string> {
    const known = eventIds.get(conditionId);
    if (known !== undefined) return known;
    for (const filter of ['', '&closed=true']) {
      const [market] = readList(await gamma(`/markets?condition_ids=${conditionId}${filter}`), 'markets');
      if (market === undefined) continue;
      const [event] = readList(readFields(market, 'market').events, 'events');
      const eventId = readText(readFields(event, 'event'), 'id');
      eventIds.set(conditionId, eventId);
      return eventId;
    }
    throw new Error(`the market ${conditionId} is not listed`);
  }

  async function readEvent(eventId: string): Promise<ListedEvent> {
    const known = events.get(eventId);
    if (known && clock.now() - known.readTs < FRESH_MS) return known;
    const event = toEvent(await gamma(`/events/${eventId}`), clock.now());
    events.set(eventId, event);
    return event;
  }

  async function read(tokenId: string): Promise<{ listing: Listing; event: ListedEvent }> {
    const conditionId = await conditionOf(tokenId);
    const event = await readEvent(await eventIdOf(conditionId));
    const listing = event.listings.get(canonical(conditionId));
    if (listing === undefined) throw new Error(`the market ${conditionId} is not listed in its event`);
    if (typeof listing === 'string') throw new Error(listing);
    if (!listing.tokenIds.includes(tokenId)) throw new Error('the market is listed with other tokens');
    return { listing: { ...listing, conditionId }, event };
  }

  /** Version and tokens never change, so a listing that was read once is enough. */
  function findKnown(tokenId: string): Listing | null {
    const conditionId = conditions.get(tokenId);
    const event = conditionId === undefined ? undefined : events.get(eventIds.get(conditionId) ?? '');
    const listing = event?.listings.get(canonical(conditionId ?? ''));
    const isOurs = typeof listing === 'object' && listing.tokenIds.includes(tokenId);
    return isOurs ? { ...listing, conditionId: conditionId! } : null;
  }

  return {
    find: async (tokenId) => findKnown(tokenId) ?? (await read(tokenId)).listing,
    async refusals(tokenId, conditionId) {
      conditions.set(tokenId, conditionId);
      try {
        const { event } = await read(tokenId);
        return { refusesOrders: null, refusesBuys: event.isDisputed ? 'the event is disputed' : null };
      } catch (error) {
        const reason = errorMessage(error);
        return findKnown(tokenId)
          ? { refusesOrders: null, refusesBuys: `the dispute status is unknown: ${reason}` }
          : { refusesOrders: reason, refusesBuys: reason };
      }
    },
  };
}

function toEvent(value: unknown, readTs: number): ListedEvent {
  const markets = readList(readFields(value, 'event').markets, 'markets').map((one) =>
    readFields(one, 'market'),
  );
  const statusOf = ({ umaResolutionStatus, resolutionStatus }: AnswerFields) =>
    `${String(umaResolutionStatus)} ${String(resolutionStatus)}`;
  return {
    readTs,
    isDisputed: markets.some((market) => DISPUTED.test(statusOf(market))),
    listings: new Map(
      markets.map((market) => [canonical(readText(market, 'conditionId')), toListing(market)]),
    ),
  };
}

/** The listing, or why it cannot be traded. */
function toListing(market: AnswerFields): Listing | string {
  const { version, positionIds, clobTokenIds } = market;
  if (version !== 'v1' && version !== 'v2')
    return `the market's protocol version is unknown (${String(version ?? 'not given')})`;
  const ids: unknown = version === 'v2' ? positionIds : JSON.parse(String(clobTokenIds ?? 'null'));
  return {
    version,
    conditionId: readText(market, 'conditionId'),
    isNegRisk: readFlag(market, 'negRisk'),
    tokenIds: readList(ids, version === 'v2' ? 'positionIds' : 'clobTokenIds').map(String),
  };
}

/** Version 2 conditions are given with 31 bytes or padded to 32. */
function canonical(conditionId: string): string {
  const id = conditionId.toLowerCase();
  return id.length === 64 ? `${id}00` : id;
}
