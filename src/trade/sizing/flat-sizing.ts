// Optimal-growth fractions of an account that holds nothing, over all open events at once. Only bets that pay on
// their own (worth more than the executable cost) are made: a hedge bought at a loss is growth-optimal but no signal.
// Yes shares are sized first and stand; No shares are sized on top of them, so that offering No changes no Yes stake.

import { type ExecutablePrice, findNoBuy, findYesBuy } from '../cost.ts';
import type { PricedBucket, PricedEvent, SizingRules } from '../types.ts';
import type { Holding } from './allocation-problem.ts';
import { solveJointAllocation } from './joint-allocation.ts';
import { allocateExclusive, clipProbability } from './kelly.ts';
import { solveAllocation } from './kelly-with-positions.ts';
import { buildOutcomeCells, type OutcomeCells } from './outcome-cells.ts';

export interface FlatSizing {
  /** Full Kelly fraction of Yes and of No shares, per event and bucket. */
  yesFractions: number[][];
  noFractions: number[][];
  /** What the full fractions are to be multiplied by. */
  lambda: number;
  /** How several events were kept from betting the same bankroll twice, in words; null for one event. */
  note: string | null;
}

export function sizeFlatAccount(events: readonly PricedEvent[], rules: SizingRules): FlatSizing {
  const cells = buildCells(events);
  if (events.length > 1 && cells) {
    const yesFractions = sizeYesJointly(events, cells);
    const note = `sized together with ${events.length - 1} other open event(s) on common simulated paths`;
    return {
      yesFractions,
      noFractions: sizeNo(events, cells, yesFractions),
      lambda: rules.kellyLambda,
      note,
    };
  }
  const yesFractions = events.map(sizeYesAlone);
  const noFractions = events.map((event, e) => sizeNo([event], buildCells([event])!, [yesFractions[e]!])[0]!);
  if (events.length <= 1) return { yesFractions, noFractions, lambda: rules.kellyLambda, note: null };
  const note = `Kelly share divided by ${events.length} overlapping events`;
  return { yesFractions, noFractions, lambda: rules.kellyLambda / events.length, note };
}

/** Cost of a bucket that is worth buying by itself; null otherwise. */
export function findWorthwhileBuy(bucket: PricedBucket): ExecutablePrice | null {
  const buy = findYesBuy(bucket);
  return buy.isExecutable && bucket.modelProbability > buy.price.netPrice ? buy.price : null;
}

function findWorthwhileNo(bucket: PricedBucket): ExecutablePrice | null {
  const buy = findNoBuy(bucket);
  return buy.isExecutable && 1 - bucket.modelProbability > buy.price.netPrice ? buy.price : null;
}

function sizeYesAlone(event: PricedEvent): number[] {
  const costs = event.buckets.map((bucket) => findWorthwhileBuy(bucket)?.netPrice ?? 1);
  const probabilities = event.buckets.map((bucket) => clipProbability(bucket.modelProbability));
  const total = probabilities.reduce((sum, p) => sum + p, 0);
  return allocateExclusive(total > 1 ? probabilities.map((p) => p / total) : probabilities, costs).fractions;
}

function buildCells(events: readonly PricedEvent[]): OutcomeCells | null {
  if (events.length === 0) return null;
  return buildOutcomeCells(
    events.map((event) => ({
      ranges: event.buckets,
      probabilities: event.buckets.map((bucket) => bucket.modelProbability),
      finals: event.finals,
    })),
  );
}

const CLOSED = { yesShares: 0, noShares: 0, yesCost: null, yesNetBid: null, noCost: null, noNetBid: null };

function sizeYesJointly(events: readonly PricedEvent[], cells: OutcomeCells): number[][] {
  const holdings = events.flatMap((event, e) =>
    event.buckets.flatMap((bucket, b): Holding[] => {
      const price = findWorthwhileBuy(bucket);
      return price ? [{ ...CLOSED, event: e, bucket: b, yesCost: price.netPrice }] : [];
    }),
  );
  const { trades } = solveJointAllocation({ ...cells, cashUsd: 1, holdings });
  const fractions = events.map((event) => event.buckets.map(() => 0));
  holdings.forEach((holding, i) => {
    fractions[holding.event]![holding.bucket] = trades[i]!.buyYes * holding.yesCost!;
  });
  return fractions;
}

/** The Yes shares are held already, with what they leave of the bankroll as cash. */
function sizeNo(
  events: readonly PricedEvent[],
  cells: OutcomeCells,
  yesFractions: readonly (readonly number[])[],
): number[][] {
  const fractions = events.map((event) => event.buckets.map(() => 0));
  const holdings = events.flatMap((event, e) =>
    event.buckets.flatMap((bucket, b) => createNoHolding(e, b, bucket, yesFractions[e]![b]!)),
  );
  if (!holdings.some((holding) => holding.noCost !== null)) return fractions;
  const cashUsd = 1 - yesFractions.flat().reduce((sum, fraction) => sum + fraction, 0);
  const { trades } = solveAllocation({ ...cells, cashUsd, holdings });
  holdings.forEach((holding, i) => {
    fractions[holding.event]![holding.bucket] = trades[i]!.buyNo * (holding.noCost ?? 0);
  });
  return fractions;
}

function createNoHolding(event: number, b: number, bucket: PricedBucket, yesFraction: number): Holding[] {
  const yes = findWorthwhileBuy(bucket);
  if (yes && yesFraction > 0) {
    return [{ ...CLOSED, event, bucket: b, yesShares: yesFraction / yes.netPrice }];
  }
  const no = findWorthwhileNo(bucket);
  // A bucket that is all but dead has a No that is all but cash: there is nothing to size.
  return no && bucket.modelProbability > 0 ? [{ ...CLOSED, event, bucket: b, noCost: no.netPrice }] : [];
}
