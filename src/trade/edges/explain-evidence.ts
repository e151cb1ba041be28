// What the settled events say about edges over the market, in words: where they come from, how much of the
// weight is still the prior, and what is missing for a proof.

import type { EdgeEvidence, EvidenceSources } from '../../domain/standing-advice.ts';
import { plural } from '../../domain/units.ts';
import { countEventsNeeded, REACH } from './learn-evidence.ts';
import { computePriorShare } from './prior-evidence.ts';

export type GapSide = 'above' | 'below';

/** After this many settled events, a bound that still includes zero is a result rather than a lack of data. */
const MANY_EVENTS = 100;
/** Two-sided 90 percent. */
const SDS = 1.645;

export interface WeightEstimate {
  weight: number;
  low: number;
  high: number;
}

/** Weight of gaps on one side of the market: 0 is the market alone, 1 the model alone. */
export function weighSide({ mean, covariance }: EdgeEvidence, side: GapSide): WeightEstimate {
  const k = side === 'above' ? 0 : 1;
  return estimate(mean[k]!, Math.sqrt(covariance[k]![k]!));
}

/** What the events alone ask for; null if they do not determine a weight. */
export function weighUnaided({ unaided }: EdgeEvidence): WeightEstimate | null {
  return unaided ? estimate(unaided.weight, unaided.sd) : null;
}

function estimate(weight: number, sd: number): WeightEstimate {
  return { weight, low: weight - SDS * sd, high: weight + SDS * sd };
}

/** "113 past events read from the venue and 12 events that came with Tallycast". */
export function nameSources({ sources, events }: EdgeEvidence): string {
  if (!sources) return `${events} settled events`;
  const { shipped, recomputed, forward } = sources;
  const parts = [
    recomputed > 0 ? `${plural(recomputed, 'past event')} read from the venue` : '',
    forward > 0 ? `${plural(forward, 'event')} of our own` : '',
    shipped > 0 ? `${plural(shipped, 'event')} that came with Tallycast` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'no settled events' : joinWords(parts);
}

function joinWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** "past events are still being read: 90 of about 222 compared"; null once they are read. */
function describeReading({ reading }: EdgeEvidence): string | null {
  if (!reading || reading.of === 0) return null;
  return `past events are still being read: ${reading.compared} of about ${reading.of} compared`;
}

/** Why a gap on this side is not traded. */
export function explainUnproven(evidence: EdgeEvidence, side: GapSide): string {
  const reading = describeReading(evidence);
  if (reading) return `edge not proven: ${reading}`;
  const sources = nameSources(evidence);
  if (showsNoEdge(evidence, side)) {
    const { weight, low, high } = weighSide(evidence, side);
    const range = `${weight.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
    return `${sources} show no edge over the market: where the model is ${side} it, its weight is ${range}`;
  }
  const needed = countEventsNeeded(evidence, side);
  if (needed === null) return `edge not proven: ${sources} contradict it`;
  if (needed <= evidence.events) return `edge not proven at this price after ${sources}`;
  return `edge not proven: ${sources}, of about ${roundEvents(needed)} needed`;
}

/** Whether many settled events leave a weight of zero possible. */
export function showsNoEdge(evidence: EdgeEvidence, side: GapSide): boolean {
  const { weight } = weighSide(evidence, side);
  const sd = Math.sqrt(evidence.covariance[side === 'above' ? 0 : 1]![side === 'above' ? 0 : 1]!);
  return countOwn(evidence.sources) >= MANY_EVENTS && weight - REACH * sd <= 0;
}

/** Decides only how a result is worded; forward and recomputed events are shown apart. */
function countOwn(sources: EvidenceSources | undefined): number {
  return sources ? Math.max(sources.recomputed, sources.forward) : 0;
}

/** One sentence for the record. */
export function summariseEvidence(evidence: EdgeEvidence): string {
  const share = `${Math.round(100 * computePriorShare(evidence))}% of the weight is still the prior's`;
  const sides = (['above', 'below'] as const).map((side) => {
    if (showsNoEdge(evidence, side)) return `no edge where the model is ${side} the market`;
    const needed = countEventsNeeded(evidence, side);
    if (needed === null) return `the model ${side} the market: contradicted`;
    if (needed <= evidence.events)
      return `the model ${side} the market: weight above zero (one-sided 90% bound)`;
    return `the model ${side} the market: not proven, about ${roundEvents(needed)} events needed`;
  });
  const reading = describeReading(evidence) ?? [];
  return `${capitalise([nameSources(evidence), share, ...sides].concat(reading).join('; '))}.`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Rounded, because the number is only an estimate. */
function roundEvents(events: number): number {
  const step = events < 100 ? 5 : events < 1_000 ? 10 : 100;
  return Math.ceil(events / step) * step;
}
