// Joint outcomes of several events: the winning bucket in each, with its probability. Events of one account
// share its posts, so their final counts are correlated. Simulated paths carry that correlation, and their
// weights are fitted (iterative proportional fitting) until every event's buckets have exactly the requested
// probabilities.

import type { BucketRange } from '../../domain/market-event.ts';

export interface CellEvent {
  ranges: readonly BucketRange[];
  probabilities: readonly number[];
  /** Final count per path; every event uses the same paths. */
  finals: readonly number[] | null;
}

export interface OutcomeCells {
  probabilities: Float64Array;
  /** winners[event][cell] is the winning bucket; -1 if no bucket in the ladder wins. */
  winners: Int32Array[];
}

const FIT_ROUNDS = 60;
const FIT_TOLERANCE = 1e-10;
/** Weight of a stand-in path, in paths; small, because fitting scales it to the bucket's probability. */
const STAND_IN_WEIGHT = 0.25;

/** null if several events have no common paths, so that they cannot be joined. */
export function buildOutcomeCells(events: readonly CellEvent[]): OutcomeCells | null {
  if (events.length === 1) return buildSingleCells(events[0]!);
  if (events.some((event) => !event.finals || event.finals.length === 0)) return null;
  const cells = collectCells(events);
  fitMarginals(cells, events);
  return cells;
}

function buildSingleCells(event: CellEvent): OutcomeCells {
  const rest = 1 - event.probabilities.reduce((sum, p) => sum + p, 0);
  const hasRest = rest > 1e-9;
  const probabilities = Float64Array.from(hasRest ? [...event.probabilities, rest] : event.probabilities);
  const winners = Int32Array.from(probabilities, (_, i) => (i < event.probabilities.length ? i : -1));
  return { probabilities, winners: [winners] };
}

function collectCells(events: readonly CellEvent[]): OutcomeCells {
  const pathCount = Math.min(...events.map((event) => event.finals!.length));
  const weights = new Map<string, { weight: number; winners: number[] }>();
  const add = (winners: number[], weight: number) => {
    const key = winners.join(',');
    const known = weights.get(key);
    if (known) known.weight += weight;
    else weights.set(key, { weight, winners });
  };
  for (let path = 0; path < pathCount; path++) add(winnersOnPath(events, path), 1);
  for (const [e, event] of events.entries()) addStandIns(event, e, events, pathCount, add);
  const list = [...weights.values()];
  return {
    probabilities: Float64Array.from(list, (cell) => cell.weight),
    winners: events.map((_, e) => Int32Array.from(list, (cell) => cell.winners[e]!)),
  };
}

function winnersOnPath(events: readonly CellEvent[], path: number): number[] {
  return events.map((event) => findBucket(event.ranges, event.finals![path]!));
}

/** Uses the nearest path to represent a possible bucket that no path reaches. */
function addStandIns(
  event: CellEvent,
  eventIndex: number,
  events: readonly CellEvent[],
  pathCount: number,
  add: (winners: number[], weight: number) => void,
): void {
  event.ranges.forEach((range, bucket) => {
    if (!(event.probabilities[bucket]! > 0)) return;
    let nearest = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let path = 0; path < pathCount; path++) {
      const distance = distanceTo(range, event.finals![path]!);
      if (distance === 0) return;
      if (distance < least) {
        least = distance;
        nearest = path;
      }
    }
    const winners = winnersOnPath(events, nearest);
    winners[eventIndex] = bucket;
    add(winners, STAND_IN_WEIGHT);
  });
}

function distanceTo(range: BucketRange, count: number): number {
  if (count < range.lo) return range.lo - count;
  return range.hi !== null && count > range.hi ? count - range.hi : 0;
}

export function findBucket(ranges: readonly BucketRange[], count: number): number {
  return ranges.findIndex((range) => count >= range.lo && (range.hi === null || count <= range.hi));
}

function fitMarginals(cells: OutcomeCells, events: readonly CellEvent[]): void {
  const margins = events.map(({ probabilities }, e) => createMargin(cells.winners[e]!, probabilities));
  for (let round = 0; round < FIT_ROUNDS; round++) {
    let worst = 0;
    for (const margin of margins) worst = Math.max(worst, fitMargin(cells.probabilities, margin));
    if (worst < FIT_TOLERANCE) return;
  }
}

/** One event's buckets with their target sums; the last entry covers cells without a winning bucket. */
interface Margin {
  bucketOf: Int32Array;
  wanted: Float64Array;
  /** Buffer for each bucket's sum, then for the scale factor of its cells. */
  scratch: Float64Array;
}

function createMargin(winners: Int32Array, target: readonly number[]): Margin {
  const rest = Math.max(0, 1 - target.reduce((sum, p) => sum + p, 0));
  return {
    bucketOf: winners.map((winner) => (winner < 0 ? target.length : winner)),
    wanted: Float64Array.from([...target, rest]),
    scratch: new Float64Array(target.length + 1),
  };
}

/** Scales the cells of each bucket to its probability; returns the largest error before scaling. */
function fitMargin(weights: Float64Array, { bucketOf, wanted, scratch }: Margin): number {
  scratch.fill(0);
  let total = 0;
  for (let c = 0; c < weights.length; c++) {
    scratch[bucketOf[c]!]! += weights[c]!;
    total += weights[c]!;
  }
  let worst = 0;
  for (let b = 0; b < wanted.length; b++) {
    const have = scratch[b]!;
    if (have > 0) worst = Math.max(worst, Math.abs(wanted[b]! - have / total));
    scratch[b] = wanted[b]! / have || 0;
  }
  for (let c = 0; c < weights.length; c++) weights[c]! *= scratch[bucketOf[c]!]!;
  return worst;
}
