// Payloads of the order-book API and its websocket that we read. All figures are decimal strings.

import { canonicalConditionId } from '../condition-id.ts';
import type { WireRecord } from '../wire-reader.ts';
import {
  asArray,
  asRecord,
  readJsonTexts,
  readName,
  readNumber,
  readPrice,
  toPrice,
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
  /** undefined when the message does not tell; null when that side is empty. */
  bestBid: number | null | undefined;
  bestAsk: number | null | undefined;
}

export type BookMessage =
  | { kind: 'book'; book: BookWire }
  | { kind: 'changes'; changes: readonly PriceChangeWire[] }
  | { kind: 'trade'; tokenId: string; price: number }
  | { kind: 'best'; tokenId: string; bid: number | null; ask: number | null }
  | { kind: 'tick'; tokenId: string }
  | { kind: 'resolved'; conditionId: string; winningTokenId: string; tokenIds: readonly string[] }
  | { kind: 'unknown'; eventType: string };

/** null without a token id or either side: half a book must not pass for a whole one. */
export function readBook(value: unknown): BookWire | null {
  const record = asRecord(value);
  const tokenId = record && readName(record, 'asset_id');
  // Older pushes call the sides buys and sells.
  const bids = record && readLevels(record.bids ?? record.buys);
  const asks = record && readLevels(record.asks ?? record.sells);
  if (!record || !tokenId || !bids || !asks) return null;
  return { tokenId, bids, asks, lastTradePrice: readTradePrice(record.last_trade_price) };
}

function readLevels(value: unknown): LevelWire[] | null {
  const levels = asArray(value);
  return levels?.flatMap((level) => readLevel(asRecord(level) ?? {}) ?? []) ?? null;
}

function readLevel(record: WireRecord): LevelWire | null {
  const price = readPrice(record, 'price');
  const shares = readNumber(record, 'size');
  return price !== null && shares !== null && shares > 0 ? { price, shares } : null;
}

/** One message or several in an array: the server sends both. */
export function readBookMessages(value: unknown): BookMessage[] {
  return (asArray(value) ?? [value]).flatMap((item) => readBookMessage(asRecord(item) ?? {}) ?? []);
}

function readBookMessage(record: WireRecord): BookMessage | null {
  const eventType = readName(record, 'event_type') ?? '';
  const tokenId = readName(record, 'asset_id');
  switch (eventType) {
    case 'book': {
      const book = readBook(record);
      return book && { kind: 'book', book };
    }
    case 'price_change':
      return { kind: 'changes', changes: readChanges(record) };
    case 'last_trade_price': {
      const price = readTradePrice(record.price);
      return tokenId && price !== null ? { kind: 'trade', tokenId, price } : null;
    }
    case 'best_bid_ask':
      return tokenId ? { kind: 'best', tokenId, ...readBest(record) } : null;
    case 'tick_size_change':
      return tokenId ? { kind: 'tick', tokenId } : null;
    case 'market_resolved':
      return readResolution(record);
    default:
      return eventType ? { kind: 'unknown', eventType } : null;
  }
}

function readBest(record: WireRecord): { bid: number | null; ask: number | null } {
  return { bid: emptySideAsNull(record.best_bid, 'bid'), ask: emptySideAsNull(record.best_ask, 'ask') };
}

/** An empty side is written as a bid of 0 or an ask of 0 or 1. */
export function emptySideAsNull(value: unknown, side: 'bid' | 'ask'): number | null {
  const price = toPrice(value);
  return price === null || price === 0 || (side === 'ask' && price === 1) ? null : price;
}

/** Nothing is ever traded at 0 or 1: that is how it is written that nothing was traded yet. */
export function readTradePrice(value: unknown): number | null {
  const price = toPrice(value);
  return price !== null && price > 0 && price < 1 ? price : null;
}

function readChanges(record: WireRecord): PriceChangeWire[] {
  return (asArray(record.price_changes) ?? asArray(record.changes) ?? []).flatMap((item) => {
    const change = asRecord(item) ?? {};
    const tokenId = readName(change, 'asset_id') ?? readName(record, 'asset_id');
    const price = readPrice(change, 'price');
    const shares = readNumber(change, 'size');
    const side = readName(change, 'side')?.toUpperCase();
    if (!tokenId || price === null || shares === null || (side !== 'BUY' && side !== 'SELL')) return [];
    const bestBid = change.best_bid === undefined ? undefined : emptySideAsNull(change.best_bid, 'bid');
    const bestAsk = change.best_ask === undefined ? undefined : emptySideAsNull(change.best_ask, 'ask');
    return [{ tokenId, side: side === 'BUY' ? 'bid' : 'ask', price, shares, bestBid, bestAsk }];
  });
}

function readResolution(record: WireRecord): BookMessage | null {
  const conditionId = readName(record, 'market');
  const winningTokenId = readName(record, 'winning_asset_id');
  if (!conditionId || !winningTokenId) return null;
  const tokenIds = [...new Set([winningTokenId, ...(readJsonTexts(record, 'assets_ids') ?? [])])];
  return { kind: 'resolved', conditionId: canonicalConditionId(conditionId), winningTokenId, tokenIds };
}

/** Tokens that a message is about; none for what is told to everybody. */
export function tokensOf(message: BookMessage): readonly string[] {
  switch (message.kind) {
    case 'book':
      return [message.book.tokenId];
    case 'changes':
      return message.changes.map(({ tokenId }) => tokenId);
    case 'resolved':
      return message.tokenIds;
    case 'unknown':
      return [];
    default:
      return [message.tokenId];
  }
}
