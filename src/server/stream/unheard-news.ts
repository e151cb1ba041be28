// Queues changes of accounts without a recent reader. Formatting a change is the most expensive part of a
// board update and runs on the thread that serves requests, so recent changes wait until a reader connects;
// older ones are dropped, and a reader that missed them gets a snapshot.

import type { AccountId } from '../../domain/account.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { StreamChange } from './stream-changes.ts';

export interface News {
  next: AccountSnapshot;
  changes: readonly StreamChange[];
  atTs: number;
}

export interface UnheardNews {
  take(news: News): void;
  /** Drops all queued changes, because the account starts over. */
  forget(accountId: AccountId): void;
  /** Called when a reader connects; formats all queued changes. */
  noteReader(accountId: AccountId): void;
  noteLeaving(accountId: AccountId): void;
}

export interface UnheardNewsOptions {
  /** Wall-clock time. */
  clock: Clock;
  report: (news: News) => void;
  /** Called with the oldest change when too many are queued. */
  lose: (news: News) => void;
}

/** Each change retains the changed parts of a snapshot, some tens of kilobytes. */
export const MAX_WAITING = 32;
/** A disconnected reader usually returns much sooner. */
export const HEARD_FOR_MS = 10 * MINUTE_MS;

interface Audience {
  readers: number;
  leftTs: number;
  waiting: News[];
}

export function createUnheardNews({ clock, report, lose }: UnheardNewsOptions): UnheardNews {
  const audiences = new Map<AccountId, Audience>();

  function audienceOf(accountId: AccountId): Audience {
    const known = audiences.get(accountId);
    if (known) return known;
    const audience = { readers: 0, leftTs: Number.NEGATIVE_INFINITY, waiting: [] };
    audiences.set(accountId, audience);
    return audience;
  }

  function sendToAll(audience: Audience): void {
    const { waiting } = audience;
    audience.waiting = [];
    for (const news of waiting) report(news);
  }

  return {
    take(news) {
      const audience = audienceOf(news.next.accountId);
      audience.waiting.push(news);
      if (audience.readers > 0 || clock.now() - audience.leftTs < HEARD_FOR_MS) sendToAll(audience);
      else if (audience.waiting.length > MAX_WAITING) lose(audience.waiting.shift()!);
    },
    forget(accountId) {
      audienceOf(accountId).waiting = [];
    },
    noteReader(accountId) {
      const audience = audienceOf(accountId);
      audience.readers += 1;
      sendToAll(audience);
    },
    noteLeaving(accountId) {
      const audience = audienceOf(accountId);
      audience.readers -= 1;
      audience.leftTs = clock.now();
    },
  };
}
