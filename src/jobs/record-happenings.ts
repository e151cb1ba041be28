// Stores what happened in an account's events as it happens, so that advice is remembered after it ends.

import type { AccountId } from '../domain/account.ts';
import type { StandingAdviceByEvent } from '../domain/standing-advice.ts';
import type { Store } from '../store/ports.ts';
import { type NoticedAccount, notice, startWatch, type Watch } from '../trade/activity/notice.ts';
import type { EventSignals } from '../trade/types.ts';

export interface HappeningRecorder {
  /** `advise` is called only if there is or was advice, because sizing it takes time. */
  note(
    account: NoticedAccount & { standing: StandingAdviceByEvent },
    advise: () => readonly EventSignals[],
    nowTs: number,
  ): Promise<void>;
}

export function createHappeningRecorder(
  store: Pick<Store, 'happenings'>,
  accountId: AccountId,
): HappeningRecorder {
  let watch: Watch | null = null;
  return {
    async note(account, advise, nowTs) {
      watch ??= startWatch(await store.happenings.listLasting(accountId));
      const wasAdvised = [...watch.lasting.values()].some(({ kind }) => kind === 'advice');
      const advice = wasAdvised || hasAdvice(account.standing) ? advise() : [];
      const next = notice(watch, account, advice, nowTs);
      if (next.changed.length > 0) await store.happenings.put(next.changed);
      // Kept only after the write, so that a failed write is repeated in the next round.
      watch = next.watch;
    },
  };
}

function hasAdvice(standing: StandingAdviceByEvent): boolean {
  return Object.values(standing).some((buckets) =>
    Object.values(buckets).some(({ kind }) => kind !== 'nothing'),
  );
}
