// Growth-optimal fractions for an account without holdings, over all open events. Only bets that are
// profitable on their own are offered: a hedge bought at a loss can be growth-optimal but is not a signal.
// Events without offers are ignored. Yes shares are sized first and No shares on top, so that offering No
// changes no Yes stake.

import type { BucketRange } from '../../domain/market-event.ts';
import { plural } from '../../domain/units.ts';
import type { SizingRules } from '../types.ts';
import { type Holding, solveAllocation } from './joint-allocation.ts';
import { allocateExclusive, clipProbability } from './kelly.ts';
import { buildOutcomeCells, type OutcomeCells } from './outcome-cells.ts';

export interface FlatSizing {
  /** Full Kelly fractions of Yes and of No shares, per event and bucket. */
  yesFractions: number[][];
  noFractions: number[][];
  /** Multiplier for the full fractions. */
  lambda: number;
  /** Explains how events share the bankroll without spending it twice; null for a single event. */
  note: string | null;
}

/** A bucket as input to sizing; a cost is null if that side is not offered. */
export interface SizableBucket extends BucketRange {
  probability: number;
  yesCost: number | null;
  noCost: number | null;
}

export interface SizableEvent {
  buckets: readonly SizableBucket[];
  /** Final counts on common simulated paths; null if there are none. */
  finals: readonly number[] | null;
}

export function sizeFlatAccount(
  events: readonly SizableEvent[],
  rules: Pick<SizingRules, 'kellyLambda'>,
): FlatSizing {
  const taking = events.filter(offersAnything);
  const sized = sizeTogether(taking, rules);
  const place = (fractions: readonly number[][]) =>
    events.map((event) => fractions[taking.indexOf(event)] ?? event.buckets.map(() => 0));
  return { ...sized, yesFractions: place(sized.yesFractions), noFractions: place(sized.noFractions) };
}

function offersAnything({ buckets }: SizableEvent): boolean {
  return buckets.some(({ yesCost, noCost }) => yesCost !== null || noCost !== null);
}

function sizeTogether(
  events: readonly SizableEvent[],
  { kellyLambda }: Pick<SizingRules, 'kellyLambda'>,
): FlatSizing {
  const cells = buildCells(events);
  if (events.length > 1 && cells) {
    const yesFractions = sizeYesJointly(events, cells);
    const others = events.length - 1;
    const note = `sized jointly with ${plural(others, 'other open event')}`;
    return { yesFractions, noFractions: sizeNo(events, cells, yesFractions), lambda: kellyLambda, note };
  }
  const yesFractions = events.map(sizeYesAlone);
  const noFractions = events.map((event, e) => sizeNo([event], buildCells([event])!, [yesFractions[e]!])[0]!);
  if (events.length <= 1) return { yesFractions, noFractions, lambda: kellyLambda, note: null };
  const note = `Kelly fraction split across ${events.length} overlapping events`;
  return { yesFractions, noFractions, lambda: kellyLambda / events.length, note };
}

function sizeYesAlone({ buckets }: SizableEvent): number[] {
  const costs = buckets.map(({ yesCost }) => yesCost ?? 1);
  const probabilities = buckets.map(({ probability }) => clipProbability(probability));
  const total = probabilities.reduce((sum, p) => sum + p, 0);
  return allocateExclusive(total > 1 ? probabilities.map((p) => p / total) : probabilities, costs).fractions;
}

function buildCells(events: readonly SizableEvent[]): OutcomeCells | null {
  if (events.length === 0) return null;
  return buildOutcomeCells(
    events.map(({ buckets, finals }) => ({
      ranges: buckets,
      probabilities: buckets.map(({ probability }) => probability),
      finals,
    })),
  );
}

const CLOSED = { yesShares: 0, yesCost: null, noCost: null };

function sizeYesJointly(events: readonly SizableEvent[], cells: OutcomeCells): number[][] {
  const holdings = events.flatMap((event, e) =>
    event.buckets.flatMap(({ yesCost }, b): Holding[] =>
      yesCost === null ? [] : [{ ...CLOSED, event: e, bucket: b, yesCost }],
    ),
  );
  const bought = solveAllocation({ ...cells, cash: 1, holdings });
  const fractions = events.map((event) => event.buckets.map(() => 0));
  holdings.forEach((holding, i) => {
    fractions[holding.event]![holding.bucket] = bought[i]!.yes * holding.yesCost!;
  });
  return fractions;
}

/** Treats Yes shares as already held, with the rest of the bankroll as cash. */
function sizeNo(
  events: readonly SizableEvent[],
  cells: OutcomeCells,
  yesFractions: readonly (readonly number[])[],
): number[][] {
  const fractions = events.map((event) => event.buckets.map(() => 0));
  const holdings = events.flatMap((event, e) =>
    event.buckets.flatMap((bucket, b) => createNoHolding(e, b, bucket, yesFractions[e]![b]!)),
  );
  if (!holdings.some((holding) => holding.noCost !== null)) return fractions;
  const cash = 1 - yesFractions.flat().reduce((sum, fraction) => sum + fraction, 0);
  const bought = solveAllocation({ ...cells, cash, holdings });
  holdings.forEach((holding, i) => {
    fractions[holding.event]![holding.bucket] = bought[i]!.no * (holding.noCost ?? 0);
  });
  return fractions;
}

function createNoHolding(event: number, b: number, bucket: SizableBucket, yesFraction: number): Holding[] {
  const { yesCost, noCost, probability } = bucket;
  if (yesCost !== null && yesFraction > 0) {
    return [{ ...CLOSED, event, bucket: b, yesShares: yesFraction / yesCost }];
  }
  // No on an almost dead bucket is nearly cash, so it is not sized.
  return noCost !== null && probability > 0 ? [{ ...CLOSED, event, bucket: b, noCost }] : [];
}
