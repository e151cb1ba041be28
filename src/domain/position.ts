// Shares of a wallet in one outcome of one bucket's market.

export type OutcomeSide = 'Yes' | 'No';

export interface WalletPosition {
  wallet: string;
  tokenId: string;
  conditionId: string;
  /** null if the market's API omits it; the condition id still matches it. */
  eventId: number | null;
  eventSlug: string | null;
  side: OutcomeSide;
  shares: number;
  avgPrice: number;
  costUsd: number;
  currentPrice: number;
  currentValueUsd: number;
  /** Resolved and claimable; worthless if the side lost. */
  isRedeemable: boolean;
}

/** A listed holding that could not be parsed. */
export interface UnreadPosition {
  /** null if even that is unreadable: it may belong to any market. */
  tokenId: string | null;
  reason: string;
}
