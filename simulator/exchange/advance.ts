// Advances the exchange in time: processes crowd trades, settlements, expiries and resolved markets in order.

import type { Heartbeats } from './heartbeats.ts';
import type { MarketEngine } from './market-engine.ts';
import type { OrderRecords } from './order-records.ts';
import { type Ledger, USD, VAULT } from './settling/ledger.ts';
import type { Settlement } from './settling/settlement.ts';
import type { ExchangeMarket, ExchangeOrder, MarketDirectory } from './types.ts';

export interface AdvanceOptions {
  markets: MarketDirectory;
  engines: Map<string, MarketEngine>;
  records: OrderRecords;
  heartbeats: Heartbeats;
  settlement: Settlement;
  close(order: ExchangeOrder, status: ExchangeOrder['status']): void;
  /** Pays a decided market's holders; absent if they must redeem. */
  payOut?: ((market: ExchangeMarket) => void) | undefined;
}

export function createAdvance(options: AdvanceOptions): (nowTs: number) => void {
  const { markets, engines, records, heartbeats, settlement, close, payOut } = options;

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

  /** A closed market cancels its orders; a resolved one pays out, or waits for redemptions. */
  function resolve(ts: number): void {
    for (const conditionId of engines.keys()) {
      const market = markets.byCondition(conditionId, ts);
      if (!market?.isClosed) continue;
      for (const order of records.live())
        if (order.conditionId === conditionId) close(order, 'CANCELED_MARKET_RESOLVED');
      if (market.winner === null || settlement.hasPending(conditionId)) continue;
      payOut?.(market);
      engines.delete(conditionId);
    }
  }

  function advance(nowTs: number): void {
    for (let dueTs = nextDueTs(); dueTs !== null && dueTs <= nowTs; dueTs = nextDueTs()) {
      playTo(dueTs);
      runDue(dueTs);
    }
    playTo(nowTs);
    resolve(nowTs);
  }

  return advance;
}

/** Winning shares pay a dollar each. */
export function payHolders(ledger: Ledger, market: ExchangeMarket): void {
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
