// Shared parameters fitted without the accounts they are scored on.

import { SHARED_KNOWLEDGE, type SharedKnowledge } from '../../src/forecast/model/shared-coefficients.ts';
import type { MarketZone } from '../../src/forecast/time/market-zone.ts';
import { fitPoolKnowledge } from './fit-pool.ts';
import { fitCoefficients, gatherSamples } from './fit-shared.ts';
import { gatherEvidence } from './member-evidence.ts';
import type { BenchAccount } from './sample.ts';

/** Accounts are left out in pairs, which takes half the fits of leave-one-out. */
const FOLD_SIZE = 2;
const EVERYONE = 'everyone';

type Say = (line: string) => void;
type Coefficients = Pick<SharedKnowledge, 'reversion'>;

export interface SharedFits {
  /** Fitted to all accounts. */
  all: SharedKnowledge;
  /** By account: fitted to the accounts outside its fold. */
  leftOut: ReadonlyMap<string, SharedKnowledge>;
}

/**
 * Members' evidence comes from each account's own fold, so no member has seen the account. The coefficients
 * behind the other accounts' evidence have seen it, a small leak into the weights.
 */
export function fitSharedKnowledge(others: readonly BenchAccount[], zone: MarketZone, say: Say): SharedFits {
  const names = others.map(({ name }) => name);
  const coefficients = fitCoefficientFolds(others, zone, say);
  const evidence = others.map((account) => {
    say(`evidence for ${account.name}`);
    return gatherEvidence(account, { ...SHARED_KNOWLEDGE, ...coefficients[account.name]! });
  });
  const withFold = (name: string): SharedKnowledge => ({
    ...coefficients[name]!,
    ...fitPoolKnowledge(pickOutside(names, evidence, name)),
  });
  return {
    all: withFold(EVERYONE),
    leftOut: new Map(names.map((name) => [name, withFold(name)])),
  };
}

function fitCoefficientFolds(
  others: readonly BenchAccount[],
  zone: MarketZone,
  say: Say,
): Record<string, Coefficients> {
  const names = others.map(({ name }) => name);
  const samples = others.map(({ history }) => gatherSamples(history, zone));
  const fits: Record<string, Coefficients> = { [EVERYONE]: fitCoefficients(samples) };
  names.forEach((name, i) => {
    say(`coefficients for ${name}`);
    const isFirstOfFold = i % FOLD_SIZE === 0;
    fits[name] = isFirstOfFold ? fitCoefficients(pickOutside(names, samples, name)) : fits[names[i - 1]!]!;
  });
  return fits;
}

/** Data of the accounts outside this account's fold. */
function pickOutside<T>(names: readonly string[], data: readonly T[], name: string): T[] {
  const foldOf = (index: number) => Math.floor(index / FOLD_SIZE);
  const at = names.indexOf(name);
  return data.filter((_, i) => at < 0 || foldOf(i) !== foldOf(at));
}
