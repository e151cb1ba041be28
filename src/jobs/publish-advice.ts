// Stores current advice in the account's state and re-evaluates it after every change in prices, counts or
// forecasts, so that `since_ts` survives restarts and is the same on every replica. What begins or ends is
// remembered.

import type { Account, AccountId } from '../domain/account.ts';
import type { EdgeEvidence, StandingAdviceByEvent } from '../domain/standing-advice.ts';
import { SECOND_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { BoardReader } from '../state/board.ts';
import type { Change } from '../state/changes.ts';
import type { StandingChanges } from '../state/snapshot.ts';
import type { Store } from '../store/ports.ts';
import { type NoticedAccount, notice, startWatch, type Watch } from '../trade/activity/notice.ts';
import type { Adviser } from '../trade/advice/adviser.ts';
import { PRIOR_EVIDENCE } from '../trade/edges/prior-evidence.ts';
import type { EventSignals } from '../trade/types.ts';
import { createJob, type Job } from './job.ts';
import { draftAdvice } from './sealing/log-drafts.ts';

/** What changed since the last publication. */
export interface AdvicePublication {
  standing: StandingChanges;
  evidence?: EdgeEvidence;
}

export interface AdvicePublisherOptions {
  account: Pick<Account, 'accountId'>;
  /** Its bankroll is that of remembered advice. */
  adviser: Adviser;
  board: BoardReader;
  store: Pick<Store, 'seals' | 'happenings'>;
  clock: Clock;
  logger: Logger;
  /** undefined until settled events have been read; the saved evidence is used until then. */
  getEvidence: () => EdgeEvidence | undefined;
  onAdvised: (accountId: AccountId, publication: AdvicePublication) => Promise<void>;
  /** Whether the account's backfill is complete; true by default. */
  isPastIn?: (accountId: AccountId) => boolean;
  /** How many times faster than real time `clock` runs. */
  timeScale?: number;
  /** How many times longer the pauses without a change are, because there are many accounts; 1 by default. */
  crowding?: number;
}

/** Without a change, the time that is left still changes. */
const PERIOD_MS = 5 * SECOND_MS;
const MIN_GAP_MS = SECOND_MS;

export function createAdvicePublisher(options: AdvicePublisherOptions): Job {
  const { account, board, store, clock, getEvidence, isPastIn = () => true } = options;
  const { adviser, timeScale = 1, crowding = 1 } = options;
  const happenings = createHappeningRecorder(store, account.accountId);
  /** Advice already in the log; a failed write is retried in the next round. */
  let logged: StandingAdviceByEvent | null = null;
  let stopListening = () => {};

  async function run(): Promise<void> {
    const snapshot = board.find(account.accountId);
    if (!snapshot) return;
    const evidence = getEvidence() ?? snapshot.evidence ?? PRIOR_EVIDENCE;
    // Advice carries the snapshot's time, so that every reader sees the same timestamp.
    const nowTs = clock.now();
    const advised = evidence === snapshot.evidence ? snapshot : { ...snapshot, evidence };
    const standing = adviser.stand(advised, nowTs);
    logged ??= snapshot.standing ?? {};
    const changes = findChanges(standing, snapshot.standing);
    const isNewEvidence = evidence !== snapshot.evidence;
    if (changes || isNewEvidence) {
      const news = { standing: changes ?? {}, ...(isNewEvidence && { evidence }) };
      await options.onAdvised(account.accountId, news);
    }
    // Advice and counts are incomplete until the backfill is.
    if (!isPastIn(account.accountId)) return;
    await log(standing);
    const advise = () => adviser.advise(advised, adviser.bankrollUsd, nowTs);
    await happenings.note({ ...snapshot, standing }, advise, nowTs);
  }

  async function log(standing: StandingAdviceByEvent): Promise<void> {
    const drafts = draftAdvice(account.accountId, standing, logged ?? {}, clock.now());
    if (drafts.length > 0) await store.seals.append(drafts);
    logged = standing;
  }

  const job = createJob({
    ...options,
    name: `advice for ${account.accountId}`,
    periodMs: PERIOD_MS * timeScale * Math.max(1, crowding),
    leastGapMs: () => MIN_GAP_MS * timeScale,
    run,
  });
  return {
    ...job,
    start() {
      stopListening = board.listen(({ changes }) => {
        if (changes.some(({ kind }) => DECISIVE.has(kind))) job.wake();
      }, account.accountId);
      job.start();
    },
    async stop() {
      stopListening();
      await job.stop();
    },
  };
}

/** What advice follows from; a poll that confirms what was known is none of it. */
const DECISIVE: ReadonlySet<Change['kind']> = new Set([
  'replaced',
  'begun',
  'listed',
  'dropped',
  'count',
  'forecast',
  'settled',
  'book',
  'feed',
]);

/** Compares by identity: unchanged advice is the same object. null if nothing changed. */
function findChanges(
  next: StandingAdviceByEvent,
  before: StandingAdviceByEvent = {},
): StandingChanges | null {
  const ended = Object.keys(before).filter((eventId) => !next[eventId]);
  const changed = Object.entries(next).filter(([eventId, buckets]) => !isSame(buckets, before[eventId]));
  if (ended.length + changed.length === 0) return null;
  return Object.fromEntries([...changed, ...ended.map((eventId) => [eventId, null])]);
}

type Buckets = StandingAdviceByEvent[string];

function isSame(next: Buckets, before: Buckets | undefined): boolean {
  if (!before || Object.keys(next).length !== Object.keys(before).length) return false;
  return Object.entries(next).every(([label, standing]) => before[label] === standing);
}

// Stores what happened in an account's events as it happens, so that advice is remembered after it ends.

interface HappeningRecorder {
  /** `advise` is called only if there is or was advice, because sizing it takes time. */
  note(
    account: NoticedAccount & { standing: StandingAdviceByEvent },
    advise: () => readonly EventSignals[],
    nowTs: number,
  ): Promise<void>;
}

function createHappeningRecorder(store: Pick<Store, 'happenings'>, accountId: AccountId): HappeningRecorder {
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
