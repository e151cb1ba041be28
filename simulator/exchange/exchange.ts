// The simulated exchange without its HTTP API: accepts verified orders, matches them with each other and the
// crowd, settles trades, and tracks all balances. It advances only when `advance` is called.

import type { FeeAsset } from '../../src/domain/taker-fee.ts';
import { usdMicroFor } from '../../src/domain/units.ts';
import { makeHex } from '../platform-ids.ts';
import { createAdvance, payHolders } from './advance.ts';
import { createHeartbeats, type Heartbeats } from './heartbeats.ts';
import { createMarketEngine, type EngineFill, type MarketEngine } from './market-engine.ts';
import type { Refusal } from './matching/execute.ts';
import type { BookLevel } from './matching/order-book.ts';
import { createOrderRecords, type OrderRecords } from './order-records.ts';
import { CROWD, createLedger, type Ledger, USD } from './settling/ledger.ts';
import { createSettlement } from './settling/settlement.ts';
import { flipPips, sideOf } from './settling/transfers.ts';
import { createTradeMaker, type FeeRounding } from './trade-maker.ts';
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
  /** Rounds what an order pays for a fill; absent if fees are charged as they are. */
  roundFee?: FeeRounding;
  /** Trades are final when matched, and decided markets pay, without a chain. */
  settlesAtOnce?: boolean;
  /** Whether the next trade will fail on the chain. */
  willFail(ts: number): boolean;
  onEvent(apiKey: string, event: UserEvent): void;
  onPrint(print: TapePrint): void;
}

export interface Ticket {
  order: Omit<ExchangeOrder, 'matchedMicro' | 'openMicro' | 'status' | 'tradeIds'>;
  isPostOnly: boolean;
  /** A purchase worth less than a dollar may rest, but not trade at once. */
  isBelowDollar?: boolean;
  /** A purchase spends its collateral and takes the shares that it gets for it. */
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
  /** Cancels the key's live orders and returns them. */
  cancel(apiKey: string, ids: readonly string[]): string[];
  /** Bids and asks; null if only the crowd is on the book. */
  levels(conditionId: string, nowTs: number): [BookLevel[], BookLevel[]] | null;
  /** Whether users have, or recently had, orders in the market. */
  isTouched(conditionId: string, nowTs: number): boolean;
}

export function createExchange(options: ExchangeOptions): Exchange {
  const { markets } = options;
  const ledger = createLedger();
  const records = createOrderRecords();
  const engines = new Map<string, MarketEngine>();
  const heartbeats = createHeartbeats((number) => makeHex(options.seedKey ^ 0xbea7, number, 32));
  const { emit, emitTrade } = createUserEvents(options.onEvent);
  const settlement = createSettlement(ledger, emitTrade, options.settlesAtOnce);
  const makeTrades = createTradeMaker({ ...options, records });
  const advance = createAdvance({
    markets,
    engines,
    records,
    heartbeats,
    settlement,
    close,
    payOut: options.settlesAtOnce ? (market) => payHolders(ledger, market) : undefined,
  });
  let lastTrades: ExchangeTrade[] = [];

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
    reserveFor(ledger, order);
    emit(order, 'UPDATE');
  }

  function close(order: ExchangeOrder, status: ExchangeOrder['status']): void {
    engines.get(order.conditionId)?.remove(order.id);
    records.setStatus(order, status);
    reserveFor(ledger, order);
    emit(order, 'CANCELLATION');
  }

  function place(ticket: Ticket, nowTs: number): Placement {
    const market = markets.byToken(ticket.order.tokenId, nowTs)!;
    const isYes = market.tokenIds[0] === ticket.order.tokenId;
    const order = records.add(ticket.order);
    lastTrades = [];
    const engine = openEngine(engines, markets, market, nowTs, settleFills);
    engine.catchUp(nowTs);
    const asked = toEngineOrder(ticket, order, isYes);
    const { refusal, restMicro } = engine.submit(order.id, asked, nowTs);
    if (refusal !== null) {
      records.forget(order);
      return { order, trades: [], refusal };
    }
    order.openMicro = restMicro;
    records.setStatus(order, restMicro > 0 ? 'LIVE' : 'MATCHED');
    reserveFor(ledger, order);
    emit(order, 'PLACEMENT');
    return { order, trades: lastTrades, refusal };
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
    place,
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

/** The engine's book is in Yes terms. */
function toEngineOrder(ticket: Ticket, order: ExchangeOrder, isYes: boolean) {
  const toYes = (pips: number) => (isYes ? pips : flipPips(pips));
  return {
    side: sideOf(order.action, isYes),
    limitPips: toYes(order.pricePips),
    sizeMicro: order.originalMicro,
    type: order.type,
    isPostOnly: ticket.isPostOnly,
    isBelowDollar: ticket.isBelowDollar ?? false,
    ...(ticket.budgetMicro === undefined ? {} : { budgetMicro: ticket.budgetMicro, costPips: toYes }),
  };
}

/** Reserves the maximum cost of an order's unfilled remainder. */
function reserveFor(ledger: Ledger, order: ExchangeOrder): void {
  const openMicro = order.status === 'LIVE' ? order.openMicro : 0;
  const asset = order.action === 'BUY' ? USD : order.tokenId;
  const micro = order.action === 'BUY' ? usdMicroFor(openMicro, order.pricePips) : openMicro;
  ledger.reserve(order.maker, asset, `order ${order.id}`, micro);
}

function createUserEvents(onEvent: ExchangeOptions['onEvent']) {
  function emit(order: ExchangeOrder, type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION'): void {
    onEvent(order.apiKey, { kind: 'order', type, order: { ...order } });
  }

  function emitTrade(trade: ExchangeTrade): void {
    const keys = new Set([trade.takerKey, ...trade.makers.map(({ apiKey }) => apiKey)]);
    keys.delete(CROWD);
    for (const apiKey of keys) onEvent(apiKey, { kind: 'trade', trade: { ...trade } });
  }

  return { emit, emitTrade };
}

/** The market's engine, created on first use. */
function openEngine(
  engines: Map<string, MarketEngine>,
  markets: MarketDirectory,
  market: ExchangeMarket,
  nowTs: number,
  onFills: (conditionId: string, fills: readonly EngineFill[]) => void,
): MarketEngine {
  const { conditionId } = market;
  const known = engines.get(conditionId);
  if (known) return known;
  const engine = createMarketEngine({
    key: market.key,
    startTs: nowTs,
    tradesPerHour: () => market.tradesPerHour,
    quote: (ts) => markets.quote(conditionId, ts),
    onFills: (fills) => onFills(conditionId, fills),
  });
  engines.set(conditionId, engine);
  return engine;
}
