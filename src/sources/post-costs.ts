// What paid post sources cost per month, known before the first paid call.

import type { AccountSources, PostSource } from './source.ts';

/** X charges a post once per UTC day on which it is read. */
export const X_READ_USD = 0.005;
/** A post is read on the day it is posted, and by id on the next two days (UTC). */
export const BARE_READS_PER_POST = 1.45;
export const BUSY_POSTS_PER_DAY = 90;

/** Cost of reading one account for 30 days, in whole USD; null for a free source. */
export function estimateMonthUsd(kind: PostSource['kind'], postsPerDay = BUSY_POSTS_PER_DAY): number | null {
  return kind === 'x' ? Math.ceil(postsPerDay * 30 * X_READ_USD * (1 + BARE_READS_PER_POST)) : null;
}

/** One line per paid source of the account. */
export function describeCosts({ account, posts }: Pick<AccountSources, 'account' | 'posts'>): string[] {
  return posts.flatMap(({ kind, name, spend }) => {
    const monthUsd = estimateMonthUsd(kind);
    if (monthUsd === null) return [];
    const capUsd = spend()?.capUsd ?? null;
    const cap = capUsd === null ? 'no cap' : `all accounts capped at ${capUsd} USD`;
    const cost = `costs about ${monthUsd} USD a month at ${BUSY_POSTS_PER_DAY} posts a day`;
    return [`${account.segment}: ${name} ${cost}; ${cap}`];
  });
}
