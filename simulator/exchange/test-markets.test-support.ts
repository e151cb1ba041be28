// One market with a static crowd, for tests: bids at 0.39 and below, asks at 0.41 and above, 100 shares each.

import { MICRO } from '../../src/domain/units.ts';
import type { ExchangeMarket, MarketDirectory } from './types.ts';

export const TEST_MARKET: ExchangeMarket = {
  conditionId: `0x${'c0'.repeat(32)}`,
  tokenIds: ['1111111111', '2222222222'],
  outcomes: ['Yes', 'No'],
  tick: 0.01,
  minOrderShares: 5,
  isNegRisk: false,
  version: 'v1',
  fee: { rate: 0.05, exponent: 1 },
  tradesPerHour: 30,
  key: 99,
  isClosed: false,
  winner: null,
};

export interface TestMarkets extends MarketDirectory {
  hasCrowd: boolean;
  winner: 0 | 1 | null;
}

export function makeTestMarkets(market: ExchangeMarket = TEST_MARKET): TestMarkets {
  const levels = (prices: number[]) => prices.map((pricePips) => ({ pricePips, sizeMicro: 100 * MICRO }));
  const directory: TestMarkets = {
    hasCrowd: true,
    winner: null,
    byToken: (tokenId) => (market.tokenIds.includes(tokenId) ? now() : null),
    byCondition: (conditionId) => (conditionId === market.conditionId ? now() : null),
    quote: () =>
      directory.hasCrowd
        ? { bids: levels([3900, 3800, 3700]), asks: levels([4100, 4200, 4300]) }
        : { bids: [], asks: [] },
  };
  const now = (): ExchangeMarket => ({
    ...market,
    winner: directory.winner,
    isClosed: directory.winner !== null,
  });
  return directory;
}
