// Faults in pages of posts: duplicated, shuffled or truncated with a continuation token.

import { hashNumbers } from '../chance.ts';
import type { FaultSwitch } from '../faults/fault-switch.ts';

/** Number of items to return; the rest follow on later pages. */
export function pageLength(faults: FaultSwitch, length: number, nowTs: number): number {
  return length > 1 && faults.hits('posts-partial-pages', nowTs) ? Math.ceil(length / 2) : length;
}

export function disturbPage<T>(faults: FaultSwitch, items: readonly T[], nowTs: number): T[] {
  const page = items.flatMap((item) => (faults.hits('posts-duplicated', nowTs) ? [item, item] : [item]));
  if (faults.valueAt('posts-out-of-order', nowTs) === null) return page;
  return page
    .map((item, i) => ({ item, rank: hashNumbers(i, nowTs) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item);
}

/** Prepends a copy of the first post with its id and date, or only its id, in the future. */
export function forgeFuture<T extends object>(
  faults: FaultSwitch,
  page: T[],
  nowTs: number,
  redate: (idTs: number, createdTs: number) => Partial<T>,
): void {
  const first = page[0];
  const aheadMs = faults.valueAt('posts-future', nowTs);
  const idAheadMs = aheadMs ?? faults.valueAt('posts-future-ids', nowTs);
  if (idAheadMs !== null && first)
    page.unshift({ ...first, ...redate(nowTs + idAheadMs, nowTs + (aheadMs ?? 0)) });
}
