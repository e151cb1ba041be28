// Model, market and belief on the same ladders: bucket log scores, their differences with intervals over events, and
// in which conditions which of them was better.

import { HOUR_MS } from '../../domain/units.ts';
import { bootstrapMean, type Interval } from '../../forecast/scoring/block-bootstrap.ts';
import type { SortedTimes } from '../../forecast/time/timeline.ts';
import type { Random } from '../../runtime/random.ts';
import { devigPrices } from '../pricing/devig.ts';
import { poolLogarithmically } from '../pricing/log-pool.ts';
import { findBucket } from '../sizing/outcome-cells.ts';
import type { SignalStep } from './signal-walk.ts';

const FLOOR = 1e-4;

/** Before evidence half is the model's; the prior counts as much as this many settled ladders of the same lead. */
const PRIOR_WEIGHT = 0.5;
const PRIOR_LADDERS = 20;
const WEIGHT_GRID = Array.from({ length: 19 }, (_, i) => (i + 1) / 20);

export interface LadderScore {
  leadHours: number;
  model: number;
  market: number;
  belief: number;
  /** Share of the model in the belief. */
  modelWeight: number;
  conditions: readonly string[];
}

interface PricedLadder {
  step: SignalStep;
  market: readonly number[];
  winner: number;
}

/** Scores of every ladder that can be settled and priced, lower better; beliefs know only what was over by then. */
export function scoreLadders(steps: readonly SignalStep[], counted: SortedTimes): LadderScore[] {
  const ladders = steps.flatMap((step): PricedLadder[] => {
    const winner = findBucket(step.snapshot.points, step.final);
    const market = devigPrices(step.snapshot.points.map((point) => point.price));
    return market && winner >= 0 ? [{ step, market, winner }] : [];
  });
  return ladders.map(({ step, market, winner }) => {
    const { snapshot, probabilities, horizonH } = step;
    const over = ladders.filter(
      (past) => past.step.horizonH === horizonH && past.step.snapshot.window.endTs <= snapshot.ts,
    );
    const modelWeight = learnWeight(over);
    return {
      leadHours: horizonH,
      model: lost(probabilities, winner),
      market: lost(market, winner),
      belief: lost(poolLogarithmically(probabilities, market, modelWeight), winner),
      modelWeight,
      conditions: describeConditions(snapshot.ts, counted),
    };
  });
}

function lost(probabilities: readonly number[], winner: number): number {
  return -Math.log(Math.max(FLOOR, probabilities[winner]!));
}

/** The weight under which settled ladders would have been likeliest, drawn to one half. */
function learnWeight(settled: readonly PricedLadder[]): number {
  let best = { weight: PRIOR_WEIGHT, score: Number.NEGATIVE_INFINITY };
  for (const weight of WEIGHT_GRID) {
    let score = PRIOR_LADDERS * (PRIOR_WEIGHT * Math.log(weight) + (1 - PRIOR_WEIGHT) * Math.log(1 - weight));
    for (const { step, market, winner } of settled) {
      score -= lost(poolLogarithmically(step.probabilities, market, weight), winner);
    }
    if (score > best.score) best = { weight, score };
  }
  return best.weight;
}

/** What was the case at an instant, in words that do not depend on the account. */
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
  belief: number;
  /** Model less market and belief less market, with 90 percent intervals; negative is better than the market. */
  modelGain: Interval;
  beliefGain: Interval;
}

const RESAMPLES = 1000;

/** One row; ladders are in order of time, so neighbours share their posts and blocks keep them together. */
function compareLadders(name: string, scores: readonly LadderScore[], random: Random): MarketComparison {
  const mean = (pick: (score: LadderScore) => number) =>
    scores.reduce((sum, score) => sum + pick(score), 0) / Math.max(1, scores.length);
  const block = Math.max(1, Math.min(4, Math.floor(scores.length / 4)));
  const interval = (pick: (score: LadderScore) => number) =>
    bootstrapMean(scores.map(pick), block, RESAMPLES, random);
  return {
    name,
    ladders: scores.length,
    model: mean((score) => score.model),
    market: mean((score) => score.market),
    belief: mean((score) => score.belief),
    modelGain: interval((score) => score.model - score.market),
    beliefGain: interval((score) => score.belief - score.market),
  };
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
