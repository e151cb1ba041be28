// Runs the real forecaster only occasionally, because fitting it for every simulated process would take most
// of the time.

import { createForecastEngine } from '../../src/jobs/forecasting/forecast-engine.ts';
import type { ForecastRunner } from '../../src/jobs/forecasting/forecast-runner.ts';

/** When no run is due, it behaves like a dead worker, which is also a fault. */
export function createSparseRunner(isDue: (accountId: string) => boolean): ForecastRunner {
  const engine = createForecastEngine();
  const histories = new Map<string, Parameters<typeof engine.load>>();
  const observed = new Map<string, Parameters<typeof engine.observe>[1][number][]>();

  return {
    async load(...args) {
      histories.set(args[0], args);
      observed.set(args[0], []);
    },
    async observe(accountId, posts) {
      observed.get(accountId)?.push(...posts);
    },
    async forecast(accountId, tasks, asofTs) {
      const history = histories.get(accountId);
      if (!history || !isDue(accountId)) throw new Error('the forecast worker has ended (simulated)');
      engine.load(...history);
      engine.observe(accountId, observed.get(accountId)!);
      return engine.forecast(accountId, tasks, asofTs);
    },
    forget: async (accountId) => void histories.delete(accountId),
    whatIf: async (...args) => engine.whatIf(...args),
    beginWalk: async () => {},
    walkOn: async () => null,
    adviseOnPast: async (...args) => engine.adviseOnPast(...args),
    close: async () => {},
  };
}
