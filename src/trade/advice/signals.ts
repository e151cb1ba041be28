// Signals of an account: every bucket of every open event, best edge first, and the strategies that pass their gates.

import { withBelief } from '../pricing/belief.ts';
import { type FlatSizing, sizeFlatAccount } from '../sizing/flat-sizing.ts';
import type { EventSignals, PricedEvent, SizingRules } from '../types.ts';
import { buildBucketSignal } from './bucket-signal.ts';
import { findStandardWidth } from './moneyness.ts';
import { findBuyStrategies, findSellStrategies } from './strategies.ts';

/** Nearly all of the work, and the same for every bankroll and until a forecast or a price changes. */
export function sizeAccount(events: readonly PricedEvent[], rules: SizingRules): FlatSizing {
  return sizeFlatAccount(events.map(withBelief), rules);
}

export function buildAccountSignals(
  events: readonly PricedEvent[],
  bankrollUsd: number,
  rules: SizingRules,
  sizing: FlatSizing = sizeAccount(events, rules),
): EventSignals[] {
  return events.map((event, e) => buildEventSignals(event, e, bankrollUsd, rules, sizing));
}

function buildEventSignals(
  event: PricedEvent,
  e: number,
  bankrollUsd: number,
  rules: SizingRules,
  { yesFractions, noFractions, lambda, note }: FlatSizing,
): EventSignals {
  const believed = withBelief(event);
  const context = { event, bankrollUsd, rules, standardWidth: findStandardWidth(event.buckets) };
  const signals = event.buckets
    .map((bucket, b) => {
      const belief = believed.buckets[b]!.modelProbability;
      const yesFraction = yesFractions[e]?.[b] ?? 0;
      const noFraction = noFractions[e]?.[b] ?? 0;
      return buildBucketSignal(bucket, { belief, yesFraction, noFraction, lambda, note }, context);
    })
    .sort((a, b) => b.edge - a.edge);
  const isBlind = Boolean(event.blindness);
  return {
    eventId: event.eventId,
    title: event.title,
    endTs: event.endTs,
    secondsRemaining: event.secondsRemaining,
    blindness: event.blindness ?? null,
    signals,
    buy: isBlind ? [] : findBuyStrategies(believed, signals, bankrollUsd, lambda, rules),
    sell: findSellStrategies(signals),
  };
}
