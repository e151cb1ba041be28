// Signals of an account: every bucket of every open event, best edge first, and the strategies that pass their gates.

import { withBelief } from '../pricing/belief.ts';
import { type FlatSizing, sizeFlatAccount } from '../sizing/flat-sizing.ts';
import type { BucketSignal, EventSignals, PricedEvent, SizingRules } from '../types.ts';
import { buildBucketSignal } from './bucket-signal.ts';
import { findStandardWidth } from './moneyness.ts';
import { findBuyStrategies, findSellStrategies } from './strategies.ts';

/** Nearly all of the work, and the same for every bankroll and until a forecast or a price changes. */
export function sizeAccount(events: readonly PricedEvent[], rules: SizingRules): FlatSizing {
  return sizeFlatAccount(events.map(withBelief), rules);
}

/** Everything that no bankroll changes is made once; most buckets have no stake, whatever the bankroll. */
export function prepareSignals(
  events: readonly PricedEvent[],
  rules: SizingRules,
  sizing: FlatSizing = sizeAccount(events, rules),
): (bankrollUsd: number) => EventSignals[] {
  const prepared = events.map((event, e) => prepareEvent(event, e, rules, sizing));
  return (bankrollUsd) => prepared.map((build) => build(bankrollUsd));
}

/** Of one of the events that were sized together. */
export function buildEventSignals(
  events: readonly PricedEvent[],
  e: number,
  bankrollUsd: number,
  rules: SizingRules,
): EventSignals {
  return prepareEvent(events[e]!, e, rules, sizeAccount(events, rules))(bankrollUsd);
}

export function buildAccountSignals(
  events: readonly PricedEvent[],
  bankrollUsd: number,
  rules: SizingRules,
): EventSignals[] {
  return prepareSignals(events, rules)(bankrollUsd);
}

function prepareEvent(
  event: PricedEvent,
  e: number,
  rules: SizingRules,
  sizing: FlatSizing,
): (bankrollUsd: number) => EventSignals {
  const believed = withBelief(event);
  const prepared = prepareBuckets(event, believed, e, rules, sizing);
  const isBlind = Boolean(event.blindness);
  return (bankrollUsd) => {
    const signals = prepared.map((build) => build(bankrollUsd)).sort((a, b) => b.edge - a.edge);
    return {
      eventId: event.eventId,
      title: event.title,
      endTs: event.endTs,
      secondsRemaining: event.secondsRemaining,
      blindness: event.blindness ?? null,
      signals,
      buy: isBlind ? [] : findBuyStrategies(believed, signals, bankrollUsd, sizing.lambda, rules),
      sell: findSellStrategies(signals),
    };
  };
}

function prepareBuckets(
  event: PricedEvent,
  believed: PricedEvent,
  e: number,
  rules: SizingRules,
  { yesFractions, noFractions, lambda, note }: FlatSizing,
): ((bankrollUsd: number) => BucketSignal)[] {
  const standardWidth = findStandardWidth(event.buckets);
  return event.buckets.map((bucket, b) => {
    const belief = believed.buckets[b]!.modelProbability;
    const yesFraction = yesFractions[e]?.[b] ?? 0;
    const noFraction = noFractions[e]?.[b] ?? 0;
    const build = (bankrollUsd: number) =>
      buildBucketSignal(
        bucket,
        { belief, yesFraction, noFraction, lambda, note },
        { event, bankrollUsd, rules, standardWidth },
      );
    if (yesFraction !== 0 || noFraction !== 0) return build;
    const unstaked = build(0);
    return (bankrollUsd) => ({ ...unstaked, bankrollUsd });
  });
}
