// Converts a listed event to a contract with its window and its ladder of brackets, or returns why it cannot.

import { createHash } from 'node:crypto';
import type { AccountId } from '../../domain/account.ts';
import { compareBuckets, findLadderProblem, formatBucketLabel } from '../../domain/bucket-label.ts';
import type { ContractSeries } from '../../domain/contract.ts';
import type {
  BucketRange,
  CountWindow,
  FeeSchedule,
  MarketBucket,
  MarketEvent,
} from '../../domain/market-event.ts';
import { type Quote, roundPrice } from '../../domain/quote.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { MARKET_TIME_ZONE, utcTsToWall, wallToUtcTs } from '../../domain/zoned-time.ts';
import type {
  BookWire,
  FeeChangeWire,
  KalshiEventWire,
  KalshiMarketWire,
  KalshiSeriesWire,
  StrikeWire,
} from './wire.ts';

/** Larger than every id of the first venue; the result has fifteen digits for any digest. */
const FIRST_ID = 10 ** 14;
const DEFAULT_TICK_SIZE = 0.01;
/** The general fee: 0.07 × p(1 - p) per contract, times the series' multiplier. */
const QUADRATIC_RATE = 0.07;

/** The API identifies events by number, so we derive one from the ticker: its digest never changes. */
export function eventIdOf(eventTicker: string): number {
  return FIRST_ID + createHash('sha256').update(eventTicker).digest().readUIntBE(0, 6);
}

export function tokenIdOf(ticker: string, side: 'yes' | 'no'): string {
  return `kalshi:${ticker}:${side}`;
}

export function isKalshiToken(tokenId: string): boolean {
  return tokenId.startsWith('kalshi:');
}

/** Tickers of the markets behind the token ids, without duplicates; ids of other venues are ignored. */
export function tickersOf(tokenIds: readonly string[]): string[] {
  return [...new Set(tokenIds.flatMap((id) => /^kalshi:([\w.-]+):(?:yes|no)$/.exec(id)?.[1] ?? []))];
}

export interface EventContext {
  accountId: AccountId;
  series: ContractSeries;
  listed: KalshiSeriesWire;
  feeChanges: readonly FeeChangeWire[];
  nowTs: number;
}

export function parseEvent(wire: KalshiEventWire, context: EventContext): MarketEvent | { reason: string } {
  if (!wire.isExclusive) return { reason: 'its brackets do not exclude each other' };
  if (wire.markets.some((market) => !market.ticker.startsWith(`${wire.ticker}-`)))
    return { reason: 'a bracket belongs to another event' };
  const fee = feeOf(wire, context);
  if (!(fee.rate >= 0)) return { reason: 'its fee is negative' };
  const rungs = wire.markets.flatMap((market) => {
    const range = parseStrike(market);
    return range ? [toBucket(market, range, fee)] : [];
  });
  rungs.sort(compareBuckets);
  const problem = wire.unreadableMarkets > 0 ? 'a bracket cannot be read' : findLadderProblem(rungs);
  if (problem) return { reason: problem };
  const window = findPeriod(wire, context.listed.frequency, context.series.timeZone);
  if ('reason' in window) return window;
  const tradedUntilTs = lastCloseTs(wire);
  return {
    eventId: eventIdOf(wire.ticker),
    accountId: context.accountId,
    title: wire.title,
    slug: wire.ticker,
    image: '',
    window,
    buckets: rungs,
    isClosed: wire.markets.every(({ status }) => !isTrading(status)),
    terms: {
      venue: context.series.venue,
      countingRule: context.series.countingRule,
      settlementSource: context.series.settlementSource,
      ...(tradedUntilTs > window.endTs && { tradedUntilTs }),
    },
  };
}

/** The range of counts that settles to Yes; null for a strike that is not a range of counts. */
export function parseStrike({ strikeType, floor, cap }: StrikeWire): BucketRange | null {
  switch (strikeType) {
    case 'less':
      return cap === null ? null : { lo: 0, hi: Math.ceil(cap) - 1 };
    case 'less_or_equal':
      return cap === null ? null : { lo: 0, hi: Math.floor(cap) };
    case 'greater':
      return floor === null ? null : { lo: Math.floor(floor) + 1, hi: null };
    case 'greater_or_equal':
      return floor === null ? null : { lo: Math.ceil(floor), hi: null };
    case 'between':
      return floor === null || cap === null ? null : { lo: Math.ceil(floor), hi: Math.floor(cap) };
    default:
      return null;
  }
}

function toBucket(market: KalshiMarketWire, range: BucketRange, fee: FeeSchedule): MarketBucket {
  return {
    ...range,
    label: formatBucketLabel(range),
    marketId: market.ticker,
    conditionId: market.ticker,
    yesTokenId: tokenIdOf(market.ticker, 'yes'),
    noTokenId: tokenIdOf(market.ticker, 'no'),
    isOpen: isTrading(market.status),
    tickSize: market.tickSize ?? DEFAULT_TICK_SIZE,
    minOrderShares: 1,
    fee,
    listedPrice: market.lastPrice,
  };
}

function isTrading(status: string): boolean {
  return status === 'active' || status === 'open';
}

function feeOf(wire: KalshiEventWire, context: EventContext): FeeSchedule {
  return { rate: feeRateOf(wire.feeMultiplierOverride, context), exponent: 1 };
}

/** Precedence: the event's own fee, the series' latest change in effect, the series' listed fee. */
export function feeRateOf(
  override: number | null,
  { listed, feeChanges, nowTs }: Pick<EventContext, 'listed' | 'feeChanges' | 'nowTs'>,
): number {
  const changed = feeChanges
    .filter(({ scheduledTs }) => scheduledTs <= nowTs)
    .sort((left, right) => right.scheduledTs - left.scheduledTs)[0];
  return QUADRATIC_RATE * (override ?? changed?.feeMultiplier ?? listed.feeMultiplier);
}

/** The bracket that paid; null until the venue reports it. */
export function findWinner(wire: KalshiEventWire): string | null {
  const won = wire.markets.filter(({ result, status }) => result === 'yes' && status === 'finalized');
  const range = won.length === 1 ? parseStrike(won[0]!) : null;
  return range && formatBucketLabel(range);
}

/** Both sides of a market from its best Yes prices: a No bid is the complement of a Yes ask. */
export function quotesOfMarket(market: KalshiMarketWire, observedTs: number): Quote[] {
  const { ticker, yesBid, yesAsk, yesBidShares, yesAskShares, lastPrice } = market;
  const sized = (price: number | null, shares: number | null) => (price === null ? null : shares);
  const yes: Quote = {
    tokenId: tokenIdOf(ticker, 'yes'),
    bid: yesBid,
    ask: yesAsk,
    bidShares: sized(yesBid, yesBidShares),
    askShares: sized(yesAsk, yesAskShares),
    lastTradePrice: lastPrice,
    observedTs,
  };
  return bothSides(yes, tokenIdOf(ticker, 'no'));
}

/** The Yes ask is 1 - best No bid, because the venue lists only bids. */
export function quotesOfBook(book: BookWire, lastPrice: number | null, observedTs: number): Quote[] {
  const bestYes = bestOf(book.yesBids);
  const bestNo = bestOf(book.noBids);
  const yes: Quote = {
    tokenId: tokenIdOf(book.ticker, 'yes'),
    bid: bestYes?.price ?? null,
    ask: bestNo ? roundPrice(1 - bestNo.price) : null,
    bidShares: bestYes?.shares ?? null,
    askShares: bestNo?.shares ?? null,
    lastTradePrice: lastPrice,
    observedTs,
  };
  return bothSides(yes, tokenIdOf(book.ticker, 'no'));
}

/** Prices that cross, or belong to a negative number of contracts, are errors: they are shown as unknown. */
function bothSides(yes: Quote, noTokenId: string): Quote[] {
  const isCrossed = yes.bid !== null && yes.ask !== null && yes.bid > yes.ask;
  const unknown = { bid: null, ask: null, bidShares: null, askShares: null };
  const isNegative = [yes.bidShares, yes.askShares].some((shares) => shares !== null && shares < 0);
  const shown = isCrossed || isNegative ? { ...yes, ...unknown } : yes;
  return [shown, mirror(shown, noTokenId)];
}

function bestOf(bids: BookWire['yesBids']): BookWire['yesBids'][number] | null {
  return bids.reduce<BookWire['yesBids'][number] | null>(
    (best, level) => (best === null || level.price > best.price ? level : best),
    null,
  );
}

function mirror(yes: Quote, tokenId: string): Quote {
  const other = (price: number | null) => (price === null ? null : roundPrice(1 - price));
  return {
    tokenId,
    bid: other(yes.ask),
    ask: other(yes.bid),
    bidShares: yes.askShares,
    askShares: yes.bidShares,
    lastTradePrice: other(yes.lastTradePrice),
    observedTs: yes.observedTs,
  };
}

// The period that a contract counts. Its rules state it; trading may end before or after it. Where the rules
// omit it, it is the days up to the date in the ticker, provided that trading ends soon after them.

const DAYS: Readonly<Record<string, number>> = { daily: 1, weekly: 7 };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const INSTANT = String.raw`(\d{1,2}):(\d{2}) ([AP]M) ET on ([A-Z][a-z]{2})[a-z]*\.? (\d{1,2}), (\d{4})`;
const STATED = new RegExp(`begins at ${INSTANT},? and ends at ${INSTANT}`, 'i');
const FIELDS_PER_INSTANT = 6;
const TICKER_DATE = /-(\d{2})([A-Z]{3})(\d{2})$/;
/** Daily contracts close in the last minute of their day, weekly ones at 09:59 of the next. */
const MAX_CLOSE_BEFORE_END_MS = HOUR_MS;
const MAX_CLOSE_AFTER_END_MS = 24 * HOUR_MS;

export function findPeriod(
  wire: KalshiEventWire,
  frequency: string,
  timeZone: string,
): CountWindow | { reason: string } {
  const stated = wire.markets.flatMap(({ rules }) => parseStatedPeriod(rules) ?? []);
  const [first] = stated;
  if (stated.some(({ startTs, endTs }) => startTs !== first!.startTs || endTs !== first!.endTs))
    return { reason: 'its brackets state different periods' };
  return (
    first ??
    periodOfTicker(wire, frequency, timeZone) ?? {
      reason: `its window is unknown for a ${frequency || 'unnamed'} series`,
    }
  );
}

/** "begins at 12:00 AM ET on Oct 11, 2026 and ends at 11:59 PM ET on Oct 17, 2026"; null if absent. */
function parseStatedPeriod(rules: string): CountWindow | null {
  const fields = STATED.exec(rules)?.slice(1);
  if (!fields) return null;
  const startTs = toTs(fields.slice(0, FIELDS_PER_INSTANT));
  const lastTs = toTs(fields.slice(FIELDS_PER_INSTANT));
  if (startTs === null || lastTs === null || lastTs <= startTs) return null;
  // A period that ends at 11:59 includes that minute.
  const isLastMinute = utcTsToWall(lastTs, MARKET_TIME_ZONE).minute === 59;
  return { startTs, endTs: isLastMinute ? lastTs + MINUTE_MS : lastTs };
}

function toTs([hour, minute, half, monthName, day, year]: string[]): number | null {
  const month = MONTHS.indexOf(monthName!.toLowerCase()) + 1;
  if (month === 0) return null;
  const wall = {
    year: Number(year),
    month,
    day: Number(day),
    hour: (Number(hour) % 12) + (half!.toUpperCase() === 'PM' ? 12 : 0),
    minute: Number(minute),
  };
  return wallToUtcTs(wall, MARKET_TIME_ZONE);
}

/** When trading ends in the event's last bracket. */
function lastCloseTs({ markets }: KalshiEventWire): number {
  return Math.max(...markets.map(({ closeTs }) => closeTs ?? Number.NEGATIVE_INFINITY));
}

function periodOfTicker(wire: KalshiEventWire, frequency: string, timeZone: string): CountWindow | null {
  const days = DAYS[frequency];
  const [, year, monthName, day] = TICKER_DATE.exec(wire.ticker) ?? [];
  const month = MONTHS.indexOf((monthName ?? '').toLowerCase()) + 1;
  if (days === undefined || month === 0) return null;
  const end = { year: 2_000 + Number(year), month, day: Number(day) + 1 };
  const endTs = wallToUtcTs(end, timeZone);
  const closeTs = lastCloseTs(wire);
  if (closeTs < endTs - MAX_CLOSE_BEFORE_END_MS || closeTs > endTs + MAX_CLOSE_AFTER_END_MS) return null;
  return { startTs: wallToUtcTs({ ...end, day: end.day - days }, timeZone), endTs };
}
