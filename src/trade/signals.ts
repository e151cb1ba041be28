// Signals of an account: every bucket of every open event, best edge first, and the strategies that pass their gates.

import { withBelief } from './belief.ts';
import { buildBucketSignal } from './bucket-signal.ts';
import { sizeFlatAccount } from './flat-sizing.ts';
import { findStandardWidth } from './moneyness.ts';
import { findBuyStrategies, findSellStrategies } from './strategies.ts';
import type { EventSignals, PricedEvent, SizingRules } from './types.ts';

export function buildAccountSignals(
  events: readonly PricedEvent[],
  bankrollUsd: number,
  rules: SizingRules,
): EventSignals[] {
  const believed = events.map(withBelief);
  const { fractions, lambda, note } = sizeFlatAccount(believed, rules);
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
