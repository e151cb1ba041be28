// Scores model, market and blend on the same ladders: bucket log scores, their differences with intervals
// over events, and the conditions in which each was better.

import { HOUR_MS } from '../../domain/units.ts';
import { type Interval, intervalOf, resampleBlocks } from '../../forecast/scoring/block-bootstrap.ts';
import type { SortedTimes } from '../../forecast/time/timeline.ts';
import type { Random } from '../../runtime/random.ts';
import { blendLadder, readMarket } from '../edges/blend.ts';
import { PRIOR_EVIDENCE } from '../edges/prior-evidence.ts';
import type { SignalStep } from './signal-walk.ts';

const FLOOR = 1e-4;

export interface LadderScore {
  eventId: number;
  leadHours: number;
  model: number;
  market: number;
  blended: number;
  /** The blend with the shipped weights, as in the record of a service. */
  shipped: number;
  conditions: readonly string[];
}

/** Scores every settled, priced ladder; lower is better. Each blend uses only events settled by then. */
export function scoreLadders(steps: readonly SignalStep[], counted: SortedTimes): LadderScore[] {
  return steps.flatMap(({ eventId, horizonH, sample, blended, snapshot }): LadderScore[] => {
    const market = readMarket(sample.model, sample.prices);
    if (!market || sample.winner < 0) return [];
    return [
      {
        eventId,
        leadHours: horizonH,
        model: lost(sample.model, sample.winner),
        market: lost(market, sample.winner),
        blended: lost(blended, sample.winner),
        shipped: lost(
          blendLadder(PRIOR_EVIDENCE, sample.model, sample.prices, sample.leadHours).probabilities,
          sample.winner,
        ),
        conditions: describeConditions(snapshot.ts, counted),
      },
    ];
  });
}

function lost(probabilities: readonly number[], winner: number): number {
  return -Math.log(Math.max(FLOOR, probabilities[winner]!));
}

/** Describes the conditions at a time in terms that do not depend on the account. */
export function describeConditions(ts: number, counted: SortedTimes): string[] {
  const perDay = (days: number) => counted.countSince(ts - days * 24 * HOUR_MS, ts) / days;
  const [day, week, month] = [perDay(1), perDay(7), perDay(28)];
  const hour = counted.countSince(ts - HOUR_MS, ts);
  const quarter = 6 * Math.floor(((ts / HOUR_MS) % 24) / 6);
  const pick = (name: string, ratio: number, low: number, high: number) =>
    `${name} ${ratio < low ? `below ${low}` : ratio > high ? `above ${high}` : `${low} to ${high}`}`;
  return [
    pick('week / month', week / Math.max(0.1, month), 0.8, 1.25),
    pick('day / week', day / Math.max(0.1, week), 0.7, 1.4),
    `last hour ${hour === 0 ? 'silent' : hour >= Math.max(3, week / 8) ? 'in session' : 'some posts'}`,
    `UTC hour ${quarter} to ${quarter + 6}`,
  ];
}

export interface MarketComparison {
  name: string;
  ladders: number;
  model: number;
  market: number;
  blended: number;
  shipped: number;
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
    shipped: mean((score) => score.shipped),
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

/** All ladders, then by lead, then by condition. */
export function compareAll(scores: readonly LadderScore[], random: Random): MarketComparison[] {
  const leads = [...new Set(scores.map((score) => score.leadHours))].sort((a, b) => a - b);
  const conditions = [...new Set(scores.flatMap((score) => score.conditions))].sort();
  const rows: [string, readonly LadderScore[]][] = [
    ['all', scores],
    ...leads.map((lead): [string, LadderScore[]] => [
      `lead ${lead} h`,
      scores.filter((score) => score.leadHours === lead),
    ]),
    ...conditions.map((name): [string, LadderScore[]] => [
      name,
      scores.filter((score) => score.conditions.includes(name)),
    ]),
  ];
  return rows.map(([name, group]) => compareLadders(name, group, random));
}
