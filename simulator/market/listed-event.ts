// A listed event of any kind, its markets, and their prices at a given time.

import { chance } from '../chance.ts';
import { makeConditionId, makeConditionIdV2, makeTokenId } from '../platform-ids.ts';

export interface ListedMarket {
  marketId: number;
  /** Position in the event; also its display order. */
  index: number;
  /** groupItemTitle on the wire. */
  label: string;
  question: string;
  slug: string;
  outcomes: readonly [string, string];
  conditionId: string;
  /** Trading ids: CTF tokens, or version 2 position ids. */
  tokenIds: readonly [string, string];
}

export type EventKind = 'count' | 'add-on' | 'archived' | 'mention' | 'updown' | 'above';

/** How an event trades and settles: CTF tokens, or positions of protocol version 2. */
export type ProtocolVersion = 'v1' | 'v2';

export interface ListedEvent {
  eventId: number;
  version: ProtocolVersion;
  kind: EventKind;
  accountId: string | null;
  title: string;
  slug: string;
  description: string;
  image: string;
  listedTs: number;
  /** Start of counting, or of the price window. The market's API has no field for it. */
  startTs: number;
  endTs: number;
  series: { id: string; slug: string; title: string; recurrence: string };
  tags: readonly EventTag[];
  isNegRisk: boolean;
  isArchived: boolean;
  fee: { type: string; rate: number };
  tick: number;
  depthUsd: number;
  halfSpread: number;
  volumeUsd: number;
}

export interface EventTag {
  id: string;
  label: string;
  slug: string;
}

export interface MarketPrice {
  /** Yes side, before rounding to ticks. */
  mid: number;
  bid: number | null;
  ask: number | null;
  last: number;
  /** When the market stopped accepting orders: it settled, or the count passed its bucket. */
  closedTs: number | null;
  /** Index of the winning outcome once known. */
  winner: 0 | 1 | null;
}

/** One family of events: listings, contents and prices. */
export interface EventBook {
  /** Everything listed by `nowTs`, in listing order. */
  list(nowTs: number): readonly ListedEvent[];
  find(eventId: number, nowTs: number): ListedEvent | null;
  markets(event: ListedEvent): readonly ListedMarket[];
  /** One entry per market. */
  prices(event: ListedEvent, ts: number): readonly MarketPrice[];
  /** When the whole event was settled; null while open. */
  settledTs(event: ListedEvent, nowTs: number): number | null;
  /** Count shown on the market page; undefined if there is none. */
  uiCount(event: ListedEvent, ts: number): number | undefined;
  /** The wire's eventMetadata object; undefined if there is none. */
  metadata(event: ListedEvent, ts: number): Record<string, unknown> | undefined;
}

const MARKETS_PER_EVENT = 100;

/** Both protocol versions coexist until the last market of the old one has ended. */
export function versionOf(seedKey: number, eventId: number): ProtocolVersion {
  return chance(seedKey, eventId, 0x2) < 0.5 ? 'v1' : 'v2';
}

export function identify(
  seedKey: number,
  version: ProtocolVersion,
  marketId: number,
): Pick<ListedMarket, 'conditionId' | 'tokenIds'> {
  const conditionId =
    version === 'v1' ? makeConditionId(seedKey, marketId) : makeConditionIdV2(seedKey, marketId);
  return { conditionId, tokenIds: [makeTokenId(seedKey, marketId, 0), makeTokenId(seedKey, marketId, 1)] };
}

export function makeMarketId(eventId: number, index: number): number {
  return eventId * MARKETS_PER_EVENT + index;
}

export function readMarketId(marketId: number): { eventId: number; index: number } {
  return { eventId: Math.floor(marketId / MARKETS_PER_EVENT), index: marketId % MARKETS_PER_EVENT };
}
