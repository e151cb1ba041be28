// All of an account's windows share one process: of two running windows, the one that ends later has at least
// as many remaining posts. Adjusts separately computed distributions and simulated finals to satisfy this.

import { countLeading } from '../../domain/binary-search.ts';
import type { CountDistribution } from '../types.ts';

export interface EndingCount {
  endTs: number;
  coming: CountDistribution;
}

/** Raises each distribution so that it dominates those with an earlier end; leaves ordered ones unchanged. */
export function orderByEnd(counts: readonly EndingCount[]): CountDistribution[] {
  const byEnd = counts.map((count, i) => ({ ...count, i })).sort((left, right) => left.endTs - right.endTs);
  const ordered: CountDistribution[] = new Array(counts.length);
  let before: CountDistribution | null = null;
  for (const { coming, i } of byEnd) {
    const raised: CountDistribution = before === null ? coming : atLeast(coming, before);
    ordered[i] = raised;
    before = raised;
  }
  return ordered;
}

/** Rounding error in sums of a few hundred numbers. */
const DUST = 1e-12;

/** The smallest distribution that dominates both: its CDF is the pointwise minimum. */
function atLeast(later: CountDistribution, earlier: CountDistribution): CountDistribution {
  const from = Math.min(later.from, earlier.from);
  const end = Math.max(later.from + later.pmf.length, earlier.from + earlier.pmf.length);
  const pmf = new Float64Array(end - from);
  let [ofLater, ofEarlier, below] = [0, 0, 0];
  let isInOrder = true;
  for (let x = from; x < end; x++) {
    ofLater += later.pmf[x - later.from] ?? 0;
    ofEarlier += earlier.pmf[x - earlier.from] ?? 0;
    if (ofLater > ofEarlier + DUST) isInOrder = false;
    const lower = x === end - 1 ? 1 : Math.min(ofLater, ofEarlier);
    pmf[x - from] = Math.max(0, lower - below);
    below = Math.max(below, lower);
  }
  // Not trimmed again, because cutting a tail could break the order.
  return isInOrder ? later : { from, pmf };
}

/**
 * Reorders a later window's finals so that no future has fewer remaining posts than in an earlier window.
 * Each future gets the nearest final that is large enough.
 */
export function dealInOrder(earlier: Int32Array, later: Int32Array): Int32Array {
  if (earlier.every((count, p) => count <= later[p]!)) return later;
  const paths = Array.from(earlier.keys()).sort((left, right) => earlier[right]! - earlier[left]!);
  const free = Array.from(later).sort((left, right) => left - right);
  const dealt = new Int32Array(later.length);
  for (const p of paths) {
    const least = firstAtLeast(free, earlier[p]!);
    const own = firstAtLeast(free, later[p]!);
    const at = Math.min(Math.max(least, own), free.length - 1);
    dealt[p] = free[at]!;
    free.splice(at, 1);
  }
  return dealt;
}

function firstAtLeast(sorted: readonly number[], value: number): number {
  return countLeading(sorted.length, (i) => sorted[i]! < value);
}
