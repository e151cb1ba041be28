// Scores model, market and blend on the same ladders: bucket log scores, and their differences with intervals over
// events.

import { type Interval, intervalOf, resampleBlocks } from '../../forecast/scoring/block-bootstrap.ts';
import type { Random } from '../../runtime/random.ts';
import { readMarket } from '../edges/blend.ts';
import type { SignalStep } from './signal-walk.ts';

const FLOOR = 1e-4;

export interface LadderScore {
  eventId: number;
  leadHours: number;
  model: number;
  market: number;
  blended: number;
}

/** Scores every settled, priced ladder; lower is better. Each blend uses only events settled by then. */
export function scoreLadders(steps: readonly SignalStep[]): LadderScore[] {
  return steps.flatMap(({ eventId, horizonH, sample, blended }): LadderScore[] => {
    const market = readMarket(sample.model, sample.prices);
    if (!market || sample.winner < 0) return [];
    return [
      {
        eventId,
        leadHours: horizonH,
        model: lost(sample.model, sample.winner),
        market: lost(market, sample.winner),
        blended: lost(blended, sample.winner),
      },
    ];
  });
}

function lost(probabilities: readonly number[], winner: number): number {
  return -Math.log(Math.max(FLOOR, probabilities[winner]!));
}

export interface MarketComparison {
  name: string;
  ladders: number;
  model: number;
  market: number;
  blended: number;
  events: number;
  /** Model minus market and blend minus market, as 90% intervals by event; negative beats the market. */
  modelGain: Interval;
  blendedGain: Interval;
}

const RESAMPLES = 1000;

/** One row of the comparison. An event's ladders share one outcome, so whole events are resampled. */
function compareLadders(name: string, scores: readonly LadderScore[], random: Random): MarketComparison {
  const mean = (pick: (score: LadderScore) => number) =>
    scores.reduce((sum, score) => sum + pick(score), 0) / Math.max(1, scores.length);
  const events = [...Map.groupBy(scores, (score) => score.eventId).values()];
  const interval = (pick: (score: LadderScore) => number) => bootstrapByEvent(events, pick, random);
  return {
    name,
    ladders: scores.length,
    events: events.length,
    model: mean((score) => score.model),
    market: mean((score) => score.market),
    blended: mean((score) => score.blended),
    modelGain: interval((score) => score.model - score.market),
    blendedGain: interval((score) => score.blended - score.market),
  };
}

function bootstrapByEvent(
  events: readonly (readonly LadderScore[])[],
  pick: (score: LadderScore) => number,
  random: Random,
): Interval {
  const totals = events.map((scores) => scores.reduce((sum, score) => sum + pick(score), 0));
  const drawn = resampleBlocks(events.length, 1, RESAMPLES, random, (indexes) => {
    let sum = 0;
    let ladders = 0;
    for (const i of indexes) {
      sum += totals[i]!;
      ladders += events[i]!.length;
    }
    return sum / Math.max(1, ladders);
  });
  return intervalOf(drawn);
}

/** All ladders, then by lead. */
export function compareAll(scores: readonly LadderScore[], random: Random): MarketComparison[] {
  const leads = [...new Set(scores.map((score) => score.leadHours))].sort((a, b) => a - b);
  const rows: [string, readonly LadderScore[]][] = [
    ['all', scores],
    ...leads.map((lead): [string, LadderScore[]] => [
      `lead ${lead} h`,
      scores.filter((score) => score.leadHours === lead),
    ]),
  ];
  return rows.map(([name, group]) => compareLadders(name, group, random));
}
