// Settles ended events by the oracle's count once it has caught up, or by the market's resolution if there is
// no oracle count. Late corrections revise the count, a market that pays another bucket revises the winner,
// and either revises the scores.

import type { Account, AccountId } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import type { CountObservation, PostStore, Settlement, Store } from '../../store/ports.ts';
import { createJob, type Job } from '../job.ts';
import { findWinner, type Outcome, scoreEvent } from '../scoring/score-forecast.ts';
import { settleSignals } from './signal-record.ts';

/** The market's result for an ended event. */
export interface Resolution {
  event: MarketEvent;
  winningLabel: string | null;
  /** When the market closed the event, if known. */
  closedTs?: number | null;
}

export interface SettlementOptions {
  accountIds: readonly AccountId[];
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Called after each first or revised settlement. */
  onSettled: (settlement: Settlement) => Promise<void>;
  /** Called after a round in which events settled: a first start settles hundreds. */
  onRound?: () => Promise<void>;
}

interface Verdict extends Omit<Settlement, 'revision'> {
  event: MarketEvent;
}

export interface SettlementJob extends Job {
  /** Adds events that the market lists as ended; they settle in the next round, which starts immediately. */
  noteResolutions(account: Pick<Account, 'accountId'>, resolutions: readonly Resolution[]): Promise<void>;
}

const PERIOD_MS = MINUTE_MS;
const MAX_LOGGED_SINGLY = 5;
/** Counts may still be revised this long after the end. */
const REVISION_MS = 7 * DAY_MS;

export function createSettlementJob(options: SettlementOptions): SettlementJob {
  const { accountIds, store, clock, logger } = options;
  const resolutions = new Map<number, Resolution>();
  const startedTs = clock.now();
  let news: object[] = [];

  async function run(): Promise<void> {
    // Results that arrive during this round wait for the next one.
    const current = [...resolutions.values()];
    for (const accountId of accountIds) {
      const recent = await store.events.list(accountId, clock.now() - REVISION_MS);
      const older = current.map(({ event }) => event).filter((event) => event.accountId === accountId);
      await settleAll(mergeEvents(recent, older).filter((event) => event.window.endTs <= clock.now()));
    }
    dropOld(current);
    if (news.length > 0) await options.onRound?.();
    report();
  }

  /** Logs events one by one, or as a single line for the hundreds found on first start. */
  function report(): void {
    if (news.length > MAX_LOGGED_SINGLY) logger.info({ events: news.length }, 'events settled');
    else for (const facts of news) logger.info(facts, 'event settled');
    news = [];
  }

  /** What is stored about an account's ended events is read and written together: there may be hundreds. */
  async function settleAll(events: readonly MarketEvent[]): Promise<void> {
    const ids = events.map(({ eventId }) => eventId);
    const known = new Map((await store.settlements.latest(ids)).map((each) => [each.eventId, each]));
    const counts = (await store.counts.latest(ids)).filter(({ feed }) => feed === 'oracle');
    const oracles = new Map(counts.map((count) => [count.eventId, count]));
    const verdicts: Verdict[] = [];
    for (const event of events) {
      const before = known.get(event.eventId);
      const verdict = await decide(event, before, oracles.get(event.eventId));
      if (!verdict || (before && isSameOutcome(before, verdict))) continue;
      verdicts.push({ event, ...verdict, settledTs: before ? clock.now() : firstSettledTs(event) });
    }
    if (verdicts.length > 0) await keep(verdicts);
  }

  async function keep(verdicts: readonly Verdict[]): Promise<void> {
    const ids = verdicts.map(({ eventId }) => eventId);
    const involved = new Set(await store.settlements.listInvolved(ids));
    for (const { event, ...verdict } of verdicts) {
      if (!involved.has(event.eventId)) continue;
      await scoreEvent(store, event, verdict, verdict.settledTs);
      await settleSignals(store, event, verdict, verdict.settledTs);
      await takeBackgroundTurn();
    }
    // Recorded last: a crash before this repeats the work harmlessly.
    await store.settlements.record(...verdicts.map(({ event: _, ...verdict }) => verdict));
    for (const settlement of await store.settlements.latest(ids)) {
      const { eventId, finalCount, winningLabel, revision } = settlement;
      news.push({ eventId, finalCount, winningLabel, revision });
      await options.onSettled(settlement);
    }
  }

  /** Count and winner may disagree: the count is the oracle's, the winner the market's. */
  async function decide(
    event: MarketEvent,
    before: Settlement | undefined,
    oracle: CountObservation | undefined,
  ): Promise<Omit<Settlement, 'revision' | 'settledTs'> | null> {
    const said = resolutions.get(event.eventId)?.winningLabel ?? null;
    const counted = await findFinalCount(store, event, { before, oracle, winningLabel: said }, clock.now());
    if (!counted) return null;
    const { eventId, accountId } = event;
    return { eventId, accountId, ...counted, winningLabel: chooseWinner(event, counted, said, before) };
  }

  /** For an event that the market closed before the first start: when it did, not when we read it. */
  function firstSettledTs({ eventId, window }: MarketEvent): number {
    const nowTs = clock.now();
    const closedTs = resolutions.get(eventId)?.closedTs ?? null;
    const isPast = nowTs >= window.endTs + PATIENCE_MS || (closedTs !== null && closedTs < startedTs);
    if (isPast && closedTs !== null && closedTs >= window.endTs && closedTs <= nowTs) return closedTs;
    return nowTs < window.endTs + REVISION_MS ? nowTs : window.endTs;
  }

  function dropOld(handled: readonly Resolution[]): void {
    for (const { event } of handled) {
      if (event.window.endTs < clock.now() - REVISION_MS) resolutions.delete(event.eventId);
    }
  }

  const job = createJob({ ...options, name: 'settlement', periodMs: PERIOD_MS, run });
  return {
    ...job,
    async noteResolutions(_, news) {
      for (const resolution of news) resolutions.set(resolution.event.eventId, resolution);
      await job.runOnce();
    },
  };
}

/**
 * The bucket the market paid, or else the bucket with the count. After a restart the market's result is not
 * loaded yet; a stored winner that differs from the bucket with the count came from the market, so it stays.
 */
function chooseWinner(
  event: MarketEvent,
  { finalCount }: Pick<Settlement, 'finalCount'>,
  said: string | null,
  before: Settlement | undefined,
): string | null {
  if (said !== null) return said;
  const wasOverruled = before && before.winningLabel !== labelOf(event, before.finalCount);
  return wasOverruled ? before.winningLabel : labelOf(event, finalCount);
}

function labelOf(event: MarketEvent, count: number): string | null {
  return event.buckets[findWinner(event, count)]?.label ?? null;
}

function isSameOutcome(left: Outcome, right: Outcome): boolean {
  return left.finalCount === right.finalCount && left.winningLabel === right.winningLabel;
}

function mergeEvents(recent: readonly MarketEvent[], older: readonly MarketEvent[]): MarketEvent[] {
  return [...new Map([...older, ...recent].map((event) => [event.eventId, event])).values()];
}

// The final count of an ended event: the oracle's count once it has caught up, or an estimate from the bucket
// that the market paid.

/** The oracle's count is final this long after the end if it has reached our own count. */
const CAUGHT_UP_MS = 30 * MINUTE_MS;
/** The oracle's count is final this long after the end regardless. */
const PATIENCE_MS = 6 * HOUR_MS;
/** Without an oracle count, the market's resolution is used after this long. */
const MARKET_FALLBACK_MS = DAY_MS;

interface Known {
  before: Settlement | undefined;
  oracle: CountObservation | undefined;
  /** The bucket that the market paid; null if unknown. */
  winningLabel: string | null;
}

async function findFinalCount(
  store: Pick<Store, 'posts'>,
  event: MarketEvent,
  { before, oracle, winningLabel }: Known,
  nowTs: number,
): Promise<Pick<Settlement, 'finalCount' | 'source'> | null> {
  // Posts deleted later disappear from the venue's list but not from the count it settled on.
  if (event.terms && before?.source === 'oracle') return { finalCount: before.finalCount, source: 'oracle' };
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
