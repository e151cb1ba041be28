// Settles the allowance requests of many callers together.

import { gather } from './gather.ts';
import type { AllowanceOrder, createAllowanceQueries } from './queries/allowances.ts';

type AllowanceQueries = ReturnType<typeof createAllowanceQueries>;

/** A shared allowance: replicas take requests in advance, so that together they respect the hourly limit. */
export type AllowanceStore = Omit<AllowanceQueries, 'settle'>;

type Answer = Awaited<ReturnType<AllowanceQueries['settle']>>[number];

/** A larger batch would lock too many callers' rows at once. */
const MAX_AT_ONCE = 500;

export function gatherAllowances({
  settle,
  prune,
}: Pick<AllowanceQueries, 'settle' | 'prune'>): AllowanceStore {
  const ask = gather<AllowanceOrder, Answer>(MAX_AT_ONCE, settle);
  return {
    take: async (...args) => (await ask({ kind: 'take', args }))!,
    giveBack: async (...args) => void (await ask({ kind: 'give-back', args })),
    prune,
  };
}
