// The second venue's markets as the exchange sees them: a Yes and a No token each, and the crowd's book.

import { MICRO, toPips } from '../../src/domain/units.ts';
import { hashLabel } from '../../src/runtime/random.ts';
import { hashNumbers } from '../chance.ts';
import type { BookLevel } from '../exchange/matching/order-book.ts';
import type { ExchangeMarket, MarketDirectory } from '../exchange/types.ts';
import { feeRateOf } from '../kalshi/contracts.ts';
import { KALSHI_TICK, type KalshiMarket, type KalshiVenue } from '../kalshi/venue.ts';
import type { BookLevel as CrowdLevel } from '../market/quotes.ts';

const FLOW_SEED = 0xca1;
/** Hourly trades in a market with a certain outcome, and the additional trades in one at even odds. */
const QUIET_TRADES = 1;
const BUSY_TRADES = 30;
const MIN_ORDER_SHARES = 0.01;

export function tokenOf(ticker: string, side: 'yes' | 'no'): string {
  return `${ticker}:${side}`;
}

export function createKalshiMarkets(venue: KalshiVenue, seedKey: number): MarketDirectory {
  function describe(market: KalshiMarket, ts: number): ExchangeMarket {
    const { contract, range, ticker } = market;
    const final = venue.finalCount(contract, ts);
    const { last } = venue.price(market, Math.min(ts, contract.closeTs));
    const isWon = final !== null && final >= range.lo && (range.hi === null || final <= range.hi);
    return {
      conditionId: ticker,
      tokenIds: [tokenOf(ticker, 'yes'), tokenOf(ticker, 'no')],
      outcomes: ['Yes', 'No'],
      tick: KALSHI_TICK,
      minOrderShares: MIN_ORDER_SHARES,
      isNegRisk: false,
      version: 'v1',
      fee: { rate: feeRateOf(contract.kind), exponent: 1 },
      tradesPerHour: QUIET_TRADES + BUSY_TRADES * last * (1 - last),
      key: hashNumbers(seedKey, hashLabel(ticker), FLOW_SEED),
      isClosed: ts >= contract.closeTs || contract.kind === 'other',
      winner: final === null ? null : isWon ? 0 : 1,
    };
  }

  function byCondition(ticker: string, ts: number): ExchangeMarket | null {
    const market = venue.find(ticker, ts);
    return market && describe(market, ts);
  }

  return {
    byCondition,
    byToken: (tokenId, ts) => byCondition(tokenId.slice(0, tokenId.lastIndexOf(':')), ts),
    quote(ticker, ts) {
      const market = venue.find(ticker, ts);
      if (!market) return { bids: [], asks: [] };
      const { bids, asks } = venue.book(market, ts);
      return { bids: bids.map(toLevel), asks: asks.map(toLevel) };
    },
  };
}

function toLevel({ price, shares }: CrowdLevel): BookLevel {
  return { pricePips: toPips(price), sizeMicro: Math.round(shares * MICRO) };
}
