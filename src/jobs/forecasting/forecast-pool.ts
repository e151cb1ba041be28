// Runs the engine on several threads. An account is assigned to the thread with the fewest accounts when its
// history is loaded.

import type { AccountId } from '../../domain/account.ts';
import type { ForecastRunner } from './forecast-runner.ts';

export function createRunnerPool(threads: number, createRunner: () => ForecastRunner): ForecastRunner {
  if (threads <= 1) return createRunner();
  const runners = Array.from({ length: threads }, () => createRunner());
  const homes = new Map<AccountId, ForecastRunner>();
  const accountsAt = new Map(runners.map((runner) => [runner, 0]));

  function homeOf(accountId: AccountId): ForecastRunner {
    const known = homes.get(accountId);
    if (known) return known;
    const [home, accounts] = [...accountsAt].reduce((best, each) => (each[1] < best[1] ? each : best));
    accountsAt.set(home, accounts + 1);
    homes.set(accountId, home);
    return home;
  }

  return {
    load: (accountId, ...args) => homeOf(accountId).load(accountId, ...args),
    observe: (accountId, ...args) => homeOf(accountId).observe(accountId, ...args),
    forecast: (accountId, ...args) => homeOf(accountId).forecast(accountId, ...args),
    whatIf: (accountId, ...args) => homeOf(accountId).whatIf(accountId, ...args),
    beginWalk: (...args) => runners[0]!.beginWalk(...args),
    walkOn: () => runners[0]!.walkOn(),
    async close() {
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
}
