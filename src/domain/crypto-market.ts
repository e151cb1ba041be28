// A crypto price market, as the metadata endpoint shows it.

export type CryptoMarketType = 'updown' | 'above' | 'range' | 'touch';

/** The spot price, or the 60-second average that short windows settle on. */
export type ReferenceSource = 'chainlink-twap-60s' | 'pyth-spot';

export interface CryptoToken {
  label: string;
  tokenId: string;
  price: number | null;
  bestBid: number | null;
  bestAsk: number | null;
}

export interface CryptoMarket {
  eventId: number;
  title: string;
  image: string;
  asset: string;
  marketType: CryptoMarketType;
  interval: string;
  startTs: number;
  endTs: number;
  /** Price to beat; null until the market publishes it. */
  strike: number | null;
  /** null unless the market's own record names it. */
  referenceSource: ReferenceSource | null;
  tokens: readonly CryptoToken[];
  volumeUsd: number;
  liquidityUsd: number;
  feeRate: number;
}
