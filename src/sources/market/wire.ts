// Payloads we read from the market's listing API (Gamma). Arrays are JSON inside strings, ids are strings.

import { SourceError } from '../../runtime/errors.ts';
import {
  asArray,
  asRecord,
  readConditionId,
  readCount,
  readFlag,
  readJsonTexts,
  readName,
  readNumber,
  readText,
  readTs,
  ShapeError,
  toPrice,
  type WireRecord,
} from '../wire-reader.ts';
import { emptySideAsNull, readTradePrice } from './book-wire.ts';

export type ListedEventWire = NonNullable<ReturnType<typeof readListedEvent>>;
export type ListedMarketWire = NonNullable<ReturnType<typeof readListedMarket>>;

/** null without a numeric id, a title or a slug. */
export function readListedEvent(value: unknown) {
  const event = asRecord(value);
  if (!event) return null;
  const id = readCount(event, 'id');
  const slug = readName(event, 'slug') ?? readName(event, 'ticker');
  const title = readName(event, 'title');
  if (id === null || !slug || !title) return null;
  const values = asArray(event.markets) ?? [];
  const version = readName(event, 'version');
  const markets = values.flatMap((market) => readListedMarket(market, version) ?? []);
  const metadata = asRecord(event.eventMetadata);
  return {
    id,
    title,
    slug,
    description: readText(event, 'description') ?? '',
    resolutionSource: readText(event, 'resolutionSource') ?? '',
    image: readName(event, 'image') ?? readName(event, 'icon') ?? '',
    endTs: readTs(event, 'endDate'),
    startTimeTs: readTs(event, 'startTime'),
    isActive: readFlag(event, 'active') ?? true,
    isClosed: readFlag(event, 'closed') ?? false,
    isArchived: readFlag(event, 'archived') ?? false,
    closedTs: readTs(event, 'closedTime'),
    ...readSeries(event),
    tweetCount: readCount(event, 'tweetCount'),
    priceToBeat: metadata && readNumber(metadata, 'priceToBeat'),
    volumeUsd: readNumber(event, 'volume') ?? 0,
    liquidityUsd: readNumber(event, 'liquidity') ?? 0,
    markets,
    /** Elements of `markets` that cannot be read. */
    unreadableMarkets: values.length - markets.length,
  };
}

function readSeries(event: WireRecord) {
  const series = (asArray(event.series) ?? []).map(asRecord).filter((item) => item !== null);
  const slugs = series.flatMap((item) => readName(item, 'slug') ?? []);
  const own = readName(event, 'seriesSlug');
  const recurrence = series[0] ? readName(series[0], 'recurrence') : null;
  return { seriesSlugs: [...new Set(own ? [own, ...slugs] : slugs)], recurrence };
}

/** null without a condition id, because nothing can be joined to it. */
export function readListedMarket(value: unknown, eventVersion: string | null = null) {
  const market = asRecord(value);
  const conditionId = market && readConditionId(market, 'conditionId');
  if (!market || !conditionId) return null;
  return {
    id: readName(market, 'id') ?? conditionId,
    conditionId,
    slug: readText(market, 'slug') ?? '',
    question: readText(market, 'question') ?? '',
    label: (readText(market, 'groupItemTitle') ?? '').trim(),
    ...readTradingIds(market, eventVersion),
    outcomes: readJsonTexts(market, 'outcomes') ?? [],
    outcomePrices: (readJsonTexts(market, 'outcomePrices') ?? []).map(toPrice),
    bestBid: emptySideAsNull(market.bestBid, 'bid'),
    bestAsk: emptySideAsNull(market.bestAsk, 'ask'),
    lastTradePrice: readTradePrice(market.lastTradePrice),
    tickSize: readPositive(market, 'orderPriceMinTickSize'),
    minOrderShares: readPositive(market, 'orderMinSize'),
    isClosed: readFlag(market, 'closed') ?? false,
    isAcceptingOrders: isTradable(market),
    /** Resolution status in version 1; null if absent. */
    umaStatus: readName(market, 'umaResolutionStatus')?.toLowerCase() ?? null,
    closedTs: readTs(market, 'closedTime'),
    startTs: readTs(market, 'eventStartTime'),
    endTs: readTs(market, 'endDate'),
    feeSchedule: readFeeSchedule(market),
    /** Fees apply but are unreadable: 'unreadable' if a schedule is present, otherwise 'missing'. */
    feeProblem: findFeeProblem(market),
    /** Address of its settlement source; empty if none is given. */
    resolutionSource: readText(market, 'resolutionSource') ?? '',
    /** Present only for crypto markets. */
    cryptoConfig: readCryptoConfig(asRecord(market.cryptoMarketConfig)),
    volumeUsd: readNumber(market, 'volumeNum') ?? readNumber(market, 'volume') ?? 0,
    liquidityUsd: readNumber(market, 'liquidityNum') ?? readNumber(market, 'liquidity') ?? 0,
  };
}

/** False if paused, archived or without a book: listed but not tradable. Missing fields count as normal. */
function isTradable(market: WireRecord): boolean {
  const isSet = (name: string, unlessSaid: boolean) => readFlag(market, name) ?? unlessSaid;
  const isTaking = isSet('acceptingOrders', true) && isSet('active', true) && isSet('enableOrderBook', true);
  return isTaking && !isSet('archived', false);
}

function readCryptoConfig(config: WireRecord | null) {
  return (
    config && {
      isTwap: readFlag(config, 'twapEnabled'),
      twapWindowS: readNumber(config, 'twapLookbackSeconds'),
    }
  );
}

/** takerBaseFee and base_fee are legacy and meaningless; only the schedule counts. */
function readFeeSchedule(market: WireRecord): { rate: number; exponent: number } | null {
  const schedule = asRecord(market.feeSchedule);
  if (!schedule || readFlag(market, 'feesEnabled') === false) return null;
  const rate = readNumber(schedule, 'rate');
  const exponent = readNumber(schedule, 'exponent') ?? 1;
  return rate !== null && rate >= 0 && rate <= 1 && exponent >= 0 && exponent <= 10
    ? { rate, exponent }
    : null;
}

function findFeeProblem(market: WireRecord): 'unreadable' | 'missing' | null {
  if (readFlag(market, 'feesEnabled') === false || readFeeSchedule(market)) return null;
  const isGiven = market.feeSchedule !== null && market.feeSchedule !== undefined;
  if (isGiven) return 'unreadable';
  return readFlag(market, 'feesEnabled') ? 'missing' : null;
}

function readPositive(record: WireRecord, key: string): number | null {
  const value = readNumber(record, key);
  return value !== null && value > 0 ? value : null;
}

type ProtocolVersion = 'v1' | 'v2';

interface TradingIds {
  /** null for an unknown version. */
  version: ProtocolVersion | null;
  /** As written, for the alarm; null if the market states no version. */
  statedVersion: string | null;
  /** In outcome order; empty if none are usable. */
  tokenIds: readonly string[];
  /** Ids are present but in an unusable form, as opposed to not minted yet. */
  hasUnusableIds: boolean;
}

/**
 * Picks the ids a market trades under, by its stated version and not by which field is filled: each field may
 * contain unusable ids of the other version. An event's version applies to all its markets that do not state one.
 */
function readTradingIds(market: WireRecord, eventVersion: string | null): TradingIds {
  const statedVersion = readName(market, 'version') ?? eventVersion;
  const version = chooseVersion(market, statedVersion);
  if (version === null) return { version, statedVersion, tokenIds: [], hasUnusableIds: false };
  const field = version === 'v1' ? 'clobTokenIds' : 'positionIds';
  const ids = readJsonTexts(market, field) ?? [];
  const areUsable = ids.length === 2 && ids.every((id) => /^\d{1,90}$/.test(id));
  // Before minting, the field is null, an empty string or an empty list.
  const areGiven = ids.length > 0 || (Boolean(market[field]) && readJsonTexts(market, field) === null);
  return { version, statedVersion, tokenIds: areUsable ? ids : [], hasUnusableIds: areGiven && !areUsable };
}

function chooseVersion(market: WireRecord, stated: string | null): ProtocolVersion | null {
  if (stated === 'v1' || stated === 'v2') return stated;
  if (stated !== null) return null;
  // Markets older than the second version state no version and have no positions.
  return hasPositions(market.positionIds) ? null : 'v1';
}

function hasPositions(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === '[]') return false;
  return !Array.isArray(value) || value.length > 0;
}

// Interprets error responses from the market's APIs.

/** The token has no book yet, or no longer has one. */
export function hasNoBook(error: unknown): boolean {
  return error instanceof SourceError && error.status === 404 && !error.isRetryable;
}

/** The list does not exist. */
export function isNotOffered(error: unknown): boolean {
  return error instanceof SourceError && [404, 405, 410].includes(error.status ?? 0) && !error.isRetryable;
}

/** The service does not offer it, or only with a credential. */
export function isNotGranted(error: unknown): boolean {
  const isRefused = error instanceof SourceError && (error.status === 401 || error.status === 403);
  return isNotOffered(error) || (isRefused && !error.isHtml);
}

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`market: ${what} has an unexpected shape`);
}
