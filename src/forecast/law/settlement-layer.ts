// From the count that we see to the count that is paid: the oracle lags, misses a post now and then, counts a
// post that was deleted after it looked, and back-fills. Kept apart from the model of the account.

import type { CountLaw, OracleState } from '../types.ts';
import { convolveLaws, trimLaw } from './law.ts';

export interface SettlementRates {
  /** A captured post that the oracle has not shown yet turns out not to count. */
  pendingRejected: number;
  /** A captured post, deleted before the oracle caught up, is never seen by it. */
  deletedUnseen: number;
  /** The oracle adds one that we never captured, over the rest of the window. */
  backFill: number;
}

const SETTLEMENT_RATES: SettlementRates = {
  pendingRejected: 0.004,
  deletedUnseen: 0.5,
  backFill: 0.005,
};

/** Law of the final count as the oracle will settle it; without an oracle, the account's own law. */
export function settleLaw(
  law: CountLaw,
  countSoFar: number,
  oracle: OracleState | undefined,
  rates: SettlementRates = SETTLEMENT_RATES,
): CountLaw {
  if (!oracle || oracle.count === null) return law;
  // An oracle ahead of us has seen posts that we missed: they are paid.
  const missed = Math.max(0, oracle.count - countSoFar);
  const settled = convolveLaws(
    { from: law.from + missed, pmf: law.pmf },
    correctionLaw(countSoFar, oracle, rates),
  );
  return keepAbove(settled, oracle.count);
}

/** Small integer law of what settlement adds to our own count. */
function correctionLaw(countSoFar: number, oracle: OracleState, rates: SettlementRates): CountLaw {
  const pending = Math.max(0, countSoFar - (oracle.count ?? countSoFar));
  const deleted = Math.min(oracle.deletedSinceLastCatchUp, pending);
  const unseen = negatedBinomial(deleted, rates.deletedUnseen);
  const rejected = negatedBinomial(pending - deleted, rates.pendingRejected);
  const backFill: CountLaw = { from: 0, pmf: new Float64Array([1 - rates.backFill, rates.backFill]) };
  return convolveLaws(convolveLaws(unseen, rejected), backFill);
}

/** Law of minus a binomial count. */
function negatedBinomial(n: number, p: number): CountLaw {
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

/** The oracle's count does not go down except by its own correction: nothing below it keeps mass. */
function keepAbove(law: CountLaw, least: number): CountLaw {
  const cut = Math.max(0, least - law.from);
  if (cut === 0) return trimLaw(law.from, law.pmf);
  if (cut >= law.pmf.length) return { from: least, pmf: new Float64Array([1]) };
  return trimLaw(law.from + cut, law.pmf.slice(cut));
}
