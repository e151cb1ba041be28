// How often buckets won, by predicted probability, with intervals. Buckets of one event share its outcome, so
// whole events are resampled.

import { type Interval, intervalOf, resampleBlocks } from '../../forecast/scoring/block-bootstrap.ts';
import type { Random } from '../../runtime/random.ts';

export interface ReliabilityBin {
  from: number;
  to: number;
  meanProbability: number | null;
  wonFraction: number | null;
  /** 90 percent, resampled by event; null with fewer than 3 events. */
  interval: Interval | null;
  buckets: number;
  events: number;
}

type Scored = { buckets: readonly { probability: number; won: boolean }[] };

const BINS = 10;
const RESAMPLES = 500;
const MIN_EVENTS = 3;

export function computeReliability(scores: readonly Scored[], random: Random): ReliabilityBin[] {
  return Array.from({ length: BINS }, (_, bin) => {
    const events = scores
      .map(({ buckets }) => summarise(buckets.filter(({ probability }) => binOf(probability) === bin)))
      .filter(({ buckets }) => buckets > 0);
    const total = addUp(events);
    return {
      from: bin / BINS,
      to: (bin + 1) / BINS,
      meanProbability: total.buckets === 0 ? null : total.probability / total.buckets,
      wonFraction: total.buckets === 0 ? null : total.won / total.buckets,
      interval: events.length < MIN_EVENTS ? null : spread(events, random),
      buckets: total.buckets,
      events: events.length,
    };
  });
}

function binOf(probability: number): number {
  return Math.min(BINS - 1, Math.floor(probability * BINS));
}

interface Tally {
  buckets: number;
  probability: number;
  won: number;
}

function summarise(buckets: Scored['buckets']): Tally {
  return {
    buckets: buckets.length,
    probability: buckets.reduce((sum, { probability }) => sum + probability, 0),
    won: buckets.filter(({ won }) => won).length,
  };
}

function addUp(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { buckets, probability, won }) => ({
      buckets: sum.buckets + buckets,
      probability: sum.probability + probability,
      won: sum.won + won,
    }),
    { buckets: 0, probability: 0, won: 0 },
  );
}

function spread(events: readonly Tally[], random: Random): Interval {
  const sorted = resampleBlocks(events.length, 1, RESAMPLES, random, (indexes) => {
    let won = 0;
    let buckets = 0;
    for (const i of indexes) {
      won += events[i]!.won;
      buckets += events[i]!.buckets;
    }
    return won / buckets;
  });
  return intervalOf(sorted);
}
