// Settles ended events: by the oracle's count once it has caught up, or by the market's resolution if the
// oracle is silent. A late correction revises the count, a market that pays another bucket revises the
// winner, and both revise the scores.

import type { Account, AccountId } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createCourtesy, type Traffic } from '../../runtime/courtesy.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { CountObservation, Settlement, Store } from '../../store/ports.ts';
import { createJob, type Job } from '../job.ts';
import { scoreEvent } from '../scoring/score-event.ts';
import { findWinner, type Outcome } from '../scoring/score-forecast.ts';
import { settleSignals } from './settle-signals.ts';

/** The market's result of an ended event. */
export interface Resolution {
  event: MarketEvent;
  winningLabel: string | null;
  /** When the market closed it, if known. */
  closedTs?: number | null;
}

export interface SettlementOptions {
  accountIds: readonly AccountId[];
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Called after each first or revised settlement. */
  onSettled: (settlement: Settlement) => Promise<void>;
  /** Request load, which takes precedence over work on past events. */
  traffic?: Traffic | undefined;
}

export interface SettlementJob extends Job {
  /** Events the market lists as ended; settled in the next round, which starts immediately. */
  noteResolutions(account: Pick<Account, 'accountId'>, resolutions: readonly Resolution[]): Promise<void>;
}

const PERIOD_MS = MINUTE_MS;
/** The oracle's count is final this long after the end if it is at least our own count, */
const CAUGHT_UP_MS = 30 * MINUTE_MS;
/** and this long after it in any case. */
const PATIENCE_MS = 6 * HOUR_MS;
/** Without any oracle count the market's resolution is used after this long. */
const MARKET_FALLBACK_MS = DAY_MS;
const MOST_LOGGED_SINGLY = 5;
/** Counts may still be revised this long after the end. */
const REVISION_MS = 7 * DAY_MS;

export function createSettlementJob(options: SettlementOptions): SettlementJob {
  const { accountIds, store, clock, logger } = options;
  const resolutions = new Map<number, Resolution>();
  let news: object[] = [];

  async function run(): Promise<void> {
    // Arrivals during the round wait for the next one.
    const inHand = [...resolutions.values()];
    const giveWay = createCourtesy({ traffic: options.traffic });
    for (const accountId of accountIds) {
      const recent = await store.events.list(accountId, clock.now() - REVISION_MS);
      const older = inHand.map(({ event }) => event).filter((event) => event.accountId === accountId);
      const over = mergeEvents(recent, older).filter((event) => event.window.endTs <= clock.now());
      for (const event of over) {
        await settle(event);
        await giveWay();
      }
    }
    dropOld(inHand);
    report();
  }

  /** Logged one by one; the hundreds of a first start in one line. */
  function report(): void {
    if (news.length > MOST_LOGGED_SINGLY) logger.info({ events: news.length }, 'events settled');
    else for (const facts of news) logger.info(facts, 'event settled');
    news = [];
  }

  async function settle(event: MarketEvent): Promise<void> {
    const [before] = await store.settlements.latest([event.eventId]);
    const verdict = await decide(event, before);
    if (!verdict || (before && isSameOutcome(before, verdict))) return;
    const settledTs = before ? clock.now() : firstSettledTs(event);
    await scoreEvent(store, event, verdict, settledTs);
    await settleSignals(store, event, verdict, settledTs);
    // Last: a crash before this repeats the work harmlessly.
    await store.settlements.record({ ...verdict, settledTs });
    const [settlement] = await store.settlements.latest([event.eventId]);
    const { finalCount, winningLabel } = verdict;
    news.push({ eventId: event.eventId, finalCount, winningLabel, revision: settlement?.revision });
    if (settlement) await options.onSettled(settlement);
  }

  /** The counted and the paid result may differ: the count is the oracle's, the winner the market's. */
  async function decide(
    event: MarketEvent,
    before: Settlement | undefined,
  ): Promise<Omit<Settlement, 'revision' | 'settledTs'> | null> {
    const counted = await findCount(event, before);
    if (!counted) return null;
    const said = resolutions.get(event.eventId)?.winningLabel ?? null;
    const { eventId, accountId } = event;
    return { eventId, accountId, ...counted, winningLabel: chooseWinner(event, counted, said, before) };
  }

  async function findCount(
    event: MarketEvent,
    before: Settlement | undefined,
  ): Promise<Pick<Settlement, 'finalCount' | 'source'> | null> {
    // Posts deleted later leave the venue's list, but not the count that it settled on.
    if (event.terms && before?.source === 'oracle')
      return { finalCount: before.finalCount, source: 'oracle' };
    const oracle = (await store.counts.latest([event.eventId])).find((count) => count.feed === 'oracle');
    if (oracle && (await isCaughtUp(event, oracle))) return { finalCount: oracle.count, source: 'oracle' };
    const winningLabel = resolutions.get(event.eventId)?.winningLabel ?? null;
    // An estimate from the market's bucket follows the market's result; an oracle count does not.
    if (before && (before.source === 'oracle' || winningLabel === null)) {
      return { finalCount: before.finalCount, source: before.source };
    }
    if (oracle || winningLabel === null) return null;
    if (clock.now() < event.window.endTs + MARKET_FALLBACK_MS) return null;
    const finalCount = await estimateFromBucket(event, winningLabel);
    return finalCount === null ? null : { finalCount, source: 'market' };
  }

  /** For an event from before the first start: when the market closed it, not when we read it. */
  function firstSettledTs({ eventId, window }: MarketEvent): number {
    const nowTs = clock.now();
    if (nowTs < window.endTs + PATIENCE_MS) return nowTs;
    const closedTs = resolutions.get(eventId)?.closedTs ?? null;
    if (closedTs !== null && closedTs >= window.endTs && closedTs <= nowTs) return closedTs;
    return nowTs < window.endTs + REVISION_MS ? nowTs : window.endTs;
  }

  async function isCaughtUp(event: MarketEvent, oracle: CountObservation): Promise<boolean> {
    const { accountId, window } = event;
    if (oracle.observedTs >= window.endTs + PATIENCE_MS) return true;
    // A list that omits deleted posts never catches up with our count, so only time decides.
    if (event.terms) return false;
    if (oracle.observedTs < window.endTs + CAUGHT_UP_MS) return false;
    return oracle.count >= (await store.posts.countCounted(accountId, window.startTs, window.endTs));
  }

  /** Our own count if it is in the market's bucket, otherwise the bucket's nearest edge. */
  async function estimateFromBucket(
    { accountId, window, buckets, terms }: MarketEvent,
    label: string,
  ): Promise<number | null> {
    const bucket = buckets.find((candidate) => candidate.label === label);
    if (!bucket) return null;
    const { startTs, endTs } = window;
    const own = terms
      ? await store.posts.countByRule(accountId, startTs, endTs, terms.countingRule)
      : await store.posts.countCounted(accountId, startTs, endTs);
    return Math.min(bucket.hi ?? Number.POSITIVE_INFINITY, Math.max(bucket.lo, own));
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
 * The bucket the market paid, otherwise the count's bucket. After a restart the market's result is not loaded
 * yet: a stored winner that differs from the count's bucket came from the market and stays.
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
