// Books, fees and results of Kalshi's markets.

import type { FeeTerms } from '../../../domain/taker-fee.ts';
import { MICRO, PIPS, toPips } from '../../../domain/units.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { feeRateOf, tokenIdOf } from '../../../sources/kalshi/parse.ts';
import {
  type BookWire,
  type KalshiMarketWire,
  type LevelWire,
  readBooks,
  readFeeChanges,
  readMarketPage,
  readSeries,
} from '../../../sources/kalshi/wire.ts';
import type { MarketTerms, PriceLevel, VenueBook } from '../../types.ts';
import { readFields } from '../answer-fields.ts';
import { splitToken } from './order-wire.ts';
import type { KalshiSession } from './session.ts';

export interface KalshiMarkets {
  books(tokenIds: readonly string[]): Promise<VenueBook[]>;
  terms(tokenId: string): Promise<MarketTerms>;
}

/** The exchange takes no more tickers in one request. */
const MAX_TICKERS = 100;
const FEE_HOLDS_MS = 10 * 60_000;
const DEFAULT_TICK = 0.01;

export function createKalshiMarkets({ get }: KalshiSession, clock: Clock): KalshiMarkets {
  const fees = new Map<string, { fee: FeeTerms; readTs: number }>();

  /** The event's own fee, the series' latest change in effect, or the series' fee. */
  async function feeOf(eventTicker: string): Promise<FeeTerms> {
    const known = fees.get(eventTicker);
    if (known && clock.now() - known.readTs < FEE_HOLDS_MS) return known.fee;
    const { event } = readFields(await get(`/events/${eventTicker}`), 'event');
    const { series_ticker, fee_multiplier_override } = readFields(event, 'event');
    const ticker = String(series_ticker);
    const listed = readSeries(await get(`/series/${ticker}`));
    const query = { series_ticker: ticker, show_historical: 'true' };
    const feeChanges = readFeeChanges(await get('/series/fee_changes', query));
    const override = typeof fee_multiplier_override === 'number' ? fee_multiplier_override : null;
    const rate = feeRateOf(override, { listed, feeChanges, nowTs: clock.now() });
    const fee = { rate, exponent: 1 };
    fees.set(eventTicker, { fee, readTs: clock.now() });
    return fee;
  }

  async function readMarkets(tickers: readonly string[]): Promise<Map<string, KalshiMarketWire>> {
    const { markets } = readMarketPage(
      await get('/markets', { tickers: tickers.join(','), limit: MAX_TICKERS }),
    );
    return new Map(markets.map((market) => [market.ticker, market]));
  }

  async function readSome(tickers: readonly string[]): Promise<Map<string, VenueBook>> {
    const [wires, markets] = await Promise.all([
      get('/markets/orderbooks', { tickers }),
      readMarkets(tickers),
    ]);
    const found = new Map<string, VenueBook>();
    for (const wire of readBooks(wires)) {
      const market = markets.get(wire.ticker);
      if (!market) continue;
      const fee = await feeOf(market.eventTicker);
      for (const book of toBooks(wire, market, fee)) found.set(book.tokenId, book);
    }
    return found;
  }

  return {
    async books(tokenIds) {
      const tickers = [...new Set(tokenIds.map((tokenId) => splitToken(tokenId).ticker))];
      const found = new Map<string, VenueBook>();
      for (let from = 0; from < tickers.length; from += MAX_TICKERS)
        for (const [id, book] of await readSome(tickers.slice(from, from + MAX_TICKERS))) found.set(id, book);
      return tokenIds.flatMap((tokenId) => found.get(tokenId) ?? []);
    },
    async terms(tokenId) {
      const { ticker } = splitToken(tokenId);
      const market = (await readMarkets([ticker])).get(ticker);
      if (!market) throw new Error(`the market ${ticker} is not listed`);
      const { result } = market;
      return {
        conditionId: ticker,
        fee: await feeOf(market.eventTicker),
        feePaidIn: 'usd',
        isFeeStated: true,
        isClosed: !isTrading(market),
        winningTokenId: result === 'yes' || result === 'no' ? tokenIdOf(ticker, result) : null,
      };
    },
  };
}

/** The venue lists bids only: an offer of Yes is a bid for No. */
function toBooks(
  { ticker, yesBids, noBids }: BookWire,
  market: KalshiMarketWire,
  fee: FeeTerms,
): VenueBook[] {
  const refusal = isTrading(market) ? null : `the market is ${market.status}`;
  const sides = [
    { side: 'yes', other: 'no', own: yesBids, others: noBids },
    { side: 'no', other: 'yes', own: noBids, others: yesBids },
  ] as const;
  return sides.map(({ side, other, own, others }) => ({
    tokenId: tokenIdOf(ticker, side),
    conditionId: ticker,
    bids: own.map(toLevel).sort((a, b) => b.pricePips - a.pricePips),
    asks: others
      .map(toLevel)
      .map(({ pricePips, sizeMicro }) => ({ pricePips: PIPS - pricePips, sizeMicro }))
      .sort((a, b) => a.pricePips - b.pricePips),
    tickPips: toPips(market.coarseTick ?? DEFAULT_TICK),
    minOrderMicro: MICRO,
    isNegRisk: false,
    refusesOrders: refusal,
    refusesBuys: null,
    contracts: { fee, otherTokenId: tokenIdOf(ticker, other) },
  }));
}

function toLevel({ price, shares }: LevelWire): PriceLevel {
  return { pricePips: toPips(price), sizeMicro: Math.round(shares * MICRO) };
}

function isTrading({ status }: KalshiMarketWire): boolean {
  return status === 'active' || status === 'open';
}
