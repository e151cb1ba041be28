// Payloads we read from the order-book API and its websocket. All numbers are decimal strings.

import {
  asArray,
  asRecord,
  readConditionId,
  readJsonTexts,
  readName,
  readNumber,
  readPrice,
  toPrice,
  type WireRecord,
} from '../wire-reader.ts';

export interface LevelWire {
  price: number;
  shares: number;
}

export interface BookWire {
  tokenId: string;
  bids: readonly LevelWire[];
  asks: readonly LevelWire[];
  lastTradePrice: number | null;
}

export interface PriceChangeWire {
  tokenId: string;
  side: 'bid' | 'ask';
  price: number;
  shares: number;
  /** undefined if the message does not include it; null if that side is empty. */
  bestBid: number | null | undefined;
  bestAsk: number | null | undefined;
}

export type BookMessage =
  | { kind: 'book'; book: BookWire }
  | { kind: 'changes'; changes: readonly PriceChangeWire[] }
  | { kind: 'trade'; tokenId: string; price: number }
  | { kind: 'best'; tokenId: string; bid: number | null; ask: number | null }
  | { kind: 'tick'; tokenId: string }
  /** A message of a known type that cannot be read, so its book is out of date. */
  | { kind: 'broken'; eventType: string; tokenIds: readonly string[] }
  | { kind: 'resolved'; conditionId: string; winningTokenId: string; tokenIds: readonly string[] }
  | { kind: 'unknown'; eventType: string };

/** null without a token id or without both sides: half a book must not look complete. */
export function readBook(value: unknown): BookWire | null {
  const record = asRecord(value);
  const tokenId = record && readName(record, 'asset_id');
  // Older messages call the sides buys and sells.
  const bids = record && readLevels(record.bids ?? record.buys);
  const asks = record && readLevels(record.asks ?? record.sells);
  if (!record || !tokenId || !bids || !asks) return null;
  return { tokenId, bids, asks, lastTradePrice: readTradePrice(record.last_trade_price) };
}

/** null if any level is unreadable, because it might be the best price. Empty levels are dropped. */
function readLevels(value: unknown): LevelWire[] | null {
  const levels = asArray(value)?.map((level) => readLevel(asRecord(level) ?? {}));
  if (!levels || levels.includes(null)) return null;
  return levels.filter((level): level is LevelWire => level !== null && level.shares > 0);
}

function readLevel(record: WireRecord): LevelWire | null {
  const price = readPrice(record, 'price');
  const shares = readNumber(record, 'size');
  return price !== null && shares !== null && shares >= 0 ? { price, shares } : null;
}

/** The server sends single messages and arrays of messages. */
export function readBookMessages(value: unknown): BookMessage[] {
  return (asArray(value) ?? [value]).map((item) => readBookMessage(asRecord(item) ?? {}));
}

function readBookMessage(record: WireRecord): BookMessage {
  const eventType = readName(record, 'event_type');
  return eventType === null
    ? { kind: 'broken', eventType: 'no event_type', tokenIds: tokensNamedBy(record) }
    : (readTyped(record, eventType) ?? { kind: 'broken', eventType, tokenIds: tokensNamedBy(record) });
}

function readTyped(record: WireRecord, eventType: string): BookMessage | null {
  const tokenId = readName(record, 'asset_id');
  switch (eventType) {
    case 'book': {
      const book = readBook(record);
      return book && { kind: 'book', book };
    }
    case 'price_change': {
      const changes = readChanges(record);
      return changes && { kind: 'changes', changes };
    }
    case 'last_trade_price': {
      const price = readPrice(record, 'price');
      return tokenId && price !== null ? { kind: 'trade', tokenId, price } : null;
    }
    case 'best_bid_ask': {
      const isWhole = isSidePrice(record.best_bid) && isSidePrice(record.best_ask);
      return tokenId && isWhole ? { kind: 'best', tokenId, ...readBest(record) } : null;
    }
    case 'tick_size_change':
      return tokenId ? { kind: 'tick', tokenId } : null;
    case 'market_resolved':
      return readResolution(record);
    default:
      return { kind: 'unknown', eventType };
  }
}

/** Tokens that a message refers to, if any. */
function tokensNamedBy(record: WireRecord): string[] {
  const changes = asArray(record.price_changes) ?? asArray(record.changes) ?? [];
  const records = [record, ...changes.map((change) => asRecord(change) ?? {})];
  return [...new Set(records.flatMap((one) => readName(one, 'asset_id') ?? []))];
}

function readBest(record: WireRecord): { bid: number | null; ask: number | null } {
  return { bid: emptySideAsNull(record.best_bid, 'bid'), ask: emptySideAsNull(record.best_ask, 'ask') };
}

/** Whether the value is a price or one of the notations for an empty side. */
function isSidePrice(value: unknown): boolean {
  return value === null || value === undefined || value === '' || toPrice(value) !== null;
}

/** An empty side is written as a bid of 0 or an ask of 0 or 1. */
export function emptySideAsNull(value: unknown, side: 'bid' | 'ask'): number | null {
  const price = toPrice(value);
  return price === null || price === 0 || (side === 'ask' && price === 1) ? null : price;
}

/** Trades never happen at 0 or 1; such a price means there has been no trade yet. */
export function readTradePrice(value: unknown): number | null {
  const price = toPrice(value);
  return price !== null && isTradePrice(price) ? price : null;
}

export function isTradePrice(price: number): boolean {
  return price > 0 && price < 1;
}

/** null if any change is unreadable, because the book would diverge from the market's. */
function readChanges(record: WireRecord): PriceChangeWire[] | null {
  const changes = (asArray(record.price_changes) ?? asArray(record.changes))?.map((item) =>
    readChange(asRecord(item) ?? {}, record),
  );
  if (!changes || changes.includes(null)) return null;
  return changes.filter((change) => change !== null);
}

function readChange(change: WireRecord, record: WireRecord): PriceChangeWire | null {
  const tokenId = readName(change, 'asset_id') ?? readName(record, 'asset_id');
  const price = readPrice(change, 'price');
  const shares = readNumber(change, 'size');
  const side = readName(change, 'side')?.toUpperCase();
  if (!tokenId || price === null || shares === null || (side !== 'BUY' && side !== 'SELL')) return null;
  if (!isSidePrice(change.best_bid) || !isSidePrice(change.best_ask)) return null;
  const bestBid = isStated(change.best_bid) ? emptySideAsNull(change.best_bid, 'bid') : undefined;
  const bestAsk = isStated(change.best_ask) ? emptySideAsNull(change.best_ask, 'ask') : undefined;
  return { tokenId, side: side === 'BUY' ? 'bid' : 'ask', price, shares, bestBid, bestAsk };
}

/** In a change, null says nothing about a side; an empty side has a price of 0 or 1. */
function isStated(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

function readResolution(record: WireRecord): BookMessage | null {
  const conditionId = readConditionId(record, 'market');
  const winningTokenId = readName(record, 'winning_asset_id');
  if (!conditionId || !winningTokenId) return null;
  const tokenIds = [...new Set([winningTokenId, ...(readJsonTexts(record, 'assets_ids') ?? [])])];
  return { kind: 'resolved', conditionId, winningTokenId, tokenIds };
}

/** Tokens that a message concerns; none for a broadcast. */
export function tokensOf(message: BookMessage): readonly string[] {
  switch (message.kind) {
    case 'book':
      return [message.book.tokenId];
    case 'changes':
      return message.changes.map(({ tokenId }) => tokenId);
    case 'resolved':
    case 'broken':
      return message.tokenIds;
    case 'unknown':
      return [];
    default:
      return [message.tokenId];
  }
}
