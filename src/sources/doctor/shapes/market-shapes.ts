// Shapes of trackings, markets, books, stream messages and resolutions in the platforms' payloads.

import { isGhostBook } from '../../../domain/quote.ts';
import { type BookWire, readBook } from '../../market/book-wire.ts';
import {
  asArray,
  asRecord,
  readFlag,
  readJsonTexts,
  readName,
  readText,
  type WireRecord,
} from '../../wire-reader.ts';
import type { ShapeFeed } from './shape-feed.ts';

const records = (value: unknown): WireRecord[] => (asArray(value) ?? []).map((item) => asRecord(item) ?? {});

function classifyTracking(tracking: WireRecord): string[] {
  const isActive = readFlag(tracking, 'isActive') ?? true;
  const stats = asRecord(tracking.stats);
  return [isActive ? 'running' : 'ended', ...(stats ? ['with its count'] : [])];
}

function classifyEvent(event: WireRecord): string[] {
  const markets = records(event.markets);
  return [
    ...(event.tweetCount === undefined || event.tweetCount === null ? [] : ["with its page's count"]),
    ...markets.flatMap((market) => classifyMarket(market, readName(event, 'version'))),
  ];
}

function classifyMarket(market: WireRecord, eventVersion: string | null): string[] {
  const version = readName(market, 'version') ?? eventVersion;
  const known = version === 'v1' || version === 'v2';
  return [
    version === null ? 'market without a version' : known ? `market ${version}` : `market '${version}'`,
    ...(readFlag(market, 'closed') ? ['closed market'] : []),
    ...(readFlag(market, 'acceptingOrders') === false ? ['paused market'] : []),
    ...(hasIds(market) ? [] : ['market without ids']),
    ...(asRecord(market.feeSchedule) ? ['market with fees'] : []),
  ];
}

function hasIds(market: WireRecord): boolean {
  return ['clobTokenIds', 'positionIds'].some((name) => (readJsonTexts(market, name) ?? []).length > 0);
}

function classifyBook(value: unknown): string {
  const book = readBook(value);
  if (!book) return 'unreadable book';
  if (book.bids.length === 0 && book.asks.length === 0) return 'empty book';
  if (book.bids.length === 0 || book.asks.length === 0) return 'one-sided book';
  return isPlaceholder(book) ? 'placeholder book (0.01 and 0.99)' : 'two-sided book';
}

function isPlaceholder({ bids, asks }: BookWire): boolean {
  const best = (levels: BookWire['bids'], pick: (...prices: number[]) => number) =>
    pick(...levels.map(({ price }) => price));
  return isGhostBook(best(bids, Math.max), best(asks, Math.min));
}

export const MARKET_FEEDS: readonly ShapeFeed[] = [
  {
    name: 'oracle trackings',
    path: /\/trackings(?:\/[^/]+)?$/,
    shapes: ['running', 'ended', 'with its count'],
    classify: (answer) => {
      const data = asRecord(answer)?.data ?? answer;
      return (Array.isArray(data) ? records(data) : [asRecord(data) ?? {}]).flatMap(classifyTracking);
    },
  },
  {
    name: 'market events',
    path: /\/events\/keyset$/,
    shapes: [
      ...["with its page's count", 'market v1', 'market v2', 'market without a version'],
      ...['closed market', 'paused market', 'market without ids', 'market with fees'],
    ],
    classify: (answer) => records(asRecord(answer)?.events).flatMap(classifyEvent),
  },
  {
    name: 'market books',
    path: /\/books?$/,
    shapes: ['two-sided book', 'one-sided book', 'empty book', 'placeholder book (0.01 and 0.99)'],
    classify: (answer) => (asArray(answer) ?? [answer]).map(classifyBook),
  },
  {
    name: 'market stream',
    path: /\/ws\/market$/,
    shapes: [
      ...['book', 'price_change', 'last_trade_price', 'best_bid_ask'],
      ...['tick_size_change', 'new_market', 'market_resolved'],
    ],
    classify: (frame) =>
      records(asArray(frame) ?? [frame]).map((message) => readName(message, 'event_type') ?? 'no event_type'),
  },
  {
    name: 'market resolutions',
    path: /\/v2\/resolutions$/,
    shapes: ['resolved', 'proposed', 'disputed'],
    classify: (answer) =>
      records(asRecord(answer)?.data).map((row) => readText(row, 'status') ?? 'without a status'),
  },
];

export const SHARED_FEEDS: readonly ShapeFeed[] = [
  {
    name: 'positions',
    path: /\/v2\/positions$/,
    shapes: ['OPEN', 'MERGEABLE', 'REDEEMABLE', 'REDEEMABLE_LOST', 'CLOSED', 'without a status'],
    classify: (answer) =>
      records(asRecord(answer)?.data).map((row) => readName(row, 'status') ?? 'without a status'),
  },
  {
    name: 'reference prices',
    path: /\/ws$/,
    shapes: ['authed', 'subscribed', 'snapshot', 'update', 'average'],
    classify: (frame) => classifyPrice(asRecord(frame) ?? {}),
  },
];

function classifyPrice(frame: WireRecord): string[] {
  const op = readName(frame, 'op');
  if (op === 'error') return [`error '${readName(frame, 'code') ?? 'no code'}'`];
  if (op !== null) return [op];
  const channel = readName(frame, 'channel') ?? 'no channel';
  if (!channel.startsWith('price.crypto')) return [`channel '${channel}'`];
  const isSnapshot = readFlag(frame, 'snapshot') === true;
  return [isSnapshot ? 'snapshot' : 'update', ...(channel.endsWith('.twap') ? ['average'] : [])];
}
