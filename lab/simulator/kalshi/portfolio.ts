// A member's holdings: Yes and No in every open contract, as a function of seed and key.

import { hashLabel } from '../../../src/runtime/random.ts';
import { chance } from '../chance.ts';
import type { KalshiMember } from './signing.ts';
import type { KalshiMarket, KalshiVenue } from './venue.ts';
import { contracts, dollars, statusOf, toIso } from './wire.ts';

interface Holding {
  market: KalshiMarket;
  /** Negative for No, as the venue writes it. */
  contracts: number;
  costUsd: number;
}

function holdingsOf(venue: KalshiVenue, seedKey: number, member: KalshiMember, nowTs: number): Holding[] {
  const key = seedKey ^ hashLabel(member.keyId);
  return venue
    .contracts(nowTs)
    .filter((contract) => contract.kind !== 'other' && statusOf(contract, nowTs) === 'open')
    .flatMap((contract) => {
      const markets = venue.markets(contract);
      return [1, 2].map((number) => {
        const market = markets[Math.floor(chance(key, hashLabel(contract.ticker), number) * markets.length)]!;
        const size = 10 + Math.floor(90 * chance(key, hashLabel(contract.ticker), number, 2));
        const { last } = venue.price(market, contract.openTs);
        const isYes = number === 1;
        return {
          market,
          contracts: isYes ? size : -size,
          costUsd: Math.round(size * (isYes ? last : 1 - last) * 100) / 100,
        };
      });
    });
}

export function toPositionsWire(venue: KalshiVenue, seedKey: number, member: KalshiMember, nowTs: number) {
  const holdings = holdingsOf(venue, seedKey, member, nowTs);
  const byTicker = new Map(holdings.map((holding) => [holding.market.ticker, holding]));
  return {
    market_positions: [...byTicker.values()].map(({ market, contracts: held, costUsd }) => ({
      ticker: market.ticker,
      exchange_index: 0,
      total_traded_dollars: dollars(costUsd),
      position_fp: contracts(held),
      market_exposure_dollars: dollars(costUsd),
      realized_pnl_dollars: dollars(0),
      fees_paid_dollars: dollars(0.35),
      last_updated_ts: toIso(market.contract.openTs),
    })),
    event_positions: [...new Set(holdings.map(({ market }) => market.contract.ticker))].map(
      (event_ticker) => {
        const own = [...byTicker.values()].filter(({ market }) => market.contract.ticker === event_ticker);
        const costUsd = own.reduce((sum, holding) => sum + holding.costUsd, 0);
        return {
          event_ticker,
          total_cost_dollars: dollars(costUsd),
          total_cost_shares_fp: contracts(own.reduce((sum, holding) => sum + Math.abs(holding.contracts), 0)),
          event_exposure_dollars: dollars(costUsd),
          realized_pnl_dollars: dollars(0),
          fees_paid_dollars: dollars(0.7),
        };
      },
    ),
    cursor: '',
  };
}

export function toBalanceWire(nowTs: number) {
  return {
    balance: 50_000,
    balance_dollars: dollars(500),
    portfolio_value: 12_345,
    updated_ts: Math.floor(nowTs / 1_000),
    balance_breakdown: [{ exchange_index: 0, balance: dollars(500) }],
  };
}
