// Batches allowance requests to a database or another process: requests that arrive while a batch runs form
// the next one, so a thousand callers cost little more than one.

import type { AllowanceOrder, createAllowanceQueries } from './queries/allowances.ts';

type AllowanceQueries = ReturnType<typeof createAllowanceQueries>;

/** A shared allowance: replicas take requests in advance, so that together they respect the hourly limit. */
export type AllowanceStore = Omit<AllowanceQueries, 'settle'>;

type Answer = Awaited<ReturnType<AllowanceQueries['settle']>>[number];

interface Waiting {
  order: AllowanceOrder;
  answer: PromiseWithResolvers<Answer>;
}

/** A larger batch would lock too many callers' rows at once. */
const MAX_AT_ONCE = 500;

export function gatherAllowances({
  settle,
  prune,
}: Pick<AllowanceQueries, 'settle' | 'prune'>): AllowanceStore {
  const waiting: Waiting[] = [];
  let isRunning = false;

  function ask(order: AllowanceOrder): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    waiting.push({ order, answer });
    if (!isRunning) {
      isRunning = true;
      // Waits for more requests from the same event-loop iteration.
      setImmediate(run);
    }
    return answer.promise;
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) await settleBatch(waiting.splice(0, MAX_AT_ONCE));
    isRunning = false;
  }

  async function settleBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await settle(batch.map(({ order }) => order));
      for (const [i, { answer }] of batch.entries()) answer.resolve(answers[i]!);
    } catch (error) {
      for (const { answer } of batch) answer.reject(error);
    }
  }

  return {
    take: async (...args) => (await ask({ kind: 'take', args }))!,
    giveBack: async (...args) => void (await ask({ kind: 'give-back', args })),
    prune,
  };
}
