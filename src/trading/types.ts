// The nouns of trading: advice as it comes in, orders, fills, and the port of a market.

import type { FeeAsset, FeeTerms } from '../domain/taker-fee.ts';

export type Action = 'BUY' | 'SELL';

/** One piece of advice, in whole units: what to hold, at which price at most, and what it rests on. */
export interface AdviceItem {
  account: string;
  eventId: number;
  bucket: string;
  outcome: 'Yes' | 'No';
  action: Action;
  tokenId: string;
  limitPips: number;
  /** To hold in all; for a sale: to sell at most. */
  targetMicro: number;
  depthMicro: number | null;
  gainPerUsd: number;
  probability: number;
  secondsLeft: number;
  edgeKind: string;
  /** Why it must not be followed now; null when everything that it rests on is fresh. */
  blockedBy: string | null;
}

export interface Advice {
  /** When the service made it. */
  madeTs: number;
  items: readonly AdviceItem[];
  /** Why nothing at all may be traded; null when advice may be followed. */
  blockedBy: string | null;
}

export interface PriceLevel {
  pricePips: number;
  sizeMicro: number;
}

/** Best first on both sides. */
export interface VenueBook {
  tokenId: string;
  conditionId: string;
  bids: readonly PriceLevel[];
  asks: readonly PriceLevel[];
  tickPips: number;
  minOrderMicro: number;
  isNegRisk: boolean;
}

export interface OrderRequest {
  tokenId: string;
  action: Action;
  pricePips: number;
  sizeMicro: number;
  isNegRisk: boolean;
}

/** Signed, with the id under which the market will keep it: known before anything is sent. */
export interface PreparedOrder {
  orderId: string;
  payload: string;
}

export type SendOutcome =
  | { kind: 'accepted' }
  | { kind: 'refused'; reason: string }
  /** It may or may not be on the book. */
  | { kind: 'unknown'; reason: string };

export interface VenueOrder {
  orderId: string;
  tokenId: string;
  action: Action;
  pricePips: number;
  sizeMicro: number;
  matchedMicro: number;
  isLive: boolean;
}

export type FillStatus = 'provisional' | 'confirmed' | 'failed';

/** What one trade did to one of our orders. */
export interface Fill {
  fillId: string;
  orderId: string;
  tokenId: string;
  action: Action;
  pricePips: number;
  sizeMicro: number;
  isTaker: boolean;
  status: FillStatus;
  ts: number;
  /** Paper only: no later print has shown that the price was real. */
  isPhantom?: boolean;
}

export interface MarketTerms {
  conditionId: string;
  fee: FeeTerms;
  feePaidIn: FeeAsset;
  isClosed: boolean;
  /** Token that pays one dollar; null while undecided. */
  winningTokenId: string | null;
}

export interface Access {
  isAllowed: boolean;
  reason: string;
}

/** A market as the executor sees it; every call may throw, which means: not known. */
export interface Venue {
  readonly name: string;
  /** Whether trading is allowed from here, asked before anything else. */
  checkAccess(): Promise<Access>;
  prepare(request: OrderRequest): Promise<PreparedOrder>;
  send(prepared: PreparedOrder): Promise<SendOutcome>;
  cancel(orderIds: readonly string[]): Promise<void>;
  cancelAll(): Promise<void>;
  openOrders(): Promise<VenueOrder[]>;
  /** null for one that the market does not know. */
  findOrder(orderId: string): Promise<VenueOrder | null>;
  /** Since an instant, oldest first; a fill comes again when its status changes. */
  fillsSince(ts: number): Promise<Fill[]>;
  cashMicro(): Promise<number>;
  sharesMicro(tokenId: string): Promise<number>;
  /** Of those that have one. */
  books(tokenIds: readonly string[]): Promise<VenueBook[]>;
  terms(tokenId: string): Promise<MarketTerms>;
  heartbeat(): Promise<void>;
}
