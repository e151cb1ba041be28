// Every accepted order and every trade, by id and by owner.

import type { ExchangeOrder, ExchangeTrade } from './types.ts';

export interface OrderRecords {
  add(order: Omit<ExchangeOrder, 'matchedMicro' | 'openMicro' | 'status' | 'tradeIds'>): ExchangeOrder;
  /** Removes an order that was rejected after all. */
  forget(order: ExchangeOrder): void;
  find(id: string): ExchangeOrder | null;
  has(id: string): boolean;
  live(): ExchangeOrder[];
  liveOf(apiKey: string): ExchangeOrder[];
  setStatus(order: ExchangeOrder, status: ExchangeOrder['status']): void;
  addTrade(trade: ExchangeTrade): void;
  /** Newest first. */
  tradesOf(apiKey: string): ExchangeTrade[];
  all(): ExchangeOrder[];
  /** All owners' trades, oldest first. */
  trades(): readonly ExchangeTrade[];
}

export function createOrderRecords(): OrderRecords {
  const orders = new Map<string, ExchangeOrder>();
  const live = new Map<string, ExchangeOrder>();
  const trades = new Map<string, ExchangeTrade[]>();
  const allTrades: ExchangeTrade[] = [];

  return {
    add(given) {
      const order: ExchangeOrder = {
        ...given,
        matchedMicro: 0,
        openMicro: given.originalMicro,
        status: 'LIVE',
        tradeIds: [],
      };
      orders.set(order.id, order);
      live.set(order.id, order);
      return order;
    },
    forget(order) {
      orders.delete(order.id);
      live.delete(order.id);
    },
    find: (id) => orders.get(id) ?? null,
    has: (id) => orders.has(id),
    live: () => [...live.values()],
    liveOf: (apiKey) => [...live.values()].filter((order) => order.apiKey === apiKey),
    setStatus(order, status) {
      order.status = status;
      if (status !== 'LIVE') live.delete(order.id);
    },
    addTrade(trade) {
      allTrades.push(trade);
      for (const apiKey of new Set([trade.takerKey, ...trade.makers.map((maker) => maker.apiKey)])) {
        const known = trades.get(apiKey) ?? [];
        known.unshift(trade);
        trades.set(apiKey, known);
      }
    },
    tradesOf: (apiKey) => trades.get(apiKey) ?? [],
    all: () => [...orders.values()],
    trades: () => allTrades,
  };
}
