// Predicted vs. observed win rates of advice, per edge kind and probability class, next to the market's
// price. Bets on one event share its outcome, so intervals count events.

import { normalQuantile } from '../../forecast/numeric/special-functions.ts';
import { intervalOf } from '../../forecast/scoring/block-bootstrap.ts';
import type { Random } from '../../runtime/random.ts';
import type { EdgeKind } from '../types.ts';
import { keepLedger, type PaperLedger } from './paper-ledger.ts';
import type { Interval, RecordedSignal } from './record.ts';

/** Upper bounds of the probability classes. */
const CLASS_ENDS = [0.1, 0.25, 0.5, 0.75, 0.9, 1];
export const EDGE_KINDS: readonly EdgeKind[] = ['fact', 'structure', 'model'];

export interface PredictedObserved {
  edgeKind: EdgeKind;
  /** null for the row that covers all classes of the kind. */
  probabilityClass: { from: number; to: number } | null;
  bets: number;
  events: number;
  /** Mean predicted, market-implied and observed win rates; null without bets. */
  predicted: number | null;
  marketImplied: number | null;
  observed: number | null;
  /** 90 percent interval for `observed` if the predictions are right. */
  expectedInterval: Interval | null;
  ledger: PaperLedger;
}

/** A settled bet with a stated probability. */
export type StatedBet = RecordedSignal & { edgeKind: EdgeKind; winProbability: number; won: boolean };

export function comparePredictions(signals: readonly RecordedSignal[], random: Random): PredictedObserved[] {
  const stated = listStated(signals);
  return EDGE_KINDS.flatMap((edgeKind) => {
    const ofKind = stated.filter((bet) => bet.edgeKind === edgeKind);
    const classes = CLASS_ENDS.flatMap((to, i) => {
      const from = CLASS_ENDS[i - 1] ?? 0;
      const inside = ofKind.filter(({ winProbability: p }) => p >= from && (p < to || to === 1));
      return inside.length > 0 ? [describe(edgeKind, { from, to }, inside, random)] : [];
    });
    return [describe(edgeKind, null, ofKind, random), ...classes];
  });
}

/** Keeps single-bucket bets only, because strategies repeat them. */
export function listStated(signals: readonly RecordedSignal[]): StatedBet[] {
  return signals.filter(
    (signal): signal is StatedBet =>
      signal.won !== null &&
      signal.edgeKind !== null &&
      signal.winProbability !== null &&
      signal.stakeUsd > 0 &&
      (signal.strategy === null || signal.strategy === 'BUY_NO'),
  );
}

function describe(
  edgeKind: EdgeKind,
  probabilityClass: PredictedObserved['probabilityClass'],
  bets: readonly StatedBet[],
  random: Random,
): PredictedObserved {
  const mean = (pick: (bet: StatedBet) => number) =>
    bets.length === 0 ? null : bets.reduce((sum, bet) => sum + pick(bet), 0) / bets.length;
  return {
    edgeKind,
    probabilityClass,
    bets: bets.length,
    events: new Set(bets.map((bet) => bet.eventId)).size,
    predicted: mean((bet) => bet.winProbability),
    marketImplied: mean((bet) => bet.marketPrice),
    observed: mean((bet) => (bet.won ? 1 : 0)),
    expectedInterval: bets.length === 0 ? null : simulateObserved(bets, random),
    ledger: keepLedger(bets, random),
  };
}

const DRAWS = 1_000;

/** One uniform draw per event decides all its bets, each against its own stated probability. */
function simulateObserved(bets: readonly StatedBet[], random: Random): Interval {
  const events = [...Map.groupBy(bets, (bet) => bet.eventId).values()];
  const shares = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw++) {
    let wins = 0;
    for (const event of events) {
      const luck = random.uniform();
      for (const bet of event) if (luck < bet.winProbability) wins += 1;
    }
    shares[draw] = wins / bets.length;
  }
  return intervalOf(shares.sort());
}

export interface ResultCheck {
  wins: number;
  expectedWins: number;
  /** Fewer wins than this contradict the stated probabilities. */
  leastWins: number;
  isOutside: boolean;
}

const HALT_LEVEL = 0.99;
const MIN_EVENTS = 5;

/** Whether too few bets were won for the stated probabilities to be right. */
export function checkResults(bets: readonly StatedBet[]): ResultCheck {
  const events = [...Map.groupBy(bets, (bet) => bet.eventId).values()];
  const expectedWins = bets.reduce((sum, bet) => sum + bet.winProbability, 0);
  const wins = bets.filter((bet) => bet.won).length;
  const variance = events.reduce((sum, event) => sum + describeVariance(event), 0);
  const leastWins = Math.max(0, expectedWins - normalQuantile(HALT_LEVEL) * Math.sqrt(variance));
  return { wins, expectedWins, leastWins, isOutside: events.length >= MIN_EVENTS && wins < leastWins };
}

/** Conservative: assumes that all bets on an event are won or lost together. */
function describeVariance(event: readonly StatedBet[]): number {
  const deviation = event.reduce((sum, { winProbability: p }) => sum + Math.sqrt(p * (1 - p)), 0);
  return deviation * deviation;
}

/** Why model advice is halted; null while results match the predictions. */
export function findHalt(signals: readonly RecordedSignal[]): string | null {
  const bets = listStated(signals).filter((bet) => bet.edgeKind === 'model');
  const { wins, expectedWins, leastWins, isOutside } = checkResults(bets);
  if (!isOutside) return null;
  const expected = `${expectedWins.toFixed(1)} expected (fewer than ${leastWins.toFixed(1)} is unlikely by chance)`;
  return `model advice halted: ${wins} of ${bets.length} bets won, ${expected}`;
}
