// Compares model, market and blend on the same settled ladders: means with intervals resampled by event. One score is
// one event at one horizon.

import type { EdgeEvidence } from '../../domain/standing-advice.ts';
import { bootstrapMean, type Interval } from '../../forecast/scoring/block-bootstrap.ts';
import type { Random } from '../../runtime/random.ts';
import { blendLadder, readMarket } from '../edges/blend.ts';

/** The part of a stored score that the comparison needs. */
export interface ScoredLadder {
  horizonH: number;
  buckets: readonly { probability: number; won: boolean; marketPrice: number | null }[];
}

/** Lower is better; `interval` is null with fewer than 3 events. */
export interface Estimate {
  mean: number | null;
  interval: Interval | null;
  events: number;
}

export interface ForecasterRow {
  name: 'model' | 'market' | 'blend';
  logScore: Estimate;
  /** CRPS over the ladder, in buckets. */
  rankedScore: Estimate;
  /** Return on a stake spread over the buckets by forecast probability, before fees; higher is better. */
  returnOnStake: Estimate;
}

const FLOOR = 1e-4;
/** Shares are never sold below one cent. */
const MIN_PRICE = 0.01;
const RESAMPLES = 1_000;
const MIN_EVENTS = 3;

/** Uses only events with prices, so that all three are scored on the same events. */
export function compareForecasters<Score extends ScoredLadder>(
  scores: readonly Score[],
  random: Random,
  /** What the blend's weights rest on at the time of the score. */
  evidenceOf: (score: Score) => EdgeEvidence,
): ForecasterRow[] {
  const ladders = scores.flatMap((score) => readLadder(score, evidenceOf(score)));
  return (['model', 'market', 'blend'] as const).map((name) => ({
    name,
    logScore: estimate(
      ladders.map((ladder) => -Math.log(Math.max(FLOOR, ladder[name][ladder.winner]!))),
      random,
    ),
    rankedScore: estimate(
      ladders.map((ladder) => rankedScore(ladder[name], ladder.winner)),
      random,
    ),
    returnOnStake: estimate(
      ladders.flatMap((ladder) => computeReturn(ladder[name], ladder) ?? []),
      random,
    ),
  }));
}

export function estimate(values: readonly number[], random: Random): Estimate {
  const events = values.length;
  if (events === 0) return { mean: null, interval: null, events };
  const mean = values.reduce((sum, value) => sum + value, 0) / events;
  const interval = events < MIN_EVENTS ? null : bootstrapMean(values, 1, RESAMPLES, random);
  return { mean, interval, events };
}

interface Ladder {
  winner: number;
  prices: readonly (number | null)[];
  model: readonly number[];
  market: readonly number[];
  blend: readonly number[];
}

function readLadder({ buckets, horizonH }: ScoredLadder, evidence: EdgeEvidence): Ladder[] {
  const winner = buckets.findIndex(({ won }) => won);
  const model = buckets.map(({ probability }) => probability);
  const prices = buckets.map(({ marketPrice }) => marketPrice);
  const market = winner < 0 ? null : readMarket(model, prices);
  if (!market) return [];
  const blend = blendLadder(evidence, model, prices, horizonH).probabilities;
  return [{ winner, prices, model, market, blend }];
}

function rankedScore(probabilities: readonly number[], winner: number): number {
  let below = 0;
  return probabilities.slice(0, -1).reduce((sum, p, i) => {
    below += p;
    return sum + (below - (i >= winner ? 1 : 0)) ** 2;
  }, 0);
}

/** Bets on every event by the same rule; null if the winning bucket had no price. */
function computeReturn(probabilities: readonly number[], { winner, prices }: Ladder): number | null {
  const price = prices[winner];
  if (price == null) return null;
  const staked = probabilities.reduce((sum, p, i) => sum + (prices[i] == null ? 0 : p), 0);
  return staked > 0 ? probabilities[winner]! / staked / Math.max(MIN_PRICE, price) - 1 : null;
}
