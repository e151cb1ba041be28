// A crypto price market, as the metadata endpoint shows it.

export type CryptoMarketType = 'updown' | 'above' | 'range' | 'touch';

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
  /** Price to beat; null until the market knows it. */
  strike: number | null;
  referencePrice: number | null;
  referenceSource: string | null;
  tokens: readonly CryptoToken[];
  volumeUsd: number;
  liquidityUsd: number;
  feeRate: number;
}
