// Local order books built from websocket messages, and their quotes. Levels arrive worst first, contrary to
// some documentation, so the best price is always computed.

import type { Quote } from '../../domain/quote.ts';
import type { BookMessage, BookWire, LevelWire, PriceChangeWire } from './book-wire.ts';
import { isTradePrice } from './book-wire.ts';

interface Book {
  /** True once a snapshot has arrived, so that an empty side means empty and not unknown. */
  isWhole: boolean;
  bids: Map<number, number>;
  asks: Map<number, number>;
  lastTradePrice: number | null;
  /** Sent by the server with a change; undefined if we only know our own levels. */
  bestBid: number | null | undefined;
  bestAsk: number | null | undefined;
}

export interface Books {
  /** Applies a message and returns the changed quotes. */
  apply(message: BookMessage, observedTs: number): Quote[];
  /** Forgets books that may have changed unseen. */
  drop(tokenIds: Iterable<string>): void;
  /** Drops tokens that are no longer subscribed. */
  retain(tokenIds: ReadonlySet<string>): void;
}

export function createBooks(): Books {
  const books = new Map<string, Book>();

  function open(tokenId: string): Book {
    let book = books.get(tokenId);
    if (!book) books.set(tokenId, (book = emptyBook()));
    return book;
  }

  function touch(message: BookMessage): string[] {
    switch (message.kind) {
      case 'book':
        books.set(message.book.tokenId, fromSnapshot(message.book, books.get(message.book.tokenId)));
        return [message.book.tokenId];
      case 'changes':
        for (const change of message.changes) applyChange(open(change.tokenId), change);
        return [...new Set(message.changes.map((change) => change.tokenId))];
      case 'trade':
        if (!isTradePrice(message.price)) return [];
        open(message.tokenId).lastTradePrice = message.price;
        return [message.tokenId];
      case 'best':
        Object.assign(open(message.tokenId), { bestBid: message.bid, bestAsk: message.ask });
        return [message.tokenId];
      case 'tick':
        // Levels with the old tick size are invalid; a snapshot follows.
        books.delete(message.tokenId);
        return [];
      case 'broken':
        // We cannot know what it changed until the next snapshot.
        for (const tokenId of message.tokenIds) books.delete(tokenId);
        return [];
      default:
        return [];
    }
  }

  return {
    apply: (message, observedTs) =>
      touch(message)
        .filter((tokenId) => canQuote(books.get(tokenId)!))
        .map((tokenId) => toQuote(tokenId, books.get(tokenId)!, observedTs)),
    drop(tokenIds) {
      for (const tokenId of tokenIds) books.delete(tokenId);
    },
    retain(tokenIds) {
      for (const tokenId of books.keys()) if (!tokenIds.has(tokenId)) books.delete(tokenId);
    },
  };
}

/** A trade before the snapshot must not erase a quote from another source. */
function canQuote(book: Book): boolean {
  return book.isWhole || (book.bestBid !== undefined && book.bestAsk !== undefined);
}

function emptyBook(): Book {
  return {
    isWhole: false,
    bids: new Map(),
    asks: new Map(),
    lastTradePrice: null,
    bestBid: undefined,
    bestAsk: undefined,
  };
}

function fromSnapshot(wire: BookWire, before: Book | undefined): Book {
  return {
    ...emptyBook(),
    isWhole: true,
    bids: toLevels(wire.bids),
    asks: toLevels(wire.asks),
    lastTradePrice: wire.lastTradePrice ?? before?.lastTradePrice ?? null,
  };
}

function toLevels(levels: readonly LevelWire[]): Map<number, number> {
  return new Map(levels.map((level) => [level.price, level.shares]));
}

function applyChange(book: Book, change: PriceChangeWire): void {
  const side = change.side === 'bid' ? book.bids : book.asks;
  if (change.shares <= 0) side.delete(change.price);
  else side.set(change.price, change.shares);
  book.bestBid = change.bestBid;
  book.bestAsk = change.bestAsk;
}

function toQuote(tokenId: string, book: Book, observedTs: number): Quote {
  const bid = book.bestBid === undefined ? pickBest(book.bids, Math.max) : book.bestBid;
  const ask = book.bestAsk === undefined ? pickBest(book.asks, Math.min) : book.bestAsk;
  return {
    tokenId,
    bid,
    ask,
    bidShares: bid === null ? null : (book.bids.get(bid) ?? null),
    askShares: ask === null ? null : (book.asks.get(ask) ?? null),
    lastTradePrice: book.lastTradePrice,
    observedTs,
  };
}

function pickBest(
  levels: Map<number, number>,
  better: (left: number, right: number) => number,
): number | null {
  let best: number | null = null;
  for (const price of levels.keys()) best = best === null ? price : better(best, price);
  return best;
}

/** A quote from a fully fetched book. */
export function quoteOfBook(wire: BookWire, observedTs: number): Quote {
  return toQuote(wire.tokenId, fromSnapshot(wire, undefined), observedTs);
}
