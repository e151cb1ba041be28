// Converts a listed event to a market event with its window and ladder, or returns why it cannot.

import type { Account } from '../../domain/account.ts';
import { compareBuckets, findLadderProblem, parseBucketLabel } from '../../domain/bucket-label.ts';
import { resolveWindow } from '../../domain/count-window.ts';
import type { BucketRange, MarketBucket, MarketEvent } from '../../domain/market-event.ts';
import type { Quote } from '../../domain/quote.ts';
import type { HttpTransport } from '../http-transport.ts';
import { findTracking } from '../join-trackings.ts';
import { chunk } from '../retry.ts';
import type { OracleTracking } from '../source.ts';
import { asArray, asRecord, readConditionId, readName, toNumber } from '../wire-reader.ts';
import { type ListedEventWire, type ListedMarketWire, unexpectedShape } from './wire.ts';

export type ParsedEvent =
  | { event: MarketEvent; conflicts: string[]; oddities: string[] }
  | { reason: string };

const DEFAULT_TICK_SIZE = 0.001;
const DEFAULT_MIN_ORDER_SHARES = 5;
const NO_FEE = { rate: 0, exponent: 1 };
/** Proposed and disputed outcomes may still change. */
const FINAL_UMA_STATUS: ReadonlySet<string> = new Set(['resolved', 'settled']);

export function parseMarketEvent(
  wire: ListedEventWire,
  account: Account,
  trackings: readonly OracleTracking[],
): ParsedEvent {
  const ladder = parseLadder(wire);
  if (typeof ladder === 'string') return { reason: ladder };
  const tracking = findTracking({ slug: wire.slug, window: null }, trackings);
  const { window, conflicts } = resolveWindow({
    rules: wire.description,
    title: wire.title,
    slug: wire.slug,
    listedEndTs: wire.endTs,
    trackingWindow: tracking?.window ?? null,
    timeZone: account.marketTimeZone,
  });
  if (!window) return { reason: `its window is unclear (${conflicts.join('; ') || 'no dates found'})` };
  const event: MarketEvent = {
    eventId: wire.id,
    accountId: account.accountId,
    title: wire.title,
    slug: wire.slug,
    image: wire.image,
    window,
    buckets: ladder.buckets,
    isClosed: wire.isClosed,
  };
  return { event, conflicts, oddities: ladder.oddities };
}

interface Ladder {
  buckets: MarketBucket[];
  /** Elements that are not a bucket; the ladder is complete without them. */
  oddities: string[];
}

/** One unreadable element does not drop the event if the remaining buckets cover every count exactly once. */
function parseLadder(wire: ListedEventWire): Ladder | string {
  const oddities =
    wire.unreadableMarkets > 0 ? [`${wire.unreadableMarkets} of its markets cannot be read`] : [];
  if (wire.markets.some(({ feeProblem, isClosed }) => feeProblem === 'missing' && !isClosed))
    oddities.push('fees apply but no schedule is given: costs exclude them');
  const rungs: Rung[] = [];
  for (const market of wire.markets) {
    const label = market.label || labelFromSlug(market, wire);
    if (!market.label && wire.markets.some((other) => other.label))
      oddities.push(`label is missing; its slug says '${label.slice(0, 40)}'`);
    const range = parseBucketLabel(label);
    if (range) rungs.push({ market, label, range });
    else if (!isSpare(market)) oddities.push(`label '${label.slice(0, 40)}' is not a range of counts`);
  }
  const buckets = dropReplaced(rungs).map(({ market, label, range }) => toBucket(market, label, range));
  buckets.sort(compareBuckets);
  const problem = findLadderProblem(buckets);
  return problem === null ? { buckets, oddities } : [...oddities, problem].join('; ');
}

/** Whether the event's markets form a ladder of counts, regardless of its title. */
export function hasWholeLadder(wire: ListedEventWire): boolean {
  return typeof parseLadder(wire) !== 'string';
}

interface Rung {
  market: ListedMarketWire;
  label: string;
  range: BucketRange;
}

/** A bucket that was closed and relisted appears twice; keep the open one. */
function dropReplaced(rungs: readonly Rung[]): Rung[] {
  const isTwin = (one: Rung, other: Rung) =>
    one !== other && one.range.lo === other.range.lo && one.range.hi === other.range.hi;
  return rungs.filter(
    (rung) => !rung.market.isClosed || !rungs.some((other) => isTwin(rung, other) && !other.market.isClosed),
  );
}

/** Old events have no labels; the market's slug ends in one: '…-280-299', '…-240-plus'. */
function labelFromSlug(market: ListedMarketWire, wire: ListedEventWire): string {
  return market.slug.startsWith(`${wire.slug}-`) ? market.slug.slice(wire.slug.length + 1) : '';
}

/** Reserved for a later outcome: listed, but not tradable. */
function isSpare(market: ListedMarketWire): boolean {
  return market.tokenIds.length === 0 && !market.isAcceptingOrders;
}

/** Keep a market without tokens, closed to trading: its event still has a count. */
function toBucket(market: ListedMarketWire, label: string, range: BucketRange): MarketBucket {
  const { yes, no } = sideIndexes(market);
  const hasTokens = market.tokenIds.length === 2;
  return {
    label,
    lo: range.lo,
    hi: range.hi,
    marketId: market.id,
    conditionId: market.conditionId,
    yesTokenId: market.tokenIds[yes] ?? '',
    noTokenId: market.tokenIds[no] ?? '',
    isOpen: hasTokens && !market.isClosed && market.isAcceptingOrders && market.feeProblem !== 'unreadable',
    tickSize: market.tickSize ?? DEFAULT_TICK_SIZE,
    minOrderShares: market.minOrderShares ?? DEFAULT_MIN_ORDER_SHARES,
    fee: market.feeSchedule ?? NO_FEE,
    listedPrice: market.outcomePrices[yes] ?? null,
  };
}

/** Yes usually comes first; otherwise the outcome names decide. */
function sideIndexes(market: ListedMarketWire): { yes: number; no: number } {
  return /^no$/i.test(market.outcomes[0] ?? '') ? { yes: 1, no: 0 } : { yes: 0, no: 1 };
}

/** The listed Yes quote: it has no depth but is always available. */
export function parseListedQuotes(wire: ListedEventWire, observedTs: number): Quote[] {
  return wire.markets
    .filter((market) => market.tokenIds.length === 2 && !market.isClosed)
    .map((market) => ({
      tokenId: market.tokenIds[sideIndexes(market).yes]!,
      bid: market.bestBid,
      ask: market.bestAsk,
      bidShares: null,
      askShares: null,
      lastTradePrice: market.lastTradePrice,
      observedTs,
    }));
}

/** Why the prices of a listed event cannot be read; null if they can. */
export function findPriceAlarm(
  wire: ListedEventWire,
  effect = 'its prices cannot be read, so it gets no advice',
): string | null {
  const unknown = wire.markets.find((market) => market.version === null);
  if (unknown) {
    const stated = unknown.statedVersion === null ? 'no protocol version' : `'${unknown.statedVersion}'`;
    return `'${wire.title}' states ${stated.slice(0, 40)}: ${effect}`;
  }
  if (wire.markets.some(({ feeProblem, isClosed }) => feeProblem === 'unreadable' && !isClosed))
    return `'${wire.title}' has a fee schedule of an unknown form: ${effect}`;
  const unusable = wire.markets.find((market) => market.hasUnusableIds && !market.isClosed);
  return unusable ? `'${wire.title}' has trading ids of an unknown form: ${effect}` : null;
}

/** The bucket with a full Yes payout; null unless exactly one has it. */
export function findWinningLabel(wire: ListedEventWire, payouts: Payouts): string | null {
  const winners = wire.markets.filter((market) => hasPaidYes(market, payouts));
  const winner = winners.length === 1 ? winners[0]! : null;
  return winner && (winner.label || labelFromSlug(winner, wire));
}

/** Version 1 has the payout in the listing, version 2 only in the resolution record. */
function hasPaidYes(market: ListedMarketWire, payouts: Payouts): boolean {
  const { yes } = sideIndexes(market);
  const paid = payouts.get(market.conditionId);
  if (paid) return paid[yes] === 1;
  if (market.version !== 'v1' || !market.isClosed) return false;
  const isFinal = market.umaStatus === null || FINAL_UMA_STATUS.has(market.umaStatus);
  return isFinal && market.outcomePrices[yes] === 1;
}

export function findClosedTs(wire: ListedEventWire): number | null {
  const closings = wire.markets.flatMap((market) => market.closedTs ?? []);
  return wire.closedTs ?? (closings.length > 0 ? Math.max(...closings) : null);
}

// The platform's record of each condition's payout. Only a resolved row counts: a proposed outcome may still
// be disputed.

/** Each outcome's share of the payout, by condition. */
export type Payouts = ReadonlyMap<string, readonly number[]>;

/** Maximum events per request. */
const EVENTS_PER_CALL = 20;
/** Payouts are in millionths. */
const ONE_UNIT = 1_000_000;

export async function fetchPayouts(
  data: HttpTransport,
  eventIds: readonly number[],
  signal: AbortSignal,
): Promise<Payouts> {
  const payouts = new Map<string, readonly number[]>();
  for (const ids of chunk(eventIds, EVENTS_PER_CALL)) {
    const answer = await data.getJson('/v2/resolutions', { event_id: ids.join(',') }, signal);
    for (const [conditionId, shares] of readPayouts(answer)) payouts.set(conditionId, shares);
  }
  return payouts;
}

/** Unreadable rows are ignored; a response that is not a list of rows is a failure. */
export function readPayouts(answer: unknown): Map<string, readonly number[]> {
  const envelope = asRecord(answer);
  const rows = envelope && (envelope.data === null ? [] : asArray(envelope.data));
  if (!rows) throw unexpectedShape('the list of resolutions');
  const payouts = new Map<string, readonly number[]>();
  for (const row of rows.map(asRecord)) {
    const conditionId = row && readConditionId(row, 'condition_id');
    const shares = row && readShares(row.payouts);
    if (conditionId && shares && readName(row, 'status') === 'resolved') {
      payouts.set(conditionId, shares);
    }
  }
  return payouts;
}

function readShares(value: unknown): number[] | null {
  const amounts = asArray(value)?.map(toNumber) ?? [];
  if (amounts.length !== 2 || amounts.some((amount) => amount === null || amount < 0)) return null;
  return amounts.map((amount) => amount! / ONE_UNIT);
}
