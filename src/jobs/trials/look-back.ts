// Work on settled events: what the rules under test would have bet before their registration, and what a faster
// source would have been worth. Both come from what the venue keeps of the past, so they wait for its reading.

import type { AccountId } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createCourtesy, type Traffic } from '../../runtime/courtesy.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Settlement, Store } from '../../store/ports.ts';
import { listCountedTs, measureSpeedWorth, type SpeedWorth } from '../../trade/speed-worth.ts';
import { createJob, type Job } from '../job.ts';
import { type RunningRule, recomputeBets } from './trial-bets.ts';

export interface LookBackOptions {
  accountIds: readonly AccountId[];
  store: Store;
  clock: Clock;
  logger: Logger;
  listRunning: () => readonly RunningRule[];
  traffic?: Traffic | undefined;
}

/** Prices and trades of the past arrive over minutes to hours. */
const PERIOD_MS = 5 * MINUTE_MS;
const MAX_HOURS = 24 * 32;

export function createLookBackJob(options: LookBackOptions): Job {
  const { accountIds, store, clock } = options;
  /** Rules and events with bets or without any to find; settled events do not change. */
  const recomputed = new Set<string>();
  /** Settlements with nothing left to do. */
  const done = new Set<string>();

  async function run(): Promise<void> {
    const giveWay = createCourtesy({ traffic: options.traffic });
    const measured = new Map(
      (await store.trials.listSpeedWorths()).map((row) => [row.eventId, row.measuredTs]),
    );
    const traded = new Map((await store.past.listTraded()).map((reading) => [reading.eventId, reading]));
    for (const accountId of accountIds) {
      const settlements = await store.settlements.list(accountId, 0);
      let posts: CountedPosts | null = null;
      for (const settlement of settlements) {
        const { eventId, revision } = settlement;
        const key = `${eventId} ${revision}`;
        if (done.has(key)) continue;
        const event = await store.events.find(eventId);
        if (!event) continue;
        const hasAllBets = await recompute(event, settlement);
        const reading = traded.get(eventId);
        if (reading?.isWhole && !event.terms && (measured.get(eventId) ?? 0) < reading.readTs) {
          posts ??= await store.posts.listTimes(accountId, 0);
          const worth = await measureEvent(store, event, settlement, posts);
          const measuredTs = clock.now();
          if (worth) await store.trials.putSpeedWorth({ eventId, accountId, measuredTs, worth });
        }
        if (hasAllBets && (reading?.isWhole || event.terms)) done.add(key);
        await giveWay();
      }
    }
  }

  /** Returns whether no rule has anything left to recompute. */
  async function recompute(event: MarketEvent, settlement: Settlement): Promise<boolean> {
    const { eventId, window, terms } = event;
    const keyOf = ({ hash }: RunningRule) => `${hash} ${eventId} ${settlement.revision}`;
    const isDaily = ({ rule, registeredTs }: RunningRule) =>
      !terms && window.startTs <= registeredTs && 'daily' in rule.schedule;
    const running = options.listRunning();
    const left = running.filter((one) => isDaily(one) && !recomputed.has(keyOf(one)));
    if (left.length === 0) return running.length > 0;
    const range = { fromTs: window.startTs, untilTs: window.endTs, limit: MAX_HOURS, isHourly: true };
    const points = await store.forecasts.listPoints(eventId, range);
    if (!points.some(({ marketPrices }) => marketPrices.some((price) => price !== null))) return false;
    for (const one of left) {
      await store.trials.recordBets(recomputeBets(one, event, points, settlement));
      recomputed.add(keyOf(one));
    }
    return true;
  }

  return createJob({ ...options, name: 'look back', periodMs: PERIOD_MS, run });
}

type CountedPosts = Parameters<typeof listCountedTs>[0];

/** What speed was worth in a settled event; null if its trades were not read. */
export async function measureEvent(
  { past }: Pick<Store, 'past'>,
  { eventId, window, buckets }: MarketEvent,
  { winningLabel }: Settlement,
  posts: CountedPosts,
): Promise<SpeedWorth | null> {
  const found = await past.findTrades(eventId);
  if (!found) return null;
  const index = buckets.findIndex(({ label }) => label === winningLabel);
  const winner = index < 0 ? null : index;
  const countedTs = listCountedTs(posts, window);
  return measureSpeedWorth({ window, buckets, countedTs, winner, trades: found.trades });
}
