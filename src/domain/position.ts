// Shares that a wallet holds in one outcome of one bucket's market.

export type OutcomeSide = 'Yes' | 'No';

export interface WalletPosition {
  wallet: string;
  tokenId: string;
  conditionId: string;
  /** null where the market's API left it out; the condition id still joins it. */
  eventId: number | null;
  eventSlug: string | null;
  side: OutcomeSide;
  shares: number;
  avgPrice: number;
  costUsd: number;
  currentPrice: number;
  currentValueUsd: number;
  /** Market resolved and claimable; worthless when the side lost. */
  isRedeemable: boolean;
}

/** A listed holding that could not be parsed. */
export interface UnreadPosition {
  /** null where even that cannot be read: it may be of any market. */
  tokenId: string | null;
  reason: string;
}
