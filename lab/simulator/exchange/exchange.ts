// The simulated exchange without its wire: accepts verified orders, matches them with each other and the
// crowd, settles trades, and keeps all balances. It moves only when `advance` is called.

import { usdMicroFor } from '../../../src/domain/micro-units.ts';
import type { FeeAsset } from '../../../src/domain/taker-fee.ts';
import { makeHex } from '../platform-ids.ts';
import { createHeartbeats, type Heartbeats } from './heartbeats.ts';
import { createMarketEngine, type EngineFill, type MarketEngine } from './market-engine.ts';
import type { Refusal } from './matching/execute.ts';
import type { BookLevel } from './matching/order-book.ts';
import { createOrderRecords, type OrderRecords } from './order-records.ts';
import { CROWD, createLedger, type Ledger, USD, VAULT } from './settling/ledger.ts';
import { createSettlement } from './settling/settlement.ts';
import { flipPips, sideOf } from './settling/transfers.ts';
import { createTradeMaker } from './trade-maker.ts';
import type {
  ExchangeMarket,
  ExchangeOrder,
  ExchangeTrade,
  MarketDirectory,
  TapePrint,
  UserEvent,
} from './types.ts';

export interface ExchangeOptions {
  seedKey: number;
  markets: MarketDirectory;
  feePaidIn: FeeAsset;
  /** Trades are final when they match, without a chain in between. */
  settlesAtOnce?: boolean;
  /** Whether the next trade will fail on the chain. */
  willFail(ts: number): boolean;
  onEvent(apiKey: string, event: UserEvent): void;
  onPrint(print: TapePrint): void;
}

export interface Ticket {
  order: Omit<ExchangeOrder, 'matchedMicro' | 'status' | 'tradeIds'>;
  isPostOnly: boolean;
  /** A market buy: collateral instead of shares. */
  budgetMicro?: number;
}

export interface Placement {
  order: ExchangeOrder;
  trades: ExchangeTrade[];
  refusal: Refusal | null;
}

export interface Exchange {
  readonly feePaidIn: FeeAsset;
  readonly ledger: Ledger;
  readonly records: OrderRecords;
  readonly heartbeats: Heartbeats;
  advance(nowTs: number): void;
  place(ticket: Ticket, nowTs: number): Placement;
  /** Cancels live orders of the key; returns them. */
  cancel(apiKey: string, ids: readonly string[]): string[];
  /** Bids and asks; null if the book is the crowd's own. */
  levels(conditionId: string, nowTs: number): [BookLevel[], BookLevel[]] | null;
  /** Whether users have, or recently had, orders in a market. */
  isTouched(conditionId: string, nowTs: number): boolean;
}

export function createExchange(options: ExchangeOptions): Exchange {
  const { markets } = options;
  const ledger = createLedger();
  const records = createOrderRecords();
  const engines = new Map<string, MarketEngine>();
  const redeemed = new Set<string>();
  const heartbeats = createHeartbeats((number) => makeHex(options.seedKey ^ 0xbea7, number, 32));
  const settlement = createSettlement(ledger, emitTrade, options.settlesAtOnce);
  const makeTrades = createTradeMaker({ seedKey: options.seedKey, feePaidIn: options.feePaidIn, records });
  let lastTrades: ExchangeTrade[] = [];

  function emit(order: ExchangeOrder, type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION'): void {
    options.onEvent(order.apiKey, { kind: 'order', type, order: { ...order } });
  }

  function emitTrade(trade: ExchangeTrade): void {
    const keys = new Set([trade.takerKey, ...trade.makers.map(({ apiKey }) => apiKey)]);
    keys.delete(CROWD);
    for (const apiKey of keys) options.onEvent(apiKey, { kind: 'trade', trade: { ...trade } });
  }

  function engineOf(market: ExchangeMarket, nowTs: number): MarketEngine {
    const { conditionId } = market;
    const known = engines.get(conditionId);
    if (known) return known;
    const engine = createMarketEngine({
      key: market.key,
      startTs: nowTs,
      tradesPerHour: () => market.tradesPerHour,
      quote: (ts) => markets.quote(conditionId, ts),
      onFills: (fills) => settleFills(conditionId, fills),
    });
    engines.set(conditionId, engine);
    return engine;
  }

  function settleFills(conditionId: string, fills: readonly EngineFill[]): void {
    const ts = fills[0]!.ts;
    const market = markets.byCondition(conditionId, ts)!;
    for (const fill of fills) {
      const takerSide = fill.takerSide === 'bid' ? 'BUY' : 'SELL';
      options.onPrint({ ts, conditionId, yesPips: fill.pricePips, sizeMicro: fill.sizeMicro, takerSide });
    }
    const trades = makeTrades(market, fills);
    for (const trade of trades) {
      settlement.add(trade, options.willFail(ts));
      for (const maker of trade.makers) updateMaker(maker.orderId);
      emitTrade(trade);
    }
    lastTrades = trades;
  }

  function updateMaker(orderId: string): void {
    const order = records.find(orderId);
    if (!order) return;
    reserveFor(order);
    emit(order, 'UPDATE');
  }

  /** Reserves the maximum cost of an order's open remainder. */
  function reserveFor(order: ExchangeOrder): void {
    const openMicro = order.status === 'LIVE' ? order.originalMicro - order.matchedMicro : 0;
    const asset = order.action === 'BUY' ? USD : order.tokenId;
    const micro = order.action === 'BUY' ? usdMicroFor(openMicro, order.pricePips) : openMicro;
    ledger.reserve(order.maker, asset, `order ${order.id}`, micro);
  }

  function close(order: ExchangeOrder, status: ExchangeOrder['status']): void {
    engines.get(order.conditionId)?.remove(order.id);
    records.setStatus(order, status);
    reserveFor(order);
    emit(order, 'CANCELLATION');
  }

  function playTo(ts: number): void {
    for (const engine of engines.values()) if (engine.hasUserOrders()) engine.catchUp(ts);
  }

  function runDue(ts: number): void {
    settlement.run(ts);
    for (const apiKey of heartbeats.takeExpired(ts))
      for (const order of records.liveOf(apiKey)) close(order, 'CANCELED');
    for (const order of records.live())
      if (order.expiresTs !== null && order.expiresTs <= ts) close(order, 'CANCELED');
  }

  function nextDueTs(): number | null {
    const expiries = records.live().flatMap(({ expiresTs }) => (expiresTs === null ? [] : [expiresTs]));
    const due = [settlement.nextTs(), heartbeats.nextTs(), ...expiries].filter((ts) => ts !== null);
    return due.length === 0 ? null : Math.min(...due);
  }

  /** A closed market cancels its orders; a decided one pays out. */
  function resolve(ts: number): void {
    for (const conditionId of engines.keys()) {
      const market = markets.byCondition(conditionId, ts);
      if (!market?.isClosed) continue;
      for (const order of records.live())
        if (order.conditionId === conditionId) close(order, 'CANCELED_MARKET_RESOLVED');
      if (market.winner === null || settlement.hasPending(conditionId)) continue;
      redeem(market);
      engines.delete(conditionId);
    }
  }

  function redeem(market: ExchangeMarket): void {
    if (redeemed.has(market.conditionId)) return;
    redeemed.add(market.conditionId);
    for (const owner of ledger.owners())
      market.tokenIds.forEach((tokenId, side) => {
        const micro = ledger.balance(owner, tokenId);
        const paidMicro = side === market.winner ? micro : 0;
        ledger.apply([
          { owner, asset: tokenId, deltaMicro: -micro },
          { owner, asset: USD, deltaMicro: paidMicro },
          { owner: VAULT, asset: USD, deltaMicro: -paidMicro },
        ]);
      });
  }

  function advance(nowTs: number): void {
    for (let dueTs = nextDueTs(); dueTs !== null && dueTs <= nowTs; dueTs = nextDueTs()) {
      playTo(dueTs);
      runDue(dueTs);
    }
    playTo(nowTs);
    resolve(nowTs);
  }

  function isTouched(conditionId: string, nowTs: number): boolean {
    return engines.get(conditionId)?.isUntouched(nowTs) === false;
  }

  return {
    feePaidIn: options.feePaidIn,
    ledger,
    records,
    heartbeats,
    advance,
    place(ticket, nowTs) {
      const market = markets.byToken(ticket.order.tokenId, nowTs)!;
      const isYes = market.tokenIds[0] === ticket.order.tokenId;
      const order = records.add(ticket.order);
      const toYes = (pips: number) => (isYes ? pips : flipPips(pips));
      lastTrades = [];
      const engine = engineOf(market, nowTs);
      engine.catchUp(nowTs);
      const { refusal, restMicro } = engine.submit(
        order.id,
        {
          side: sideOf(order.action, isYes),
          limitPips: toYes(order.pricePips),
          sizeMicro: order.originalMicro,
          type: order.type,
          isPostOnly: ticket.isPostOnly,
          ...(ticket.budgetMicro === undefined ? {} : { budgetMicro: ticket.budgetMicro, costPips: toYes }),
        },
        nowTs,
      );
      if (refusal !== null) {
        records.forget(order);
        return { order, trades: [], refusal };
      }
      records.setStatus(order, restMicro > 0 ? 'LIVE' : 'MATCHED');
      reserveFor(order);
      emit(order, 'PLACEMENT');
      return { order, trades: lastTrades, refusal };
    },
    cancel(apiKey, ids) {
      const wanted = new Set(ids);
      const found = records.liveOf(apiKey).filter(({ id }) => wanted.has(id));
      for (const order of found) close(order, 'CANCELED');
      return found.map(({ id }) => id);
    },
    levels(conditionId, nowTs) {
      if (!isTouched(conditionId, nowTs)) return null;
      const engine = engines.get(conditionId)!;
      engine.catchUp(nowTs);
      return [engine.levels('bid'), engine.levels('ask')];
    },
    isTouched,
  };
}
