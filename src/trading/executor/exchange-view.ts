// The executor's view of the exchange: open orders, fills, time of the last response, and whether the books
// agree.

import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import { isRecent } from '../decide/halts.ts';
import type { Journal } from '../journal/journal.ts';
import { type Access, Contradiction, type Venue, type VenueOrder } from '../types.ts';
import type { Bookkeeper } from './collect-fills.ts';
import { findForeign, reconcile } from './reconcile.ts';
import { findContradiction, findSent, listEnded, releaseEnded, reopen } from './reservations.ts';

export interface ViewParts {
  venue: Venue;
  journal: Journal;
  bookkeeper: Bookkeeper;
  clock: Clock;
  logger: Logger;
}

export interface ExchangeView {
  /** Reads orders and fills, unless they were read in the last second and no change was reported since. */
  learn(): Promise<void>;
  beat(): Promise<void>;
  askAccess(): Promise<void>;
  reconcileIfDue(): Promise<void>;
  /** Open orders as the exchange listed them. */
  open(): readonly VenueOrder[];
  /** The exchange's time at the last read. */
  exchangeTs(): number;
  /** Makes the next cycle read everything. */
  markChanged(): void;
  facts(): ExchangeFacts;
}

export interface ExchangeFacts {
  unreconciled: string | null;
  /** Why the exchange's time and ours cannot both be right. */
  clocksDiffer: string | null;
  accessRefused: string | null;
  warning: string | null;
  lastBeatTs: number | null;
  exchangeHeardTs: number | null;
}

const BEAT_EVERY_MS = 4_000;
const LEARN_EVERY_MS = 1_000;
const RECONCILE_EVERY_MS = 60_000;
const ACCESS_EVERY_MS = 60_000;
/** A permission older than this is not trusted, because several checks have failed since. */
const ACCESS_MAX_AGE_MS = 5 * 60_000;
/** Expiries are in the exchange's time; beyond this difference one of the clocks is wrong. */
const MAX_CLOCK_DIFFERENCE_MS = 30_000;

export function createExchangeView({ venue, journal, bookkeeper, clock, logger }: ViewParts): ExchangeView {
  let unreconciled: string | null = 'not reconciled yet';
  let reconciledTs: number | null = null;
  let comparedAllTs: number | null = null;
  let access: Access = {
    isAllowed: false,
    reason: 'access has not been checked yet',
  };
  let accessAskedTs: number | null = null;
  let lastBeatTs: number | null = null;
  let heardTs: number | null = null;
  let hasChanged = true;
  let isRead = false;
  let open: readonly VenueOrder[] = [];
  let exchangeTs = 0;
  let clocksDiffer: string | null = null;
  let contradiction: string | null = null;
  /** Orders to release once the balances confirm that all their trades are booked. */
  let ended: readonly string[] = [];

  async function readTime(nowTs: number): Promise<void> {
    const shownTs = await venue.time();
    clocksDiffer = findClockDifference(shownTs, nowTs);
    if (clocksDiffer !== null) throw new Error(clocksDiffer);
    // A time that was cut off in transit must not date the books.
    exchangeTs = shownTs;
  }

  /** Read order matters: an order that changes between two reads shows up in the later one. */
  async function readAll(nowTs: number): Promise<void> {
    ended = [];
    isRead = false;
    await readTime(nowTs);
    await findSent(venue, journal, nowTs);
    const listed = await venue.openOrders();
    const doubt = findContradiction(journal, listed);
    reopen(journal, listed, nowTs);
    for (const { orderId, matchedMicro } of listed) journal.raiseMatched(orderId, matchedMicro);
    await bookkeeper.collect(exchangeTs);
    ended = await listEnded(venue, journal, listed, { exchangeTs, nowTs });
    contradiction = doubt ?? bookkeeper.contradiction();
    open = listed;
    heardTs = nowTs;
    isRead = true;
  }

  function isReconcileDue(nowTs: number): boolean {
    if (reconciledTs === null || unreconciled !== null || findForeign(journal, open)) return true;
    // A fill is not believed before the balances confirm it: a sale frees money.
    if (ended.length > 0 || bookkeeper.changed().size > 0) return true;
    return !isRecent(reconciledTs, nowTs, RECONCILE_EVERY_MS);
  }

  /** Compares everything once a minute and after a difference; otherwise only what changed. */
  function isAllDue(nowTs: number): boolean {
    return !isRecent(comparedAllTs, nowTs, RECONCILE_EVERY_MS) || unreconciled !== null;
  }

  function findRefusal(): string | null {
    if (!access.isAllowed) return access.reason;
    const isKnown = isRecent(accessAskedTs, clock.now(), ACCESS_MAX_AGE_MS);
    return isKnown ? null : 'permission to trade has not been confirmed for 5 min';
  }

  return {
    async learn() {
      const nowTs = clock.now();
      if (!hasChanged && isRecent(heardTs, nowTs, LEARN_EVERY_MS)) return;
      // Reset before reading, so that a change reported during the read triggers another one.
      hasChanged = false;
      try {
        await readAll(nowTs);
      } catch (error) {
        hasChanged = true;
        if (error instanceof Contradiction) contradiction = error.message;
        throw error;
      }
    },
    async beat() {
      const nowTs = clock.now();
      if (isRecent(lastBeatTs, nowTs, BEAT_EVERY_MS)) return;
      await venue.heartbeat();
      lastBeatTs = nowTs;
    },
    async askAccess() {
      const nowTs = clock.now();
      if (isRecent(accessAskedTs, nowTs, ACCESS_EVERY_MS)) return;
      access = await venue.checkAccess();
      accessAskedTs = nowTs;
    },
    async reconcileIfDue() {
      const nowTs = clock.now();
      // Without its trades a balance explains nothing.
      if (!isRead || !isReconcileDue(nowTs)) return;
      const comparesAll = isAllDue(nowTs);
      unreconciled = await reconcile({ venue, journal, bookkeeper, open, ended, comparesAll, exchangeTs });
      if (unreconciled !== null) return logger.warn({ reason: unreconciled }, 'books not reconciled');
      reconciledTs = nowTs;
      releaseEnded(journal, ended, nowTs);
      ended = [];
      if (comparesAll) comparedAllTs = nowTs;
    },
    open: () => open,
    exchangeTs: () => exchangeTs,
    markChanged: () => void (hasChanged = true),
    facts: () => ({
      unreconciled: contradiction ?? unreconciled,
      clocksDiffer,
      accessRefused: findRefusal(),
      warning: access.warning ?? null,
      lastBeatTs,
      exchangeHeardTs: heardTs,
    }),
  };
}

function findClockDifference(shownTs: number, nowTs: number): string | null {
  const isClose = Math.abs(shownTs - nowTs) <= MAX_CLOCK_DIFFERENCE_MS;
  const differenceS = Math.round((shownTs - nowTs) / 1000);
  return isClose ? null : `the exchange's clock and ours differ by ${differenceS} s`;
}
