// Shared coefficients, fitted without the accounts they are scored on.

import { SHARED_KNOWLEDGE, type SharedKnowledge } from '../../src/forecast/model/shared-coefficients.ts';
import type { MarketZone } from '../../src/forecast/time/market-zone.ts';
import type { PostHistory } from '../../src/forecast/types.ts';
import { fitCoefficients, fitWeights, gatherDensities, gatherSamples } from './fit-shared.ts';

/** Accounts are left out in pairs: half the fits of leave-one-out. */
const FOLD_SIZE = 2;

interface NamedHistory {
  name: string;
  history: PostHistory;
}

type Say = (line: string) => void;

/**
 * By account: coefficients of the accounts outside its fold. Members' densities come from each account's own
 * fold.
 */
export function fitLeavingOut(
  others: readonly NamedHistory[],
  zone: MarketZone,
  say: Say,
): Map<string, SharedKnowledge> {
  const folds = cutFolds(others);
  const samples = new Map(others.map(({ name, history }) => [name, gatherSamples(history, zone)]));
  say(`rows of ${others.length} accounts gathered`);
  const coefficients = fitFolds(folds, samples, fitCoefficients, say, 'coefficients');
  const densities = new Map(
    others.map(({ name, history }) => [
      name,
      gatherDensities(history, { ...SHARED_KNOWLEDGE, ...coefficients.get(name)! }),
    ]),
  );
  const weights = fitFolds(folds, densities, fitWeights, say, 'weights');
  return new Map(
    others.map(({ name }) => [name, { ...coefficients.get(name)!, weights: weights.get(name)! }]),
  );
}

/** Coefficients of all accounts. */
export function fitAll(others: readonly NamedHistory[], zone: MarketZone): SharedKnowledge {
  const fitted = fitCoefficients(others.map(({ history }) => gatherSamples(history, zone)));
  const shared = { ...SHARED_KNOWLEDGE, ...fitted };
  return { ...shared, weights: fitWeights(others.map(({ history }) => gatherDensities(history, shared))) };
}

function fitFolds<Data, Fitted>(
  folds: readonly NamedHistory[][],
  data: ReadonlyMap<string, Data>,
  fit: (others: readonly Data[]) => Fitted,
  say: Say,
  what: string,
): Map<string, Fitted> {
  const byAccount = folds.flatMap((fold) => {
    const names = fold.map(({ name }) => name);
    const fitted = fit([...data].filter(([name]) => !names.includes(name)).map(([, one]) => one));
    say(`${what} without ${names.join(' and ')} fitted`);
    return names.map((name) => [name, fitted] as const);
  });
  return new Map(byAccount);
}

function cutFolds<T>(accounts: readonly T[]): T[][] {
  const count = Math.ceil(accounts.length / FOLD_SIZE);
  return Array.from({ length: count }, (_, fold) => accounts.slice(fold * FOLD_SIZE, (fold + 1) * FOLD_SIZE));
}
