// An account's signals: every bucket of every open event, best edge first, and the strategies that pass their
// gates.

import type { EventSignals, PricedEvent, SizingRules } from '../types.ts';
import { buildBucketSignal } from './bucket-signal.ts';
import { type AccountDecisions, decideAccount, type EventDecisions } from './decide-account.ts';
import { findStandardWidth } from './moneyness.ts';
import { findBuyStrategies, findSellStrategies } from './strategies.ts';

/** Sizes the decisions for one bankroll. */
export function sizeSignals(
  { events, lambda }: AccountDecisions,
  bankrollUsd: number,
  rules: SizingRules,
): EventSignals[] {
  return events.map((decisions) => sizeEvent(decisions, lambda, bankrollUsd, rules));
}

function sizeEvent(
  { event, buckets }: EventDecisions,
  lambda: number,
  bankrollUsd: number,
  rules: SizingRules,
): EventSignals {
  const standardWidth = findStandardWidth(event.buckets);
  const context = { event, bankrollUsd, rules, standardWidth };
  const signals = buckets
    .map((decided) => buildBucketSignal(decided, context))
    .sort((a, b) => b.edge - a.edge);
  const isBlind = Boolean(event.blindness);
  const blended: PricedEvent = {
    ...event,
    buckets: buckets.map(({ bucket, edge }) => ({ ...bucket, modelProbability: edge.blended })),
  };
  return {
    eventId: event.eventId,
    title: event.title,
    endTs: event.endTs,
    secondsRemaining: event.secondsRemaining,
    blindness: event.blindness ?? null,
    signals,
    buy: isBlind ? [] : findBuyStrategies(blended, signals, bankrollUsd, lambda, rules),
    sell: findSellStrategies(signals),
  };
}

export function buildAccountSignals(
  events: readonly PricedEvent[],
  bankrollUsd: number,
  rules: SizingRules,
  nowTs = 0,
): EventSignals[] {
  return sizeSignals(decideAccount(events, rules, nowTs), bankrollUsd, rules);
}
