// Reference prices of the simulated assets: a sum of smooth noise over many time scales, so that the price at
// any time can be computed directly.

import { DAY_MS } from '../../src/domain/units.ts';
import { hashNumbers, smoothNoise } from '../chance.ts';

export interface SimulatedAsset {
  /** Short name in slugs and series, and the name in titles. */
  ticker: string;
  word: string;
  /** Series slug stem of the hourly and longer families. */
  stem: string;
  basePrice: number;
  dailySd: number;
  /** Distance between strikes. */
  strikeStep: number;
  decimals: number;
}

export const ASSETS: readonly SimulatedAsset[] = [
  {
    ticker: 'btc',
    word: 'Bitcoin',
    stem: 'bitcoin',
    basePrice: 92_000,
    dailySd: 0.022,
    strikeStep: 2000,
    decimals: 2,
  },
  {
    ticker: 'eth',
    word: 'Ethereum',
    stem: 'ethereum',
    basePrice: 3_100,
    dailySd: 0.03,
    strikeStep: 100,
    decimals: 2,
  },
  {
    ticker: 'sol',
    word: 'Solana',
    stem: 'solana',
    basePrice: 165,
    dailySd: 0.038,
    strikeStep: 10,
    decimals: 3,
  },
  { ticker: 'xrp', word: 'XRP', stem: 'xrp', basePrice: 2.3, dailySd: 0.035, strikeStep: 0.1, decimals: 4 },
  {
    ticker: 'doge',
    word: 'Dogecoin',
    stem: 'dogecoin',
    basePrice: 0.16,
    dailySd: 0.045,
    strikeStep: 0.01,
    decimals: 5,
  },
  {
    ticker: 'bnb',
    word: 'BNB',
    stem: 'bnb',
    basePrice: 930,
    dailySd: 0.025,
    strikeStep: 20,
    decimals: 2,
  },
  {
    ticker: 'hype',
    word: 'Hyperliquid',
    stem: 'hyperliquid',
    basePrice: 38,
    dailySd: 0.05,
    strikeStep: 1,
    decimals: 3,
  },
  {
    ticker: 'zec',
    word: 'Zcash',
    stem: 'zcash',
    basePrice: 510,
    dailySd: 0.06,
    strikeStep: 10,
    decimals: 2,
  },
];

/** In seconds. */
const TIME_SCALES = [4, 32, 256, 2048, 16_384, 131_072, 1_048_576];

const REMEMBERED_PRICES = 2_000;
const remembered = new Map<string, Map<number, number>>();

export function referencePrice(seedKey: number, asset: SimulatedAsset, ts: number): number {
  let logReturn = 0;
  for (const [i, scaleS] of TIME_SCALES.entries()) {
    const key = hashNumbers(seedKey, 0xc0, ASSETS.indexOf(asset), i);
    logReturn +=
      0.75 * asset.dailySd * Math.sqrt((scaleS * 1000) / DAY_MS) * smoothNoise(key, ts / (scaleS * 1000));
  }
  const scale = 10 ** asset.decimals;
  return Math.round(asset.basePrice * Math.exp(logReturn) * scale) / scale;
}

/** Mean over the preceding seconds; short windows settle on it. */
export function averagePrice(seedKey: number, asset: SimulatedAsset, ts: number, windowS: number): number {
  const priceAt = rememberPrices(seedKey, asset);
  let sum = 0;
  for (let second = 0; second < windowS; second++) sum += priceAt(ts - second * 1000);
  const scale = 10 ** asset.decimals;
  return Math.round((sum / windowS) * scale) / scale;
}

/** Caches prices, because averages at consecutive seconds share all but one of them. */
function rememberPrices(seedKey: number, asset: SimulatedAsset): (ts: number) => number {
  const name = `${seedKey} ${asset.ticker}`;
  const prices = remembered.get(name) ?? new Map<number, number>();
  remembered.set(name, prices);
  return (ts) => {
    const known = prices.get(ts);
    if (known !== undefined) return known;
    const price = referencePrice(seedKey, asset, ts);
    if (prices.size >= REMEMBERED_PRICES) prices.clear();
    prices.set(ts, price);
    return price;
  };
}

/** Probability that the log price ends above a level at `logDistance`. */
export function probabilityAbove(logDistance: number, dailySd: number, aheadMs: number): number {
  if (aheadMs <= 0) return logDistance >= 0 ? 1 : 0;
  return normalCdf(logDistance / (dailySd * Math.sqrt(aheadMs / DAY_MS)));
}

/** Abramowitz and Stegun 26.2.17; error below 1e-7. */
export function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    0.3989422804014327 *
    Math.exp((-x * x) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - tail : tail;
}
