// Our own count for every event, from the store and by its contract's rule, with its doubtful posts.

import type { AccountId } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import type { CountDoubt } from '../../state/snapshot.ts';
import type { Store } from '../../store/ports.ts';

export interface OwnCounts {
  realCounts: Record<number, number>;
  doubts: Record<number, CountDoubt>;
}

export async function countEvents(
  store: Store,
  accountId: AccountId,
  events: readonly MarketEvent[],
): Promise<OwnCounts> {
  const counts: OwnCounts = { realCounts: {}, doubts: {} };
  for (const { eventId, window, terms } of events) {
    const { startTs, endTs } = window;
    counts.realCounts[eventId] = terms
      ? await store.posts.countByRule(accountId, startTs, endTs, terms.countingRule)
      : await store.posts.countCounted(accountId, startTs, endTs);
    counts.doubts[eventId] = await store.posts.countDoubtful(accountId, startTs, endTs);
  }
  return counts;
}
