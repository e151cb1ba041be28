// Public market data: books over HTTP on demand, trades over the market websocket.

import type { Clock } from '../../../runtime/clock.ts';
import { errorMessage } from '../../../runtime/errors.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Print } from '../../paper/fill-model.ts';
import type { MarketFeed } from '../../paper/paper-account.ts';
import type { MarketTerms } from '../../types.ts';
import { createListings } from './listings.ts';
import { isRefused, openSocket } from './socket.ts';
import { readBook, readPrint, readTerms } from './wire.ts';

export interface FeedAddress {
  url: string;
  gammaUrl: string;
  socketUrl: string;
}

export interface MarketFeedOptions extends FeedAddress {
  /** Finds the exchange again after a refused connection; absent if its address is fixed. */
  relocate?: (() => Promise<FeedAddress>) | undefined;
  feePaidIn: MarketTerms['feePaidIn'];
  clock: Clock;
  logger: Logger;
}

export interface ClosableFeed extends MarketFeed {
  close(): void;
}

const TIMEOUT_MS = 4_000;
const TERMS_AGE_MS = 60_000;
/** Trades older than this cannot confirm a fill. */
const KEEP_MS = 30 * 60_000;

export function openMarketFeed(options: MarketFeedOptions): ClosableFeed {
  const { clock, logger } = options;
  const prints = new Map<string, Print[]>();
  const watched = new Set<string>();
  const knownTerms = new Map<string, { terms: MarketTerms; ts: number }>();

  let address: FeedAddress = options;
  let moving: Promise<void> | null = null;

  /** Many requests are refused at once; they share one search. */
  function move(): Promise<void> {
    moving ??= findAgain().finally(() => {
      moving = null;
    });
    return moving;
  }

  async function findAgain(): Promise<void> {
    if (!options.relocate) return;
    try {
      const found = await options.relocate();
      if (found.url !== address.url) logger.info({ url: found.url }, 'exchange moved');
      address = found;
    } catch (error) {
      logger.warn({ error: errorMessage(error) }, 'search for exchange failed');
    }
  }

  async function request(path: string): Promise<Response> {
    const { url } = address;
    const ask = () => fetch(`${address.url}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    try {
      return await ask();
    } catch (error) {
      if (!isRefused(error)) throw error;
      await move();
      if (address.url === url) throw error;
      return ask();
    }
  }

  async function get(path: string): Promise<unknown> {
    const response = await request(path);
    if (!response.ok) throw new Error(`${path.split('?')[0]}: ${response.status}`);
    return response.json();
  }

  const listings = createListings({
    clock,
    get,
    // Read at every call: the exchange may move.
    get gammaUrl() {
      return address.gammaUrl;
    },
  });

  const socket = openSocket({
    ...options,
    url: () => address.socketUrl,
    onRefused: () => void move(),
    onOpen: () => subscribe([...watched]),
    onMessage: receive,
  });

  function subscribe(tokenIds: readonly string[]): void {
    if (tokenIds.length > 0) socket.send({ type: 'market', assets_ids: tokenIds, initial_dump: false });
  }

  /** Skips unreadable messages; a fill then just stays unconfirmed. */
  function receive(message: unknown): void {
    try {
      const print = readPrint(message);
      if (print) keep(print);
    } catch (error) {
      logger.debug({ error: errorMessage(error) }, 'market message skipped');
    }
  }

  function keep(print: Print): void {
    const kept = (prints.get(print.tokenId) ?? []).filter(({ ts }) => ts > print.ts - KEEP_MS);
    kept.push(print);
    prints.set(print.tokenId, kept);
  }

  return {
    async book(tokenId) {
      const book = readBook(await get(`/book?token_id=${tokenId}`));
      return { ...book, ...(await listings.refusals(tokenId, book.conditionId)) };
    },
    async terms(tokenId) {
      const known = knownTerms.get(tokenId);
      if (known && clock.now() - known.ts < TERMS_AGE_MS) return known.terms;
      const terms = await readTerms(get, tokenId, options.feePaidIn);
      knownTerms.set(tokenId, { terms, ts: clock.now() });
      return terms;
    },
    printsSince: (tokenId, ts) => (prints.get(tokenId) ?? []).filter((print) => print.ts > ts),
    watch(tokenId) {
      if (watched.has(tokenId)) return;
      watched.add(tokenId);
      subscribe([tokenId]);
    },
    close: socket.close,
  };
}
