// From our count to the settled count: the oracle lags, occasionally misses a post, counts posts deleted
// after it saw them, and backfills. Kept separate from the account model.

import type { CountDistribution, OracleState } from '../types.ts';
import { convolveDistributions, trimDistribution } from './distribution.ts';

export interface SettlementRates {
  /** Probability that a captured post that the oracle does not show yet will not count. */
  pendingRejected: number;
  /** Probability that the oracle misses a captured post deleted before it caught up. */
  deletedUnseen: number;
  /** The same once the oracle has had time to import the post; it rarely adds one this late. */
  deletedMissed: number;
  /** Probability that the oracle adds a post we never captured, during the rest of the window. */
  backFill: number;
}

const SETTLEMENT_RATES: SettlementRates = {
  pendingRejected: 0.004,
  deletedUnseen: 0.5,
  deletedMissed: 0.95,
  backFill: 0.005,
};

/** Distribution of the final count as the oracle will settle it; without an oracle, our own. */
export function settleDistribution(
  distribution: CountDistribution,
  countSoFar: number,
  oracle: OracleState | undefined,
): CountDistribution {
  if (!oracle || oracle.count === null) return distribution;
  // If the oracle is ahead, it has seen posts that we missed, and they count.
  const missed = Math.max(0, oracle.count - countSoFar);
  const settled = convolveDistributions(
    { from: distribution.from + missed, pmf: distribution.pmf },
    correctionDistribution(countSoFar, oracle),
  );
  return keepAbove(settled, oracle.count);
}

/** The count that settlement cannot fall below: posts deleted before the oracle showed them may not count. */
export function certainCount(countSoFar: number, oracle: OracleState | undefined): number {
  if (!oracle || oracle.count === null) return countSoFar;
  return Math.max(oracle.count, countSoFar - oracle.deletedSinceLastCatchUp);
}

/** Distribution of (settled count - our count). */
function correctionDistribution(countSoFar: number, oracle: OracleState): CountDistribution {
  const pending = Math.max(0, countSoFar - (oracle.count ?? countSoFar));
  const deleted = Math.min(oracle.deletedSinceLastCatchUp, pending);
  const missed = Math.min(oracle.deletedMissed ?? 0, deleted);
  const unseen = convolveDistributions(
    negatedBinomial(deleted - missed, SETTLEMENT_RATES.deletedUnseen),
    negatedBinomial(missed, SETTLEMENT_RATES.deletedMissed),
  );
  const rejected = negatedBinomial(pending - deleted, SETTLEMENT_RATES.pendingRejected);
  const backFill: CountDistribution = {
    from: 0,
    pmf: new Float64Array([1 - SETTLEMENT_RATES.backFill, SETTLEMENT_RATES.backFill]),
  };
  return convolveDistributions(convolveDistributions(unseen, rejected), backFill);
}

/** Distribution of a negated binomial count. */
function negatedBinomial(n: number, p: number): CountDistribution {
  let pmf = new Float64Array([1]);
  for (let i = 0; i < n; i++) {
    const next = new Float64Array(pmf.length + 1);
    for (let k = 0; k < pmf.length; k++) {
      next[k + 1]! += pmf[k]! * (1 - p);
      next[k]! += pmf[k]! * p;
    }
    pmf = next;
  }
  return { from: -n, pmf };
}

/** The oracle lowers its count only through its own corrections, so no mass stays below it. */
function keepAbove(distribution: CountDistribution, least: number): CountDistribution {
  const cut = Math.max(0, least - distribution.from);
  if (cut === 0) return trimDistribution(distribution.from, distribution.pmf);
  if (cut >= distribution.pmf.length) return { from: least, pmf: new Float64Array([1]) };
  return trimDistribution(distribution.from + cut, distribution.pmf.slice(cut));
}
