// Events and markets in the listing API's format: some numbers as strings, arrays as JSON strings, listing
// times instead of start times.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { chance } from '../chance.ts';
import type { ListedEvent, ListedMarket, MarketPrice } from '../market/listed-event.ts';
import { roundTo } from '../market/quotes.ts';
import { makeHex, makeTokenId } from '../platform-ids.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { toIso } from './answer.ts';

export function toGammaEvent(
  state: SimulatorState,
  event: ListedEvent,
  nowTs: number,
  hasMarkets = true,
): Record<string, unknown> {
  const book = state.bookOf(event);
  const settledTs = book.settledTs(event, nowTs);
  const volume = volumeOf(event, nowTs);
  const negRiskId = `${questionStem(state, event)}00`;
  const uiCount = book.uiCount(event, nowTs);
  const metadata = book.metadata(event, nowTs);
  return {
    id: String(event.eventId),
    version: shownVersion(state, event, nowTs),
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    description: event.description,
    resolutionSource: '',
    startDate: toMicros(event.listedTs),
    creationDate: toMicros(event.listedTs),
    endDate: toSeconds(event.endTs),
    image: event.image,
    icon: event.image,
    active: true,
    closed: settledTs !== null,
    archived: event.isArchived,
    new: false,
    featured: false,
    restricted: true,
    liquidity: settledTs === null ? roundTo(event.depthUsd * 40) : 0,
    volume,
    openInterest: roundTo(volume * 0.2),
    sortBy: 'price',
    createdAt: toMicros(event.listedTs - 2 * HOUR_MS),
    updatedAt: toMicros(Math.floor(nowTs / 60_000) * 60_000),
    competitive: 0.9,
    volume24hr: roundTo(volume * Math.min(1, DAY_MS / Math.max(DAY_MS, nowTs - event.listedTs))),
    enableOrderBook: true,
    negRisk: event.isNegRisk,
    enableNegRisk: event.isNegRisk,
    ...(event.isNegRisk ? { negRiskMarketID: negRiskId } : {}),
    commentCount: Math.floor(400 * chance(state.seedKey, event.eventId, 101)),
    ...(hasMarkets ? { markets: toGammaMarkets(state, event, nowTs) } : {}),
    series: [
      {
        id: event.series.id,
        ticker: event.series.slug,
        slug: event.series.slug,
        title: event.series.title,
        seriesType: 'single',
        recurrence: event.series.recurrence,
        active: true,
        closed: false,
        archived: false,
      },
    ],
    seriesSlug: event.series.slug,
    tags: event.tags.map((tag) => ({ ...tag, forceShow: false, requiresTranslation: false })),
    cyom: false,
    showAllOutcomes: true,
    showMarketImages: false,
    automaticallyActive: true,
    negRiskAugmented: false,
    pendingDeployment: false,
    deploying: false,
    requiresTranslation: false,
    ...(settledTs === null ? {} : { closedTime: toIso(settledTs) }),
    ...(uiCount === undefined
      ? {}
      : { tweetCount: uiCount + (state.faults.valueAt('gamma-jump', nowTs) ?? 0) }),
    ...(metadata === undefined ? {} : { eventMetadata: metadata }),
  };
}

function toGammaMarkets(state: SimulatorState, event: ListedEvent, nowTs: number): Record<string, unknown>[] {
  const book = state.bookOf(event);
  const prices = book.prices(event, nowTs);
  return book
    .markets(event)
    .map((market) => toGammaMarket(state, event, market, prices[market.index]!, nowTs));
}

export function toGammaMarket(
  state: SimulatorState,
  event: ListedEvent,
  market: ListedMarket,
  price: MarketPrice,
  nowTs: number,
): Record<string, unknown> {
  const isClosed = price.closedTs !== null;
  const volume = roundTo((volumeOf(event, nowTs) * (0.2 + chance(state.seedKey, market.marketId, 102))) / 20);
  const liquidity = isClosed
    ? 0
    : roundTo(event.depthUsd * (1 + chance(state.seedKey, market.marketId, 103)));
  const questionId = `${questionStem(state, event)}${market.index.toString(16).padStart(2, '0')}`;
  return {
    id: String(market.marketId),
    version: shownVersion(state, event, nowTs),
    question: market.question,
    conditionId: market.conditionId,
    slug: market.slug,
    resolutionSource: '',
    endDate: toSeconds(event.endTs),
    liquidity: String(liquidity),
    startDate: toMicros(event.listedTs),
    image: event.image,
    icon: event.image,
    outcomes: JSON.stringify(market.outcomes),
    outcomePrices: JSON.stringify(event.version === 'v1' ? outcomePrices(price) : tradedPrices(price)),
    volume: String(volume),
    active: true,
    closed: isClosed,
    marketMakerAddress: '',
    createdAt: toMicros(event.listedTs - HOUR_MS),
    updatedAt: toMicros(Math.floor(nowTs / 60_000) * 60_000),
    ...(isClosed ? { closedTime: toClosedTime(price.closedTs!) } : {}),
    ...resolutionFields(event, isClosed),
    new: false,
    featured: false,
    archived: event.isArchived,
    restricted: true,
    groupItemTitle: market.label,
    groupItemThreshold: String(market.index),
    questionID: questionId,
    enableOrderBook: true,
    orderPriceMinTickSize: event.tick,
    orderMinSize: 5,
    volumeNum: volume,
    liquidityNum: liquidity,
    endDateIso: toIso(event.endTs).slice(0, 10),
    startDateIso: toIso(event.listedTs).slice(0, 10),
    hasReviewedDates: true,
    ...tradingIds(state, event, market),
    makerBaseFee: 1000,
    takerBaseFee: 1000,
    acceptingOrders: !isClosed,
    negRisk: event.isNegRisk,
    ...(event.isNegRisk
      ? { negRiskMarketID: `${questionId.slice(0, -2)}00`, negRiskRequestID: questionId }
      : {}),
    ready: false,
    funded: false,
    acceptingOrdersTimestamp: toSeconds(event.listedTs),
    cyom: false,
    approved: true,
    ...priceFields(price, event),
    automaticallyActive: true,
    clearBookOnStart: true,
    feesEnabled: true,
    feeType: event.fee.type,
    feeSchedule: { exponent: 1, rate: event.fee.rate, takerOnly: true, rebateRate: 0.25 },
    ...(event.accountId === null ? { eventStartTime: toSeconds(event.startTs), ...cryptoConfig(event) } : {}),
  };
}

/** Short windows settle on a one-minute average, which is declared here. */
function cryptoConfig(event: ListedEvent): Record<string, unknown> {
  const duration = /-(5m|15m)(?:-|$)/.exec(event.series.slug)?.[1];
  const asset = event.series.slug.split('-')[0]!;
  if (duration === undefined) return { cryptoMarketConfigId: `${asset}-spot` };
  const id = `${asset}-${duration}-twap-60`;
  const twap = { twapEnabled: true, twapLookbackSeconds: 60 };
  return { cryptoMarketConfigId: id, cryptoMarketConfig: { id, asset, duration, ...twap } };
}

function priceFields(price: MarketPrice, event: ListedEvent): Record<string, number> {
  const fields: Record<string, number> = { lastTradePrice: price.last };
  // A side without orders is omitted, not zero.
  if (price.bid !== null) fields.bestBid = price.bid;
  if (price.ask !== null) fields.bestAsk = price.ask;
  fields.spread = price.bid !== null && price.ask !== null ? roundTo(price.ask - price.bid) : event.tick;
  return fields;
}

function shownVersion(state: SimulatorState, event: ListedEvent, nowTs: number): string {
  return state.faults.isOn('gamma-version', nowTs) ? 'v9' : event.version;
}

const stems = new WeakMap<ListedEvent, string>();

/** The common part of an event's question ids; cached, because every market of every listing needs it. */
function questionStem(state: SimulatorState, event: ListedEvent): string {
  const stem = stems.get(event) ?? `0x${makeHex(state.seedKey, event.eventId, 62)}`;
  stems.set(event, stem);
  return stem;
}

const unusedIds = new WeakMap<ListedMarket, string[]>();

/** Trading ids in the format of the protocol version. Version 1 markets also carry unused version 2 ids. */
function tradingIds(
  state: SimulatorState,
  event: ListedEvent,
  market: ListedMarket,
): Record<string, unknown> {
  const key = state.seedKey ^ 0xdec0;
  const others =
    unusedIds.get(market) ?? [0, 1].map((side) => makeTokenId(key, market.marketId, side as 0 | 1));
  unusedIds.set(market, others);
  if (event.version === 'v1') return { clobTokenIds: JSON.stringify(market.tokenIds), positionIds: others };
  const hasOthers = chance(key, market.marketId) < 0.3;
  return { clobTokenIds: hasOthers ? JSON.stringify(others) : null, positionIds: market.tokenIds };
}

function resolutionFields(event: ListedEvent, isClosed: boolean): Record<string, unknown> {
  if (event.version === 'v2') return { resolutionStatus: isClosed ? 'resolved' : 'initialized' };
  return {
    umaBond: '500',
    umaReward: '5',
    umaResolutionStatuses: isClosed ? '["proposed", "resolved"]' : '[]',
    ...(isClosed ? { umaResolutionStatus: 'resolved' } : {}),
  };
}

/** Version 2 payouts appear only in the resolution record; the listing shows the last price. */
function tradedPrices(price: MarketPrice): string[] {
  if (price.winner === null) return outcomePrices(price);
  return [String(price.last), String(roundTo(1 - price.last))];
}

function outcomePrices(price: MarketPrice): string[] {
  if (price.winner !== null) return price.winner === 0 ? ['1', '0'] : ['0', '1'];
  const mid = price.bid !== null && price.ask !== null ? (price.bid + price.ask) / 2 : price.mid;
  const yes = Math.round(mid * 2000) / 2000;
  return [String(yes), String(Math.round((1 - yes) * 2000) / 2000)];
}

/** Volume grows from the listing to the end. */
function volumeOf(event: ListedEvent, nowTs: number): number {
  const share = Math.min(1, Math.max(0.01, (nowTs - event.listedTs) / (event.endTs - event.listedTs)));
  return Math.round(event.volumeUsd * share * 100) / 100;
}

function toMicros(ts: number): string {
  return toIso(ts).replace('Z', '417Z');
}

function toSeconds(ts: number): string {
  return toIso(ts).replace(/\.\d{3}Z$/, 'Z');
}

/** 2026-08-17 16:20:11+00: a space and a short offset, not ISO. */
function toClosedTime(ts: number): string {
  return toIso(ts)
    .replace('T', ' ')
    .replace(/\.\d{3}Z$/, '+00');
}
