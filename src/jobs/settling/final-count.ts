// The final count of an ended event: the oracle's count once it has caught up, or an estimate from the bucket
// that the market paid.

import type { MarketEvent } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { CountObservation, PostStore, Settlement, Store } from '../../store/ports.ts';

/** The oracle's count is final this long after the end if it has reached our own count. */
const CAUGHT_UP_MS = 30 * MINUTE_MS;
/** The oracle's count is final this long after the end regardless. */
export const PATIENCE_MS = 6 * HOUR_MS;
/** Without an oracle count, the market's resolution is used after this long. */
const MARKET_FALLBACK_MS = DAY_MS;

export async function findFinalCount(
  store: Pick<Store, 'counts' | 'posts'>,
  event: MarketEvent,
  before: Settlement | undefined,
  /** The bucket that the market paid; null if unknown. */
  winningLabel: string | null,
  nowTs: number,
): Promise<Pick<Settlement, 'finalCount' | 'source'> | null> {
  // Posts deleted later disappear from the venue's list but not from the count it settled on.
  if (event.terms && before?.source === 'oracle') return { finalCount: before.finalCount, source: 'oracle' };
  const oracle = (await store.counts.latest([event.eventId])).find((count) => count.feed === 'oracle');
  if (oracle && (await isCaughtUp(store.posts, event, oracle)))
    return { finalCount: oracle.count, source: 'oracle' };
  // An estimate from the market's bucket follows the market's result; an oracle count does not.
  if (before && (before.source === 'oracle' || winningLabel === null)) {
    return { finalCount: before.finalCount, source: before.source };
  }
  if (oracle || winningLabel === null) return null;
  if (nowTs < event.window.endTs + MARKET_FALLBACK_MS) return null;
  const finalCount = await estimateFromBucket(store.posts, event, winningLabel);
  return finalCount === null ? null : { finalCount, source: 'market' };
}

async function isCaughtUp(posts: PostStore, event: MarketEvent, oracle: CountObservation): Promise<boolean> {
  const { accountId, window } = event;
  if (oracle.observedTs >= window.endTs + PATIENCE_MS) return true;
  // A list that omits deleted posts never reaches our count, so only the elapsed time decides.
  if (event.terms) return false;
  if (oracle.observedTs < window.endTs + CAUGHT_UP_MS) return false;
  return oracle.count >= (await posts.countCounted(accountId, window.startTs, window.endTs));
}

/** Our own count if it is in the bucket that paid, otherwise the nearest edge of that bucket. */
async function estimateFromBucket(
  posts: PostStore,
  { accountId, window, buckets, terms }: MarketEvent,
  label: string,
): Promise<number | null> {
  const bucket = buckets.find((candidate) => candidate.label === label);
  if (!bucket) return null;
  const { startTs, endTs } = window;
  const own = terms
    ? await posts.countByRule(accountId, startTs, endTs, terms.countingRule)
    : await posts.countCounted(accountId, startTs, endTs);
  return Math.min(bucket.hi ?? Number.POSITIVE_INFINITY, Math.max(bucket.lo, own));
}
