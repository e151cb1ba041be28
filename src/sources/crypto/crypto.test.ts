import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOW_TS } from '../../../test/support/scripted-sources.ts';
import { readListedEvent } from '../market/wire.ts';
import { parseCryptoMarket } from './parse.ts';

const start = NOW_TS - 5 * 60_000;

function upDown(fields: object = {}): Record<string, unknown> {
  return {
    id: '260654',
    title: 'Bitcoin Up or Down - August 16, 7:55AM-8:10AM ET',
    slug: `btc-updown-15m-${start / 1000}`,
    endDate: new Date(start + 900_000).toISOString(),
    description: 'Information from Chainlink, the BTC/USD data stream.',
    seriesSlug: 'btc-up-or-down-15m',
    series: [{ slug: 'btc-up-or-down-15m', recurrence: '15m' }],
    eventMetadata: { priceToBeat: 61_250.5 },
    volume: 10,
    liquidity: 20,
    markets: [
      {
        conditionId: '0x1',
        outcomes: '["Up", "Down"]',
        outcomePrices: '["0.505", "0.495"]',
        clobTokenIds: '["1", "2"]',
        bestBid: 0.5,
        bestAsk: 0.51,
        feeSchedule: { rate: 0.07, exponent: 1 },
      },
    ],
    ...fields,
  };
}

describe('crypto markets', () => {
  it('of the up-or-down kind have two tokens and a price to beat', () => {
    const market = parseCryptoMarket(readListedEvent(upDown())!)!;
    assert.deepEqual(
      [market.asset, market.marketType, market.interval, market.strike],
      ['BTC', 'updown', '15m', 61_250.5],
    );
    assert.deepEqual([market.startTs, market.endTs], [start, start + 900_000]);
    assert.deepEqual(
      market.tokens.map(({ label, bestBid, bestAsk }) => [label, bestBid, bestAsk]),
      [
        ['Up', 0.5, 0.51],
        ['Down', 0.49, 0.5],
      ],
    );
    assert.equal(market.feeRate, 0.07);
  });

  it('have no strike until the market publishes it', () => {
    assert.equal(parseCryptoMarket(readListedEvent(upDown({ eventMetadata: undefined }))!)!.strike, null);
  });

  it('are distinguished by kind', () => {
    const kind = (slug: string, title: string) =>
      parseCryptoMarket(readListedEvent(upDown({ slug, title }))!)?.marketType;
    assert.equal(kind('bitcoin-above-on-march-12', 'Bitcoin above ___ on March 12?'), 'above');
    assert.equal(kind('bitcoin-price-on-march-12', 'Bitcoin price on March 12?'), 'range');
    assert.equal(
      kind('what-price-will-bitcoin-hit-march-9-15', 'What price will Bitcoin hit March 9-15?'),
      'touch',
    );
    assert.equal(kind('bitcoin-up-or-down-july-7-2026-12am-et', 'Bitcoin Up or Down'), 'updown');
    assert.equal(kind('somebody-of-tweets', 'Somebody # tweets'), undefined);
  });

  it('name what they settle on only if their configuration or rules do', () => {
    const settle = (fields: object) => parseCryptoMarket(readListedEvent(upDown(fields))!)!.referenceSource;
    const [market] = upDown().markets as object[];
    const configured = (cryptoMarketConfig: object, more: object = {}) =>
      settle({ markets: [{ ...market, cryptoMarketConfig, ...more }] });
    assert.equal(settle({}), null);
    assert.equal(configured({ twapEnabled: true, twapLookbackSeconds: 60 }), 'chainlink-twap-60s');
    assert.equal(
      configured({ twapEnabled: true, twapLookbackSeconds: 30 }),
      null,
      'an average over another period',
    );
    const resolutionSource = 'https://data.chain.link/streams/btc-usd-twap-60s-streams';
    assert.equal(configured({ twapEnabled: true }, { resolutionSource }), 'chainlink-twap-60s');
    assert.equal(configured({ twapEnabled: false }, { resolutionSource }), null);
    assert.equal(settle({ resolutionSource }), 'chainlink-twap-60s');
    const hourly = { slug: 'bitcoin-up-or-down-july-7-2026-12am-et', seriesSlug: 'h', series: [] };
    assert.equal(settle({ ...hourly, description: 'the Binance candle' }), null);
    assert.equal(settle({ ...hourly, description: 'the Pyth price feed' }), 'pyth-spot');
    assert.equal(settle({ ...hourly, description: 'the 60-second TWAP' }), 'chainlink-twap-60s');
  });
});
