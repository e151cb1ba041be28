// A wallet's shares in one outcome of a bucket's market.

export type OutcomeSide = 'Yes' | 'No';

export interface WalletPosition {
  wallet: string;
  tokenId: string;
  conditionId: string;
  /** null if the market's API omits it; the position is then matched by condition id. */
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
  /** null if the id is unreadable too; the holding may then belong to any market. */
  tokenId: string | null;
  reason: string;
}
