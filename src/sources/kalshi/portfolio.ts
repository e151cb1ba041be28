// A member's holdings, read with the member's key. The key is used only for reading.

import type { WalletPosition } from '../../domain/position.ts';
import { SourceError } from '../../runtime/errors.ts';
import type { Fetch, HttpTransport } from '../http-transport.ts';
import { eventIdOf, tokenIdOf } from './parse.ts';
import type { SignRequest } from './signing.ts';
import {
  explainRefusal,
  isUnauthorised,
  type KalshiMarketWire,
  type PositionWire,
  readMarketPage,
  readPositions,
  unexpectedShape,
} from './wire.ts';

const MAX_PAGES = 100;
const TICKERS_PER_CALL = 100;

/** Signs every request; the query is not part of the signature. */
export function signFetch(fetch: Fetch, sign: SignRequest, now: () => number): Fetch {
  return (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...init.headers, ...sign(init.method ?? 'GET', new URL(url).pathname, now()) },
    });
}

/** Returns all holdings or throws; `http` signs its requests. */
export async function fetchKalshiPositions(
  http: HttpTransport,
  member: string,
  signal: AbortSignal,
): Promise<WalletPosition[]> {
  const held = (await readAll(http, signal)).filter(({ contracts }) => contracts !== 0);
  const markets = new Map<string, KalshiMarketWire>();
  for (let at = 0; at < held.length; at += TICKERS_PER_CALL) {
    const tickers = held.slice(at, at + TICKERS_PER_CALL).map(({ ticker }) => ticker);
    const query = { tickers: tickers.join(','), limit: TICKERS_PER_CALL };
    for (const market of readMarketPage(await http.getJson('/markets', query, signal)).markets)
      markets.set(market.ticker, market);
  }
  return held.map((position) => toPosition(position, markets.get(position.ticker), member));
}

async function readAll(http: HttpTransport, signal: AbortSignal): Promise<PositionWire[]> {
  const positions: PositionWire[] = [];
  let cursor: string | null = null;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const read = readPositions(await http.getJson('/portfolio/positions', { limit: 200, cursor }, signal));
      positions.push(...read.positions);
      if (read.cursor === null) return positions;
      cursor = read.cursor;
    }
  } catch (error) {
    if (error instanceof SourceError && isUnauthorised(error)) throw explainRefusal(error);
    throw error;
  }
  throw unexpectedShape('the position cursor');
}

function toPosition(
  { ticker, contracts, costUsd }: PositionWire,
  market: KalshiMarketWire | undefined,
  member: string,
): WalletPosition {
  const isYes = contracts > 0;
  const shares = Math.abs(contracts);
  const bid = isYes ? market?.yesBid : market?.yesAsk == null ? null : 1 - market.yesAsk;
  const last = market?.lastPrice ?? null;
  const currentPrice = bid ?? (last === null ? 0 : isYes ? last : 1 - last);
  const eventTicker = ticker.slice(0, ticker.lastIndexOf('-'));
  return {
    wallet: member,
    tokenId: tokenIdOf(ticker, isYes ? 'yes' : 'no'),
    conditionId: ticker,
    eventId: eventIdOf(eventTicker),
    eventSlug: eventTicker,
    side: isYes ? 'Yes' : 'No',
    shares,
    avgPrice: costUsd / shares,
    costUsd,
    currentPrice,
    currentValueUsd: shares * currentPrice,
    isRedeemable: false,
  };
}
