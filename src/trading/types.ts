// Trading types: incoming advice, orders, fills and the venue port.

import type { FeeAsset, FeeTerms } from '../domain/taker-fee.ts';

export type Action = 'BUY' | 'SELL';

/** One piece of advice in integer units: target, price limit and kind of edge. */
export interface AdviceItem {
  account: string;
  eventId: number;
  bucket: string;
  outcome: 'Yes' | 'No';
  action: Action;
  tokenId: string;
  limitPips: number;
  /** Total to hold; for a sale, the maximum to sell. */
  targetMicro: number;
  depthMicro: number | null;
  gainPerUsd: number;
  probability: number;
  secondsLeft: number;
  edgeKind: string;
  /** Why the advice must not be followed now; null if all its inputs are fresh. */
  blockedBy: string | null;
}

export interface Advice {
  /** When the service computed the advice. */
  madeTs: number;
  items: readonly AdviceItem[];
  /** Why trading is blocked; null if advice may be followed. */
  blockedBy: string | null;
}

export interface PriceLevel {
  pricePips: number;
  sizeMicro: number;
}

/** Both sides are sorted best price first. */
export interface VenueBook {
  tokenId: string;
  conditionId: string;
  bids: readonly PriceLevel[];
  asks: readonly PriceLevel[];
  tickPips: number;
  minOrderMicro: number;
  isNegRisk: boolean;
  /** Why no order can be placed in this market, and why nothing may be bought; null if it may. */
  refusesOrders: string | null;
  refusesBuys: string | null;
  /** Present if the venue sells contracts; absent if a purchase spends dollars. */
  contracts?: ContractTerms;
}

/** A purchase gets the contracts that it asks for, and pays a fee in dollars on top. */
export interface ContractTerms {
  fee: FeeTerms;
  /** The other outcome: one contract of each is paid out at once, so only one of them can be held. */
  otherTokenId: string;
}

export interface OrderRequest {
  tokenId: string;
  action: Action;
  pricePips: number;
  sizeMicro: number;
  isNegRisk: boolean;
  /** When the order ends by itself, in the exchange's time. */
  expiresTs: number;
}

/** A signed order with its exchange id, which is known before anything is sent. */
export interface PreparedOrder {
  orderId: string;
  payload: string;
}

export type SendOutcome =
  | { kind: 'accepted' }
  | { kind: 'refused'; reason: string }
  /** The order may or may not be on the book. */
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

/** Something the exchange said that cannot be true. The answer is ignored and trading halts with the message. */
export class Contradiction extends Error {}

export type FillStatus = 'provisional' | 'confirmed' | 'failed';

/** The effect of one trade on one of our orders. */
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
  /** The fee in dollars, if the exchange states it. */
  statedFeeMicro?: number;
  /** Paper only: no later trade has confirmed the price. */
  isPhantom?: boolean;
}

export interface MarketTerms {
  conditionId: string;
  fee: FeeTerms;
  feePaidIn: FeeAsset;
  /** Whether every fill states its fee, so that nothing is to be learned from the balances. */
  isFeeStated?: boolean;
  isClosed: boolean;
  /** Token that pays one dollar; null while undecided. */
  winningTokenId: string | null;
}

export interface Access {
  isAllowed: boolean;
  reason: string;
  /** What will end the permission soon. */
  warning?: string | undefined;
}

export interface Redemption {
  /** Requests the payout and returns its id. Repeating it pays nothing twice. */
  send(tokenId: string, sharesMicro: number): Promise<string>;
  /** Whether the payout happened; null while it is pending. Balances are current once it is true. */
  hasPaid(id: string): Promise<boolean | null>;
}

/** A venue as the executor sees it; if a call throws, its result is unknown. */
export interface Venue {
  readonly name: string;
  /** Whether trading is allowed from this location; checked first. */
  checkAccess(): Promise<Access>;
  prepare(request: OrderRequest): Promise<PreparedOrder>;
  send(prepared: PreparedOrder): Promise<SendOutcome>;
  /** The exchange's own time. */
  time(): Promise<number>;
  /** Returns the ids that the exchange acknowledged as cancelled. */
  cancel(orderIds: readonly string[]): Promise<string[]>;
  cancelAll(): Promise<string[]>;
  openOrders(): Promise<VenueOrder[]>;
  /** null if the venue does not know the order. */
  findOrder(orderId: string): Promise<VenueOrder | null>;
  /** Fills since a given time, oldest first; a fill is repeated when its status changes. */
  fillsSince(ts: number): Promise<Fill[]>;
  cashMicro(): Promise<number>;
  sharesMicro(tokenId: string): Promise<number>;
  /** Books for those tokens that have one. */
  books(tokenIds: readonly string[]): Promise<VenueBook[]>;
  terms(tokenId: string): Promise<MarketTerms>;
  heartbeat(): Promise<void>;
  /** Positions that won are paid out only on request; absent if the venue pays by itself. */
  redemption?: Redemption;
  /** Calls back when our orders or trades change; the returned function unsubscribes. */
  watch(onChange: () => void): () => void;
}
