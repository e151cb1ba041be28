// What paid post sources cost per month, known before the first paid call.

import { DAY_MS, SECOND_MS } from '../domain/units.ts';
import type { AccountSources, PostSource } from './source.ts';

/** X charges a post once per UTC day on which it is read. */
export const X_READ_USD = 0.005;
/** A post is read on the day it is posted, and by id on the next two days (UTC). */
export const BARE_READS_PER_POST = 1.45;
/** twitterapi.io charges every returned post, and a page has 20. */
const TWITTERAPI_PAGE_USD = 0.003;
/** Frequent enough to be faster than free sources, rare enough to stay below the default cap. */
export const TWITTERAPI_PERIOD_MS = 90 * SECOND_MS;
export const BUSY_POSTS_PER_DAY = 90;

/** Cost of reading one account for 30 days, in whole USD; null for a free source. */
export function estimateMonthUsd(
  kind: PostSource['kind'],
  periodMs: number,
  postsPerDay = BUSY_POSTS_PER_DAY,
): number | null {
  if (kind === 'twitterapi') return Math.round((30 * DAY_MS * TWITTERAPI_PAGE_USD) / periodMs);
  if (kind === 'x') return Math.ceil(postsPerDay * 30 * X_READ_USD * (1 + BARE_READS_PER_POST));
  return null;
}

/** One line per paid source of the account. */
export function describeCosts({ account, posts }: Pick<AccountSources, 'account' | 'posts'>): string[] {
  return posts.flatMap(({ kind, name, periodMs, spend }) => {
    const monthUsd = estimateMonthUsd(kind, periodMs);
    if (monthUsd === null) return [];
    const basis =
      kind === 'x' ? `at ${BUSY_POSTS_PER_DAY} posts a day` : `at a call every ${periodMs / SECOND_MS} s`;
    const capUsd = spend()?.capUsd ?? null;
    const cap = capUsd === null ? 'no cap' : `all accounts capped at ${capUsd} USD`;
    return [`${account.segment}: ${name} costs about ${monthUsd} USD a month ${basis}; ${cap}`];
  });
}
