// Records the signals a caller would get 72, 48, 24 and 6 hours before an event ends.

import type { Account, AccountId } from '../../domain/account.ts';
import { listActive } from '../../domain/market-event.ts';
import { listHorizons } from '../../domain/scored-horizons.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { BoardReader } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Store } from '../../store/ports.ts';
import type { AdviserOf } from '../../trade/advice/adviser.ts';
import { DEFAULT_BANKROLL_USD } from '../../trade/sizing/sizing-rules.ts';
import { createJob, type Job } from '../job.ts';
import { draftSignal } from '../sealing/log-drafts.ts';
import { toSignalRecords } from './signal-record.ts';

type RecordedAccount = Pick<Account, 'accountId' | 'allowsSell'>;

export interface SignalRecorderOptions {
  accounts: readonly RecordedAccount[];
  board: BoardReader;
  store: Pick<Store, 'signals'>;
  adviserOf: AdviserOf;
  clock: Clock;
  logger: Logger;
  /** Whether the account's backfill is complete; true by default. */
  isPastIn?: (accountId: AccountId) => boolean;
}

const PERIOD_MS = MINUTE_MS;
/** A horizon missed by more than this is skipped, because current signals no longer match that horizon. */
const LATE_MS = 10 * MINUTE_MS;

export function createSignalRecorder(options: SignalRecorderOptions): Job {
  const { accounts, board, store, clock, isPastIn = () => true } = options;
  const done = new Set<string>();

  async function run(): Promise<void> {
    for (const account of accounts) {
      const snapshot = board.find(account.accountId);
      if (snapshot && isPastIn(account.accountId)) await recordDue(account, snapshot);
    }
  }

  async function recordDue(account: RecordedAccount, snapshot: AccountSnapshot): Promise<void> {
    const nowTs = clock.now();
    const due = listActive(snapshot, nowTs).flatMap(({ event, forecast }) => {
      const passed = listHorizons(event.window).find(({ ts }) => ts <= nowTs && nowTs < ts + LATE_MS);
      const key = passed && `${event.eventId} ${passed.horizonH}`;
      return passed && forecast && !done.has(key!)
        ? [{ eventId: event.eventId, horizonH: passed.horizonH, key: key! }]
        : [];
    });
    if (due.length === 0) return;
    const signals = options.adviserOf(account).advise(snapshot, DEFAULT_BANKROLL_USD, nowTs);
    for (const { eventId, horizonH, key } of due) {
      const element = signals.find((candidate) => candidate.eventId === eventId);
      // Stale feeds yield no advice; wait, because they may recover before the horizon is missed.
      if (element?.blindness) continue;
      const records = element ? toSignalRecords(account.accountId, element, horizonH, nowTs) : [];
      const log = records.map((record) => draftSignal(record, nowTs));
      if (records.length > 0) await store.signals.record(records, log);
      done.add(key);
    }
  }

  return createJob({ ...options, name: 'signal record', periodMs: PERIOD_MS, run });
}
