// Settles an event's recorded signals: won or lost, profit at the executable cost, and closing-line value.

import type { MarketEvent } from '../../domain/market-event.ts';
import { computeMarketPrice } from '../../domain/quote.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { SignalRecord, Store } from '../../store/ports.ts';
import { roundMicros } from '../../trade/decimal.ts';
import { computePnl } from '../../trade/record/paper-ledger.ts';
import type { Outcome } from '../scoring/score-forecast.ts';
import { BUY_NO, splitBuckets } from './signal-record.ts';

/** Bets that win if the bucket loses. */
const WIN_ON_A_MISS: ReadonlySet<string | null> = new Set(['RISK_MANAGEMENT', BUY_NO]);

export async function settleSignals(
  store: Pick<Store, 'signals' | 'quotes'>,
  event: MarketEvent,
  { winningLabel: winner }: Pick<Outcome, 'winningLabel'>,
  settledTs: number,
): Promise<void> {
  const open = await store.signals.list({ eventId: event.eventId });
  const settled: SignalRecord[] = [];
  for (const signal of open) {
    settled.push({
      ...signal,
      ...settleBet(signal, winner),
      closingLineValue: signal.closingLineValue ?? (await findClosingLine(store, event, signal)),
      settledTs,
    });
  }
  if (settled.length > 0) await store.signals.settle(settled);
}

export function settleBet(
  { bucketLabel, strategy, shares, stakeUsd }: SignalRecord,
  winner: string | null,
): { won: boolean; pnlUsd: number } {
  const hasHit = winner !== null && splitBuckets(bucketLabel).includes(winner);
  const won = WIN_ON_A_MISS.has(strategy) ? !hasHit : hasHit;
  return { won, pnlUsd: stakeUsd > 0 ? computePnl(won, shares, stakeUsd) : 0 };
}

/** Midpoint a day after the fill (an hour after it if the event ends sooner), minus the fill price. */
async function findClosingLine(
  store: Pick<Store, 'quotes'>,
  event: MarketEvent,
  signal: SignalRecord,
): Promise<number | null> {
  if (signal.stakeUsd <= 0) return null;
  const isOverByThen = signal.asofTs + DAY_MS >= event.window.endTs;
  const ts = signal.asofTs + (isOverByThen ? HOUR_MS : DAY_MS);
  let value = 0;
  for (const label of splitBuckets(signal.bucketLabel)) {
    const bucket = event.buckets.find((candidate) => candidate.label === label);
    const quote =
      bucket &&
      (await store.quotes.standingAt(signal.strategy === BUY_NO ? bucket.noTokenId : bucket.yesTokenId, ts));
    const price = quote ? computeMarketPrice(quote, null) : null;
    if (price === null) return null;
    value += price;
  }
  return roundMicros(value - signal.costPerShare);
}
