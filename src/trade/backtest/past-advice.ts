// What would have been advised at past moments, with evidence from events that had ended by then. Never
// published: it is shown apart from recorded advice.

import type { AccountId } from '../../domain/account.ts';
import type { CountWindow, FeeSchedule } from '../../domain/market-event.ts';
import type { EdgeEvidence } from '../../domain/standing-advice.ts';
import { HOUR_MS } from '../../domain/units.ts';
import { decideAccount } from '../advice/decide-account.ts';
import { sizeSignals } from '../advice/signals.ts';
import { learnForward, type PastSample } from '../edges/learn-forward.ts';
import type { RecordedSignal } from '../record/record.ts';
import { DEFAULT_BANKROLL_USD } from '../sizing/sizing-rules.ts';
import type { PricedEvent, SizingRules } from '../types.ts';
import { createPaperBook, type PaperBet } from './paper-book.ts';
import { toPricedEvent } from './past-ladder.ts';
import { isWholeLadder, type LadderSnapshot } from './price-file.ts';

/** A settled event at one time before its end, with the forecast and prices of that time. */
export interface PastMoment {
  eventId: number;
  window: CountWindow;
  ts: number;
  horizonH: number;
  buckets: readonly { label: string; lo: number; hi: number | null }[];
  model: readonly number[];
  prices: readonly (number | null)[];
  fee: FeeSchedule;
  countSoFar: number;
  p50: number;
  modelSd: number;
  finalCount: number;
  winner: number;
}

/** A bet that was never published, on an event that has settled. */
export interface RecomputedBet extends RecordedSignal {
  labels: readonly string[];
}

export interface RecomputedLedger {
  /** Settled events that were looked at. */
  events: number;
  bets: readonly RecomputedBet[];
}

/** Where an account's ledger is kept, as JSON. */
export function ledgerName(accountId: AccountId): string {
  return `recomputed-advice:${accountId}`;
}

export interface PastAdvicePlan {
  rules: SizingRules;
  prior: EdgeEvidence;
  /** Books of the past are unknown, so this is added to the midpoint. */
  halfSpread: number;
}

/** Ascending moments; returns to the caller after each, so that the work can be spread. */
export function* adviseOnPast(
  moments: readonly PastMoment[],
  plan: PastAdvicePlan,
): Generator<readonly PaperBet[]> {
  const evidenceAt = learnForward(moments.map(toSample), plan.prior);
  const book = createPaperBook(moments.map(toSnapshot));
  for (const group of groupByTime(moments)) {
    const evidence = evidenceAt(group[0]!.ts);
    const whole = group.filter((moment) => isWholeLadder(toSnapshot(moment), moment.countSoFar));
    const events = whole.map((moment) => ({ ...toEvent(moment, plan), evidence }));
    const advice = sizeSignals(
      decideAccount(events, plan.rules, group[0]!.ts),
      DEFAULT_BANKROLL_USD,
      plan.rules,
    );
    yield whole.flatMap((moment, i) => {
      const { horizonH, finalCount: final } = moment;
      return book.follow(advice[i]!, events[i]!, { horizonH, snapshot: toSnapshot(moment), final });
    });
  }
}

function toSnapshot({ ts, window, buckets, prices }: PastMoment): LadderSnapshot {
  const points = buckets.flatMap(({ label, lo, hi }, i) => {
    const price = prices[i] ?? null;
    return price === null ? [] : [{ label, lo, hi, price, ask: null, bid: null, size: null }];
  });
  return { ts, window, points };
}

function toEvent(moment: PastMoment, { halfSpread }: PastAdvicePlan): PricedEvent {
  const model = moment.model.filter((_, i) => (moment.prices[i] ?? null) !== null);
  const { eventId, countSoFar, fee } = moment;
  return toPricedEvent(eventId, toSnapshot(moment), model, moment, countSoFar, { fee, halfSpread });
}

function toSample({ eventId, window, ts, model, prices, winner }: PastMoment): PastSample {
  const leadHours = (window.endTs - ts) / HOUR_MS;
  return { eventId, leadHours, model, prices, winner, window, isRecomputed: true };
}

function groupByTime(moments: readonly PastMoment[]): PastMoment[][] {
  return [...Map.groupBy(moments, ({ ts }) => ts).entries()]
    .sort(([left], [right]) => left - right)
    .map(([, group]) => group);
}
