// Types of trading: incoming advice, orders, fills, and the venue port.

import type { FeeAsset, FeeTerms } from '../domain/taker-fee.ts';

export type Action = 'BUY' | 'SELL';

/** Edge kind of a manual order. */
export const BY_HAND = 'hand';

/** One piece of advice in whole units: target, price limit, and the kind of edge. */
export interface AdviceItem {
  account: string;
  eventId: number;
  bucket: string;
  outcome: 'Yes' | 'No';
  action: Action;
  tokenId: string;
  limitPips: number;
  /** Total to hold; for a sale: maximum to sell. */
  targetMicro: number;
  depthMicro: number | null;
  gainPerUsd: number;
  probability: number;
  secondsLeft: number;
  edgeKind: string;
  /** Why it must not be followed now; null if all its inputs are fresh. */
  blockedBy: string | null;
  /** The manual request behind this item. */
  handOrderId?: number;
}

export interface Advice {
  /** When the service computed it. */
  madeTs: number;
  items: readonly AdviceItem[];
  /** Why nothing may be traded; null if advice may be followed. */
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

/** Signed, with the id it will have on the market: known before anything is sent. */
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

/** Effect of one trade on one of our orders. */
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
  /** Paper only: no later trade has confirmed the price. */
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

/** A venue as the executor sees it; a call that throws means the result is unknown. */
export interface Venue {
  readonly name: string;
  /** Whether trading is allowed from here; checked first. */
  checkAccess(): Promise<Access>;
  prepare(request: OrderRequest): Promise<PreparedOrder>;
  send(prepared: PreparedOrder): Promise<SendOutcome>;
  cancel(orderIds: readonly string[]): Promise<void>;
  cancelAll(): Promise<void>;
  openOrders(): Promise<VenueOrder[]>;
  /** null for an unknown order. */
  findOrder(orderId: string): Promise<VenueOrder | null>;
  /** Since a time, oldest first; a fill is repeated when its status changes. */
  fillsSince(ts: number): Promise<Fill[]>;
  cashMicro(): Promise<number>;
  sharesMicro(tokenId: string): Promise<number>;
  /** Books of the tokens that have one. */
  books(tokenIds: readonly string[]): Promise<VenueBook[]>;
  terms(tokenId: string): Promise<MarketTerms>;
  heartbeat(): Promise<void>;
  /** Calls back when the market reports a change of our orders or trades; the returned function ends it. */
  watch(onChange: () => void): () => void;
}
