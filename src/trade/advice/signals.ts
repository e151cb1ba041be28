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
  { fractions, lambda, note }: FlatSizing = sizeAccount(events, rules),
): EventSignals[] {
  const believed = events.map(withBelief);
  return events.map((event, e) => {
    const context = { event, bankrollUsd, rules, standardWidth: findStandardWidth(event.buckets) };
    const signals = event.buckets
      .map((bucket, b) =>
        buildBucketSignal(
          bucket,
          { belief: believed[e].buckets[b].modelProbability, fullFraction: fractions[e][b], lambda, note },
          context,
        ),
      )
      .sort((a, b) => b.edge - a.edge);
    return {
      eventId: event.eventId,
      title: event.title,
      signals,
      buy: findBuyStrategies(believed[e], bankrollUsd, lambda, rules),
      sell: findSellStrategies(signals),
    };
  });
}
