// Public market data: books over HTTP on demand, trades over the market's websocket.

import { toPips } from '../../../domain/micro-units.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Print } from '../../paper/fill-model.ts';
import type { MarketFeed } from '../../paper/paper-venue.ts';
import type { Action, MarketTerms } from '../../types.ts';
import { readTerms } from './read-terms.ts';
import { openSocket } from './socket.ts';
import { readBook, toMicro, type WireBook } from './wire.ts';

export interface MarketFeedOptions {
  url: string;
  socketUrl: string;
  feePaidIn: MarketTerms['feePaidIn'];
  clock: Clock;
  logger: Logger;
}

export interface ClosableFeed extends MarketFeed {
  close(): void;
}

interface WirePrint {
  event_type?: string;
  asset_id?: string;
  price?: string;
  size?: string;
  side?: Action;
  timestamp?: string;
}

const TIMEOUT_MS = 4_000;
const TERMS_AGE_MS = 60_000;
/** Older trades no longer confirm anything. */
const KEEP_MS = 30 * 60_000;

export function openMarketFeed(options: MarketFeedOptions): ClosableFeed {
  const { clock } = options;
  const prints = new Map<string, Print[]>();
  const watched = new Set<string>();
  const knownTerms = new Map<string, { terms: MarketTerms; ts: number }>();

  async function get(path: string): Promise<unknown> {
    const response = await fetch(`${options.url}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${path.split('?')[0]}: ${response.status}`);
    return response.json();
  }

  const socket = openSocket({
    ...options,
    url: options.socketUrl,
    onOpen: () => subscribe([...watched]),
    onMessage: receive,
  });

  function subscribe(tokenIds: readonly string[]): void {
    if (tokenIds.length > 0) socket.send({ type: 'market', assets_ids: tokenIds, initial_dump: false });
  }

  function receive(message: unknown): void {
    const print = message as WirePrint;
    if (print.event_type !== 'last_trade_price' || !print.asset_id) return;
    keep({
      tokenId: print.asset_id,
      ts: Number(print.timestamp),
      pricePips: toPips(Number(print.price)),
      sizeMicro: toMicro(print.size ?? '0'),
      takerAction: print.side === 'SELL' ? 'SELL' : 'BUY',
    });
  }

  function keep(print: Print): void {
    const kept = (prints.get(print.tokenId) ?? []).filter(({ ts }) => ts > print.ts - KEEP_MS);
    kept.push(print);
    prints.set(print.tokenId, kept);
  }

  return {
    book: async (tokenId) => readBook((await get(`/book?token_id=${tokenId}`)) as WireBook),
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
