// Reasons to halt. While one applies, no new orders are placed and open orders are cancelled.

export type HaltKind =
  | 'kill-switch'
  | 'not-reconciled'
  | 'clock'
  | 'access'
  | 'refused-orders'
  | 'advice-stale'
  | 'advice-blocked'
  | 'day-loss'
  | 'total-loss'
  | 'heartbeat'
  | 'exchange-unreachable';

export interface Halt {
  kind: HaltKind;
  reason: string;
}

export interface LossLimits {
  dayLossUsd: number;
  totalLossUsd: number;
}

export interface HaltFacts {
  nowTs: number;
  /** Reason given with the kill switch; null while the switch is off. */
  killedBy: string | null;
  /** Why books and exchange could not be reconciled; null when they agree. */
  unreconciled: string | null;
  clocksDiffer: string | null;
  accessRefused: string | null;
  /** A refusal that the exchange repeated, and its fix. */
  refusedOrders: string | null;
  /** null if advice was never read. */
  adviceHeardTs: number | null;
  adviceMadeTs: number | null;
  adviceBlockedBy: string | null;
  lastBeatTs: number | null;
  exchangeHeardTs: number | null;
  /** Profit since midnight UTC, and since the start; losses are negative. */
  dayProfitUsd: number;
  totalProfitUsd: number;
  limits: LossLimits;
}

export const ADVICE_MAX_AGE_MS = 5_000;
export const BEAT_MAX_AGE_MS = 10_000;
export const EXCHANGE_MAX_AGE_MS = 10_000;

export function findHalts(facts: HaltFacts): Halt[] {
  const halts: Halt[] = [];
  const add = (kind: HaltKind, reason: string) => halts.push({ kind, reason });
  if (facts.killedBy !== null) add('kill-switch', facts.killedBy);
  if (facts.unreconciled !== null) add('not-reconciled', facts.unreconciled);
  if (facts.clocksDiffer !== null) add('clock', facts.clocksDiffer);
  if (facts.accessRefused !== null) add('access', facts.accessRefused);
  if (facts.refusedOrders !== null) add('refused-orders', facts.refusedOrders);
  if (isOld(facts.adviceHeardTs, facts.nowTs, ADVICE_MAX_AGE_MS))
    add('advice-stale', 'the service has not responded for more than 5 s');
  else if (isOld(facts.adviceMadeTs, facts.nowTs, ADVICE_MAX_AGE_MS))
    add('advice-stale', 'the advice is more than 5 s old');
  if (facts.adviceBlockedBy !== null) add('advice-blocked', facts.adviceBlockedBy);
  if (isOld(facts.lastBeatTs, facts.nowTs, BEAT_MAX_AGE_MS))
    add('heartbeat', 'the exchange has not confirmed a heartbeat for more than 10 s');
  if (isOld(facts.exchangeHeardTs, facts.nowTs, EXCHANGE_MAX_AGE_MS))
    add('exchange-unreachable', 'the exchange has not responded for more than 10 s');
  if (facts.dayProfitUsd <= -facts.limits.dayLossUsd)
    add('day-loss', `lost ${money(-facts.dayProfitUsd)} today (limit ${money(facts.limits.dayLossUsd)})`);
  if (facts.totalProfitUsd <= -facts.limits.totalLossUsd)
    add(
      'total-loss',
      `lost ${money(-facts.totalProfitUsd)} in total (limit ${money(facts.limits.totalLossUsd)})`,
    );
  return halts;
}

function isOld(ts: number | null, nowTs: number, maxAgeMs: number): boolean {
  return !isRecent(ts, nowTs, maxAgeMs + 1);
}

/** False for a missing time, and for one in the future: the clock was set back, so the age is unknown. */
export function isRecent(ts: number | null, nowTs: number, withinMs: number): boolean {
  return ts !== null && Math.abs(nowTs - ts) < withinMs;
}

function money(usd: number): string {
  return `${usd.toFixed(2)} USD`;
}
