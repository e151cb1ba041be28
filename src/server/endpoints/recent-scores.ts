// What the performance endpoints share: their parameters, and responses reused for a few seconds.

import { Type } from '../../contract/schema.ts';
import { SECOND_MS } from '../../domain/units.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { RouteContext } from '../context.ts';
import { round6 } from '../records/record.ts';

/** Scores change only when an event settles, so caching them for a few seconds is harmless. */
const REUSE_MS = 5 * SECOND_MS;

export const HORIZONS_H = [24, 48, 72] as const;

export const horizonParameter = Type.Optional(
  Type.Enum([24, 48, 72], { default: 24, description: 'Hours before the end' }),
);

export type RecentScores = ReturnType<typeof createRecentScores>;

export function createRecentScores(context: RouteContext) {
  const segments = context.accounts.map(({ segment }) => segment);
  const recent = createRecentResults<string, Promise<object>>(100, REUSE_MS);

  function findAccountId(segment: string | undefined): string | undefined {
    return context.accounts.find((account) => account.segment === segment)?.accountId;
  }

  /** Identical requests share one response for a few seconds. */
  async function remembered<T extends object>(key: string, make: () => Promise<T>): Promise<T> {
    const pending = recent.get(key, null, context.wallClock.now(), () => context.withDeadline(make()));
    try {
      // The cast is safe, because the key includes the kind of response.
      return (await pending) as T;
    } catch (error) {
      recent.drop(key);
      throw error;
    }
  }

  const accountParameter = Type.Optional(Type.Enum(segments, { description: 'Only this account' }));
  return { context, accountParameter, findAccountId, remembered };
}

/** Interpolates linearly between order statistics; null for an empty sample. */
export function interpolateQuantile(values: readonly number[], level: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((left, right) => left - right);
  const at = (sorted.length - 1) * level;
  const low = sorted[Math.floor(at)]!;
  const high = sorted[Math.ceil(at)]!;
  return round6(low + (high - low) * (at - Math.floor(at)));
}
