// Exchange types: markets, orders, trades, and messages to their owners.

import type { FeeTerms } from '../../src/domain/taker-fee.ts';
import type { MarketVersion } from '../../src/trading/venue/polymarket/signing/contracts.ts';
import type { CrowdQuote } from './crowd/plan-crowd.ts';
import type { OrderType } from './matching/execute.ts';
import type { Movement } from './settling/ledger.ts';
import type { Action } from './settling/transfers.ts';

export interface ExchangeMarket {
  conditionId: string;
  /** Yes, No. */
  tokenIds: readonly [string, string];
  outcomes: readonly [string, string];
  tick: number;
  minOrderShares: number;
  isNegRisk: boolean;
  version: MarketVersion;
  fee: FeeTerms;
  /** The crowd's trades per hour. */
  tradesPerHour: number;
  /** Seeds the crowd's order flow. */
  key: number;
  /** True once the market no longer accepts orders. */
  isClosed: boolean;
  /** Index of the outcome that pays; null while unknown. */
  winner: 0 | 1 | null;
}

/** Provides listings and crowd quotes. */
export interface MarketDirectory {
  byToken(tokenId: string, ts: number): ExchangeMarket | null;
  byCondition(conditionId: string, ts: number): ExchangeMarket | null;
  quote(conditionId: string, ts: number): CrowdQuote;
}

export type OrderStatus = 'LIVE' | 'MATCHED' | 'CANCELED' | 'CANCELED_MARKET_RESOLVED';

export interface ExchangeOrder {
  /** Hash of the signed data. */
  id: string;
  /** API key that placed the order. */
  apiKey: string;
  maker: string;
  conditionId: string;
  tokenId: string;
  outcome: string;
  action: Action;
  pricePips: number;
  originalMicro: number;
  /** Shares bought or sold; a purchase below its limit may get more than it asked for. */
  matchedMicro: number;
  /** Shares that may still trade. */
  openMicro: number;
  type: OrderType;
  /** null means until cancelled. */
  expiresTs: number | null;
  createdTs: number;
  status: OrderStatus;
  tradeIds: string[];
}

export type TradeStatus = 'MATCHED' | 'MINED' | 'CONFIRMED' | 'RETRYING' | 'FAILED';

export interface TradeMaker {
  orderId: string;
  apiKey: string;
  maker: string;
  tokenId: string;
  outcome: string;
  action: Action;
  pricePips: number;
  matchedMicro: number;
  /** Only rounding: makers pay no fee. */
  feeMicro?: number;
}

export interface ExchangeTrade {
  id: string;
  conditionId: string;
  takerOrderId: string;
  /** The taker's API key and wallet; the crowd's if the crowd took. */
  takerKey: string;
  taker: string;
  tokenId: string;
  outcome: string;
  action: Action;
  pricePips: number;
  sizeMicro: number;
  feeMicro: number;
  makers: TradeMaker[];
  status: TradeStatus;
  matchedTs: number;
  updatedTs: number;
  txHash: string;
  movements: readonly Movement[];
}

/** A print on the public tape. */
export interface TapePrint {
  ts: number;
  conditionId: string;
  /** Yes price. */
  yesPips: number;
  sizeMicro: number;
  /** The taker's side in Yes terms. */
  takerSide: 'BUY' | 'SELL';
}

export type UserEvent =
  | { kind: 'order'; type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION'; order: ExchangeOrder }
  | { kind: 'trade'; trade: ExchangeTrade };
