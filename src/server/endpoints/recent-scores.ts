// What the performance endpoints share: their parameters, and responses reused for a few seconds.

import { Type } from '../../contract/schema.ts';
import { SECOND_MS } from '../../domain/units.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { RouteContext } from '../context.ts';
import { round6 } from '../records/record.ts';

/** How often to check whether anything was settled or scored. */
const CHECK_EVERY_MS = 5 * SECOND_MS;
const MAX_KEPT = 100;

export const HORIZONS_H = [24, 48, 72] as const;

export const horizonParameter = Type.Optional(
  Type.Enum([24, 48, 72], { default: 24, description: 'Hours before the end' }),
);

export type RecentScores = ReturnType<typeof createRecentScores>;

export function createRecentScores(context: RouteContext) {
  const segments = context.accounts.map(({ segment }) => segment);
  const checks = createRecentResults<'stamp', Promise<string>>(1, CHECK_EVERY_MS);
  /** Oldest first. */
  const kept = new Map<string, { stamp: string; body: Promise<object> }>();

  function findAccountId(segment: string | undefined): string | undefined {
    return context.accounts.find((account) => account.segment === segment)?.accountId;
  }

  function readStamp(): Promise<string> {
    const { store, wallClock, withDeadline } = context;
    const stamp = checks.get('stamp', null, wallClock.now(), () => withDeadline(store.scores.readStamp()));
    stamp.catch(() => checks.drop('stamp'));
    return stamp;
  }

  /** Computes a response once per change of the record: resampling takes tens of milliseconds. */
  async function remembered<T extends object>(key: string, make: () => Promise<T>): Promise<T> {
    const stamp = await readStamp();
    const known = kept.get(key);
    // The cast is safe, because the key includes the kind of response.
    if (known?.stamp === stamp) return known.body as Promise<T>;
    const body = context.withDeadline(make());
    body.catch(() => kept.delete(key));
    kept.delete(key);
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
    kept.set(key, { stamp, body });
    return body;
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
