// The simulator's markets as the exchange sees them: listing data, and the crowd's book in integer units.

import { MICRO, toPips } from '../../src/domain/units.ts';
import { hashNumbers } from '../chance.ts';
import type { BookLevel as CrowdLevel } from '../market/quotes.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { readTokenBook, readTokenPrice } from '../trading/token-book.ts';
import type { BookLevel } from './matching/order-book.ts';
import type { ExchangeMarket, MarketDirectory } from './types.ts';

const MIN_ORDER_SHARES = 5;
const FLOW_SEED = 0xf10;
/** Hourly trades in a market with a certain outcome, and the additional trades in one at even odds. */
const QUIET_TRADES = 2;
const BUSY_TRADES = 60;

export function createSimulatedMarkets(state: SimulatorState): MarketDirectory {
  function describe(ref: MarketRef, ts: number): ExchangeMarket {
    const { market, event } = ref;
    const price = readTokenPrice(ref, ts);
    return {
      conditionId: market.conditionId,
      tokenIds: market.tokenIds,
      outcomes: market.outcomes,
      tick: tickAt(state, event.tick, ts),
      minOrderShares: MIN_ORDER_SHARES,
      isNegRisk: event.isNegRisk,
      version: event.version,
      fee: { rate: event.fee.rate, exponent: 1 },
      tradesPerHour: tradesPerHour(price.mid),
      key: flowKey(state, market.marketId),
      isClosed: price.closedTs !== null,
      winner: price.winner,
    };
  }

  return {
    byToken(tokenId, ts) {
      const ref = state.findToken(tokenId, ts);
      return ref && describe(ref, ts);
    },
    byCondition(conditionId, ts) {
      const ref = state.findCondition(conditionId, ts);
      return ref && describe(ref, ts);
    },
    quote(conditionId, ts) {
      const ref = state.findCondition(conditionId, ts);
      if (!ref || readTokenPrice(ref, ts).closedTs !== null) return { bids: [], asks: [] };
      const { book } = readTokenBook(state, { ...ref, side: 0 }, ts);
      return { bids: book.bids.map(toLevel), asks: book.asks.map(toLevel) };
    },
  };
}

function tradesPerHour(mid: number): number {
  return QUIET_TRADES + BUSY_TRADES * mid * (1 - mid);
}

/** Decides a market's trades, together with their time. */
function flowKey({ seedKey }: Pick<SimulatorState, 'seedKey'>, marketId: number): number {
  return hashNumbers(seedKey, marketId, FLOW_SEED);
}

/** A fault changes the tick size, so that clients' cached values are wrong. */
export function tickAt({ faults }: Pick<SimulatorState, 'faults'>, tick: number, ts: number): number {
  if (!faults.isOn('exchange-tick', ts)) return tick;
  return tick === 0.01 ? 0.001 : 0.01;
}

function toLevel({ price, shares }: CrowdLevel): BookLevel {
  return { pricePips: toPips(price), sizeMicro: Math.round(shares * MICRO) };
}
