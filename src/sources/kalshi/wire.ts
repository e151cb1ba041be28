// Payloads we read from the venue. Prices and sizes are decimal strings.

import { SourceError } from '../../runtime/errors.ts';
import {
  asArray,
  asRecord,
  readName,
  readNumber,
  readPrice,
  readText,
  readTs,
  toNumber,
  toPrice,
  type WireRecord,
} from '../wire-reader.ts';

export type KalshiEventWire = NonNullable<ReturnType<typeof readEvent>>;
export type KalshiMarketWire = NonNullable<ReturnType<typeof readMarket>>;
export type StrikeWire = Pick<KalshiMarketWire, 'strikeType' | 'floor' | 'cap'>;
export type KalshiSeriesWire = ReturnType<typeof readSeries>;
export type FeeChangeWire = ReturnType<typeof readFeeChanges>[number];

export function readEventPage(value: unknown) {
  const page = asRecord(value);
  const list = page && asArray(page.events);
  if (!page || !list) throw unexpectedShape('the list of events');
  const events = list.flatMap((item) => readEvent(item) ?? []);
  return { events, unreadable: list.length - events.length, cursor: readName(page, 'cursor') };
}

function readEvent(value: unknown) {
  const event = asRecord(value);
  const ticker = event && readName(event, 'event_ticker');
  const seriesTicker = event && readName(event, 'series_ticker');
  if (!event || !ticker || !seriesTicker) return null;
  const list = asArray(event.markets) ?? [];
  const markets = list.flatMap((item) => readMarket(item) ?? []);
  return {
    ticker,
    seriesTicker,
    title: readName(event, 'title') ?? ticker,
    isExclusive: event.mutually_exclusive === true,
    feeTypeOverride: readName(event, 'fee_type_override'),
    feeMultiplierOverride: readNumber(event, 'fee_multiplier_override'),
    markets,
    /** Elements of `markets` that cannot be read. */
    unreadableMarkets: list.length - markets.length,
  };
}

export function readMarketPage(value: unknown) {
  const page = asRecord(value);
  const list = page && asArray(page.markets);
  if (!page || !list) throw unexpectedShape('the list of markets');
  return { markets: list.flatMap((item) => readMarket(item) ?? []), cursor: readName(page, 'cursor') };
}

function readMarket(value: unknown) {
  const market = asRecord(value);
  const ticker = market && readName(market, 'ticker');
  const status = market && readName(market, 'status');
  // Taking an unknown status for closed would silently end trading in the bracket.
  if (!market || !ticker || !status || !STATUSES.has(status)) return null;
  return {
    ticker,
    eventTicker: readName(market, 'event_ticker') ?? '',
    /** The event's question; empty if the venue omits it. */
    title: readName(market, 'title') ?? '',
    status,
    /** 'yes' or 'no' once determined; empty before. */
    result: readText(market, 'result') ?? '',
    label: readName(market, 'yes_sub_title') ?? '',
    closeTs: readTs(market, 'close_time'),
    settledTs: readTs(market, 'settlement_ts'),
    strikeType: readName(market, 'strike_type') ?? '',
    floor: readNumber(market, 'floor_strike'),
    cap: readNumber(market, 'cap_strike'),
    ...readBest(market),
    lastPrice: emptyAsNull(readPrice(market, 'last_price_dollars'), 0),
    ...readTicks(market),
    rules: [readText(market, 'rules_primary'), readText(market, 'rules_secondary')].join(' '),
  };
}

const STATUSES = new Set([
  ...['initialized', 'unopened', 'inactive', 'paused', 'active', 'open', 'closed'],
  ...['determined', 'disputed', 'amended', 'settled', 'finalized'],
]);

/** An empty side is written as a bid of 0 or an ask of 1. */
function readBest(market: WireRecord) {
  return {
    yesBid: emptyAsNull(readPrice(market, 'yes_bid_dollars'), 0),
    yesAsk: emptyAsNull(readPrice(market, 'yes_ask_dollars'), 1),
    yesBidShares: readNumber(market, 'yes_bid_size_fp'),
    yesAskShares: readNumber(market, 'yes_ask_size_fp'),
  };
}

function emptyAsNull(price: number | null, empty: number): number | null {
  return price === empty ? null : price;
}

/** The finest step of the prices, and the coarsest, which is valid everywhere. */
function readTicks(market: WireRecord): { tickSize: number | null; coarseTick: number | null } {
  const steps = (asArray(market.price_ranges) ?? []).flatMap(
    (range) => toNumber(asRecord(range)?.step) ?? [],
  );
  const usable = steps.filter((step) => step > 0 && step < 1);
  const isKnown = usable.length > 0;
  return {
    tickSize: isKnown ? Math.min(...usable) : null,
    coarseTick: isKnown ? Math.max(...usable) : null,
  };
}

export function readSeries(value: unknown) {
  const series = asRecord(asRecord(value)?.series);
  const ticker = series && readName(series, 'ticker');
  if (!series || !ticker) throw unexpectedShape('the series');
  const sources = (asArray(series.settlement_sources) ?? []).map(asRecord);
  return {
    ticker,
    frequency: (readName(series, 'frequency') ?? '').toLowerCase(),
    feeType: readName(series, 'fee_type') ?? '',
    feeMultiplier: readNumber(series, 'fee_multiplier') ?? 1,
    settlementSources: sources.flatMap((source) => (source && readName(source, 'name')) ?? []),
  };
}

export function readFeeChanges(value: unknown) {
  const list = asArray(asRecord(value)?.series_fee_change_arr);
  if (!list) throw unexpectedShape('the list of fee changes');
  return list.map(asRecord).flatMap((change) => {
    const scheduledTs = change && readTs(change, 'scheduled_ts');
    const feeType = change && readName(change, 'fee_type');
    const feeMultiplier = change && readNumber(change, 'fee_multiplier');
    return scheduledTs != null && feeType && feeMultiplier != null
      ? [{ scheduledTs, feeType, feeMultiplier }]
      : [];
  });
}

export interface LevelWire {
  price: number;
  shares: number;
}

/** Bids on both sides, which is how the venue represents a book. */
export interface BookWire {
  ticker: string;
  yesBids: readonly LevelWire[];
  noBids: readonly LevelWire[];
}

export function readBooks(value: unknown): BookWire[] {
  const list = asArray(asRecord(value)?.orderbooks);
  if (!list) throw unexpectedShape('the list of order books');
  return list.map(asRecord).flatMap((entry) => {
    const ticker = entry && readName(entry, 'ticker');
    const book = entry && asRecord(entry.orderbook_fp);
    return ticker && book
      ? [{ ticker, yesBids: readLevels(book.yes_dollars), noBids: readLevels(book.no_dollars) }]
      : [];
  });
}

/** An empty side may be null. Throws if a level is unreadable: the next best one must not look like the best. */
export function readLevels(value: unknown): LevelWire[] {
  const list = value === null ? [] : asArray(value);
  if (!list) throw unexpectedShape('a side of an order book');
  return list.flatMap((level) => {
    const [price, shares] = (asArray(level) ?? []).map((item, i) =>
      i === 0 ? toPrice(item) : toNumber(item),
    );
    if (price == null || shares == null || shares < 0) throw unexpectedShape('a level of an order book');
    return shares > 0 ? [{ price, shares }] : [];
  });
}

/** Contracts settled before this time are only in the archive. */
export function readCutoff(value: unknown): number {
  const cutoff = asRecord(value);
  const settledTs = cutoff && readTs(cutoff, 'market_settled_ts');
  if (!cutoff || settledTs == null) throw unexpectedShape('the archive cut-off');
  return settledTs;
}

/**
 * Closing bid and ask of each period; an empty side is a bid of 0 or an ask of 1. The archive's price fields
 * lack the unit in their names.
 */
export function readCandles(value: unknown) {
  const list = asArray(asRecord(value)?.candlesticks);
  if (!list) throw unexpectedShape('the list of candlesticks');
  return list.map(asRecord).flatMap((candle) => {
    const endS = candle && readNumber(candle, 'end_period_ts');
    if (!candle || endS === null || endS <= 0) return [];
    const close = (side: unknown) => {
      const prices = asRecord(side) ?? {};
      return readPrice(prices, 'close_dollars') ?? readPrice(prices, 'close');
    };
    return [
      {
        ts: endS * 1_000,
        bid: emptyAsNull(close(candle.yes_bid), 0),
        ask: emptyAsNull(close(candle.yes_ask), 1),
      },
    ];
  });
}

export function readPositions(value: unknown) {
  const page = asRecord(value);
  const list = page && asArray(page.market_positions);
  if (!page || !list) throw unexpectedShape('the list of positions');
  const positions = list.map((item) => readPosition(asRecord(item)));
  return { positions, cursor: readName(page, 'cursor') };
}

/** `contracts` is negative for No. Throws if unreadable: half a portfolio must not look like all of it. */
function readPosition(row: WireRecord | null) {
  const ticker = row && readName(row, 'ticker');
  const contracts = row && readNumber(row, 'position_fp');
  if (!row || !ticker || contracts == null) throw unexpectedShape('a position');
  return { ticker, contracts, costUsd: readNumber(row, 'market_exposure_dollars') ?? 0 };
}

// Interprets the venue's error responses.

export function unexpectedShape(what: string): SourceError {
  return new SourceError(`kalshi: ${what} has an unexpected shape`, { isRetryable: true });
}

/** Not in the venue's lists: unknown, or archived after about eleven weeks. */
export function isGone(error: unknown): boolean {
  return error instanceof SourceError && error.status === 404 && !error.isRetryable;
}

/** A wrong key, a wrong clock or a signature over the wrong text: only the operator can fix it. */
export function isUnauthorised(error: unknown): boolean {
  return error instanceof SourceError && error.status === 401;
}

/** Why a signed request was refused, and what to do. */
export function explainRefusal(error: SourceError): SourceError {
  const advice = error.message.includes('header_timestamp_expired')
    ? "this machine's clock is wrong; sync it with NTP"
    : 'check KALSHI_KEY_ID and KALSHI_PRIVATE_KEY_FILE';
  return new SourceError(`${error.message}; ${advice}`, {
    isRetryable: false,
    needsOperator: true,
    status: error.status,
  });
}
