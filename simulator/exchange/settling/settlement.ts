// Takes trades from match to chain: MATCHED, then MINED and CONFIRMED; or RETRYING and FAILED, which changes
// no balances.

import type { ExchangeTrade, TradeStatus } from '../types.ts';
import type { Ledger } from './ledger.ts';

export interface Settlement {
  add(trade: ExchangeTrade, willFail: boolean): void;
  /** Time of the next change; null once everything is settled. */
  nextTs(): number | null;
  /** Advances every due trade by one step. */
  run(nowTs: number): void;
  hasPending(conditionId: string): boolean;
}

interface Step {
  afterMs: number;
  status: TradeStatus;
}

const SETTLES: readonly Step[] = [
  { afterMs: 2_000, status: 'MINED' },
  { afterMs: 6_000, status: 'CONFIRMED' },
];
const FAILS: readonly Step[] = [
  { afterMs: 2_000, status: 'RETRYING' },
  { afterMs: 8_000, status: 'FAILED' },
];

interface Pending {
  trade: ExchangeTrade;
  steps: readonly Step[];
  next: number;
}

export function createSettlement(
  ledger: Ledger,
  onChange: (trade: ExchangeTrade) => void,
  settlesAtOnce = false,
): Settlement {
  const pending = new Map<string, Pending>();
  const dueTs = ({ trade, steps, next }: Pending) => trade.matchedTs + steps[next]!.afterMs;

  function holdBack(trade: ExchangeTrade, isHeld: boolean): void {
    for (const [key, micro] of outflows(trade)) {
      const [owner = '', asset = ''] = key.split(' ');
      ledger.reserve(owner, asset, `trade ${trade.id}`, isHeld ? micro : 0);
    }
  }

  function step(entry: Pending): void {
    const { trade, steps } = entry;
    const { status } = steps[entry.next]!;
    trade.updatedTs = dueTs(entry);
    trade.status = status;
    if (status === 'MINED' || status === 'FAILED') holdBack(trade, false);
    if (status === 'MINED') ledger.apply(trade.movements);
    if (++entry.next === steps.length) pending.delete(trade.id);
    onChange(trade);
  }

  return {
    add(trade, willFail) {
      if (settlesAtOnce) {
        ledger.apply(trade.movements);
        trade.status = 'CONFIRMED';
        return;
      }
      holdBack(trade, true);
      pending.set(trade.id, { trade, steps: willFail ? FAILS : SETTLES, next: 0 });
    },
    nextTs() {
      let earliest: number | null = null;
      for (const entry of pending.values()) earliest = Math.min(earliest ?? dueTs(entry), dueTs(entry));
      return earliest;
    },
    run(nowTs) {
      for (const entry of [...pending.values()])
        while (pending.has(entry.trade.id) && dueTs(entry) <= nowTs) step(entry);
    },
    hasPending(conditionId) {
      for (const { trade } of pending.values()) if (trade.conditionId === conditionId) return true;
      return false;
    },
  };
}

/** Each owner's net outflow. */
function outflows(trade: ExchangeTrade): Map<string, number> {
  const net = new Map<string, number>();
  for (const { owner, asset, deltaMicro } of trade.movements) {
    const key = `${owner} ${asset}`;
    net.set(key, (net.get(key) ?? 0) - deltaMicro);
  }
  for (const [key, micro] of net) if (micro <= 0) net.delete(key);
  return net;
}
