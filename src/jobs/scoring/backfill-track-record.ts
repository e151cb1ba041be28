// Track record for a new service: forecasts for past events, recomputed from the data available at the time.
// Their model version is marked, because they were never published.

import type { AccountId } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { isRecomputed, listHorizons, RECOMPUTED_MARK } from '../../domain/scored-horizons.ts';
import { DAY_MS, SECOND_MS } from '../../domain/units.ts';
import type { AccountParameters } from '../../forecast/parameters.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import type { Settlement, Store } from '../../store/ports.ts';
import { thinMoments } from '../../trade/backtest/past-moments.ts';
import type { PastAnswer, PastTask } from '../forecasting/forecast-engine.ts';
import { type ModelIdentity, toForecastRecord } from '../forecasting/forecast-record.ts';
import type { ForecastRunner } from '../forecasting/forecast-runner.ts';
import { createJob, type Job } from '../job.ts';
import { draftForecast } from '../sealing/log-drafts.ts';
import { openPricesThen, type PricesThen } from './prices-then.ts';
import { dropUnscored, scoreEvent } from './score-forecast.ts';

export interface BackfillOptions {
  accounts: readonly { accountId: AccountId; parameters: AccountParameters }[];
  /** Whether the account's backfill is complete; accounts do not wait for each other. */
  isReady: (accountId: AccountId) => boolean;
  store: Pick<
    Store,
    'posts' | 'events' | 'settlements' | 'scores' | 'forecasts' | 'past' | 'quotes' | 'cursors'
  >;
  /** Creates a separate worker, so that the backfill does not delay live forecasts. */
  createRunner: () => ForecastRunner;
  clock: Clock;
  logger: Logger;
  identity: ModelIdentity;
  /** Whether an event waits for the venue's past prices; false if these could not be read. */
  awaitsPrices?: (eventId: number) => boolean;
  /** Called when an event of the account was scored. */
  onScored?: (accountId: AccountId) => Promise<void>;
  /** Called after a round in which no settled event of a ready account waited for prices. */
  onWhole?: (accountIds: readonly AccountId[]) => Promise<void>;
}

const PERIOD_MS = DAY_MS;
/** Each round begins with the whole history, and prices arrive for minutes: rounds are few. */
const MIN_GAP_MS = 15 * SECOND_MS;
/** Events with more moments are first computed at the scored horizons, so that the record fills quickly. */
const MAX_AT_ONCE = 12;

type Prices = Readonly<Awaited<ReturnType<PricesThen['at']>>>;

interface BareEvent {
  event: MarketEvent;
  settlement: Settlement;
  /** Market prices at each time worth computing; the whole history of every event would fill the memory. */
  prices: ReadonlyMap<number, Prices>;
  /** Missing times, ascending. */
  momentsTs: number[];
  /** Of the set of finished events. */
  key: string;
}

interface PastEvent extends BareEvent {
  task: PastTask;
}

/**
 * Computes the moments that settled events lack: the scored horizons, and times with past prices. Wake it when
 * the backfill is complete and when prices were read.
 */
export function createTrackRecordBackfill(options: BackfillOptions): Job {
  const { accounts, store, clock, logger, identity } = options;
  const marked = { ...identity, modelVersion: `${identity.modelVersion}${RECOMPUTED_MARK}` };
  /** Events with nothing left to compute, by pass: whether only at the horizons, and whether prices were read. */
  const done = new Set<string>();
  let activeRunner: ForecastRunner | null = null;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    const ready = accounts.filter(({ accountId }) => options.isReady(accountId));
    for (const account of ready) await backfill(account, true);
    for (const account of ready) await backfill(account, false);
    if (options.onWhole && !signal.aborted && (await isWhole(options, ready)))
      await options.onWhole(ready.map(({ accountId }) => accountId));
  }

  async function backfill(
    { accountId, parameters }: BackfillOptions['accounts'][number],
    isQuick: boolean,
  ): Promise<void> {
    const bare = await findBare(accountId, isQuick);
    if (bare.length === 0 || signal.aborted) return;
    const history = await store.posts.listTimes(accountId, clock.now() - HISTORY_DAYS * DAY_MS);
    const past = withEnoughHistory(bare, history.createdTs[0] ?? Number.POSITIVE_INFINITY);
    const possible = new Set(past.map(({ event }) => event.eventId));
    // An event that began before the history may still have later moments, which only the second pass lists.
    if (!isQuick) for (const { event, key } of bare) if (!possible.has(event.eventId)) done.add(key);
    if (past.length === 0 || signal.aborted) return;
    const startedTs = clock.now();
    const runner = options.createRunner();
    activeRunner = runner;
    try {
      const tasks = past.map(({ task }) => task);
      await runner.beginWalk(history, parameters, tasks);
      await walkAll(accountId, past, runner);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    } finally {
      activeRunner = null;
      await runner.close();
    }
    if (signal.aborted) return;
    await options.onScored?.(accountId);
    logger.info(
      { accountId, events: past.length, ms: clock.now() - startedTs },
      'track record of past events computed',
    );
  }

  /** Stores each event before computing the next, so that requests can be served in between. */
  async function walkAll(
    accountId: AccountId,
    past: readonly PastEvent[],
    runner: ForecastRunner,
  ): Promise<void> {
    const byId = new Map(past.map((each) => [each.event.eventId, each]));
    while (!signal.aborted) {
      const answers = await runner.walkOn();
      if (!answers) break;
      const each = byId.get(answers[0]!.eventId)!;
      await keep(options, marked, accountId, each, answers);
      done.add(each.key);
      await takeBackgroundTurn();
    }
  }

  /** Settled events of the first venue with missing moments. The rest of them waits until all are quoted. */
  async function findBare(accountId: AccountId, isQuick: boolean): Promise<BareEvent[]> {
    const { settlements, read, isWaiting } = await listSettled(options, accountId);
    const scored = new Set(await store.scores.listEventIds(accountId));
    if (!isQuick && settlements.some(({ eventId }) => isWaiting(eventId))) return [];
    const bare: BareEvent[] = [];
    for (const settlement of settlements) {
      const { eventId } = settlement;
      const key = `${eventId} ${isQuick} ${read.has(eventId)}`;
      if (done.has(key) || isWaiting(eventId)) continue;
      if (signal.aborted) return [];
      const event = await store.events.find(eventId);
      // Deletions known at the time are not stored for other venues, so a forecast would use hindsight.
      if (!event || event.terms || event.window.endTs < clock.now() - LOOK_BACK_DAYS * DAY_MS) continue;
      const prices = await readPrices(store, event);
      const momentsTs = await findMissing(options, { event, settlement, prices }, scored.has(eventId));
      const now = isQuick && momentsTs.length > MAX_AT_ONCE ? onHorizons(event, momentsTs) : momentsTs;
      if (now.length > 0) bare.push({ event, settlement, prices, momentsTs: now, key });
      else done.add(key);
      await takeBackgroundTurn();
    }
    return bare;
  }

  const job = createJob({
    ...options,
    name: 'track record',
    periodMs: PERIOD_MS,
    leastGapMs: MIN_GAP_MS,
    run,
  });
  return {
    ...job,
    /** Drops the current work; the next start finds the same unscored events. */
    async stop() {
      stopping.abort();
      await activeRunner?.close();
      await job.stop();
    },
  };
}

/** Whether there are settled events and none waits for prices. */
async function isWhole(options: BackfillOptions, ready: BackfillOptions['accounts']): Promise<boolean> {
  let settled = 0;
  for (const { accountId } of ready) {
    const { settlements, isWaiting } = await listSettled(options, accountId);
    if (settlements.some(({ eventId }) => isWaiting(eventId))) return false;
    settled += settlements.length;
  }
  return settled > 0;
}

async function listSettled({ store, awaitsPrices }: BackfillOptions, accountId: AccountId) {
  const settlements = newestOf(await store.settlements.list(accountId, 0));
  const ids = settlements.map(({ eventId }) => eventId);
  const read = new Set((await store.past.listPriced(ids)).map(({ eventId }) => eventId));
  const isWaiting = (eventId: number) => !read.has(eventId) && (awaitsPrices?.(eventId) ?? false);
  return { settlements, read, isWaiting };
}

/** More than a month of five-minute points has. */
const MAX_POINTS = 10_000;

async function findMissing(
  { store, clock }: BackfillOptions,
  { event, settlement, prices }: Pick<BareEvent, 'event' | 'settlement' | 'prices'>,
  hasScores: boolean,
): Promise<number[]> {
  const { startTs: fromTs, endTs: untilTs } = event.window;
  const range = { fromTs, untilTs, limit: MAX_POINTS, isHourly: false };
  const points = await store.forecasts.listPoints(event.eventId, range);
  if (points.some((point) => !isRecomputed(point))) {
    // The service was running; the disk was full, or it was killed before it scored the event.
    if (!hasScores) await scoreEvent(store, event, settlement, clock.now());
    return [];
  }
  // Stored but not scored: computed again, because only horizons keep the distribution.
  if (!hasScores) return [...prices.keys()];
  const hasPrices = new Map(points.map(({ asofTs, marketPrices }) => [asofTs, isPriced(marketPrices)]));
  const missing = [...prices.keys()].filter(
    (ts) => !hasPrices.has(ts) || (!hasPrices.get(ts) && isPriced(prices.get(ts))),
  );
  // Without a priced horizon the other moments are scored, unless the process was killed before that.
  const isAnyPriced = [...prices.values()].some(isPriced);
  if (missing.length === 0 && isAnyPriced && !hasPricedHorizon(event, prices))
    await scoreEvent(store, event, settlement, clock.now());
  return missing;
}

function hasPricedHorizon({ window }: MarketEvent, prices: BareEvent['prices']): boolean {
  return listHorizons(window).some(({ ts }) => isPriced(prices.get(ts)));
}

function isPriced(prices: Prices | undefined): boolean {
  return prices?.some((price) => price !== null) ?? false;
}

function onHorizons({ window }: MarketEvent, momentsTs: readonly number[]): number[] {
  const horizons = new Set(listHorizons(window).map(({ ts }) => ts));
  return momentsTs.filter((ts) => horizons.has(ts));
}

async function keep(
  { store, clock }: BackfillOptions,
  identity: ModelIdentity,
  accountId: AccountId,
  { event, settlement, prices }: BareEvent,
  answers: readonly PastAnswer[],
): Promise<void> {
  const isHorizonPriced = hasPricedHorizon(event, prices);
  // Hashing and copying a whole event's distributions would hold the thread.
  for (let from = 0; from < answers.length; from += MAX_AT_ONCE) {
    const records = answers
      .slice(from, from + MAX_AT_ONCE)
      .map((answer) => toForecastRecord(accountId, answer, prices.get(answer.asofTs)!, identity));
    const origin = { recordedTs: clock.now(), isRecomputed: true };
    const log = records.map((record) => draftForecast(record, origin));
    await store.forecasts.record(dropUnscored(records, event, isHorizonPriced), log);
  }
  await scoreEvent(store, event, settlement, clock.now());
}

function withEnoughHistory(bare: readonly BareEvent[], firstPostTs: number): PastEvent[] {
  const earliestTs = firstPostTs + MIN_HISTORY_DAYS * DAY_MS;
  return bare.flatMap((each) => {
    const { eventId, window, buckets } = each.event;
    const momentsTs = each.momentsTs.filter((ts) => ts >= earliestTs);
    const ranges = buckets.map(({ lo, hi }) => ({ lo, hi }));
    return momentsTs.length === 0 ? [] : [{ ...each, task: { eventId, window, ranges, momentsTs } }];
  });
}

/** At the scored horizons and the moments for which the venue has prices, ascending. */
async function readPrices(store: BackfillOptions['store'], event: MarketEvent): Promise<Map<number, Prices>> {
  const { window } = event;
  const then = await openPricesThen(store, event);
  const inside = then.moments.filter(({ ts }) => ts >= window.startTs && ts < window.endTs);
  const times = [...listHorizons(window), ...thinMoments(inside)].map(({ ts }) => ts);
  const prices = new Map<number, Prices>();
  for (const ts of [...new Set(times)].sort((left, right) => left - right)) prices.set(ts, await then.at(ts));
  return prices;
}

function newestOf(settlements: readonly Settlement[]): Settlement[] {
  const newest = new Map<number, Settlement>();
  for (const settlement of settlements) {
    const known = newest.get(settlement.eventId);
    if (!known || known.revision < settlement.revision) newest.set(settlement.eventId, settlement);
  }
  return [...newest.values()];
}

// How far back recomputed forecasts reach.

export const LOOK_BACK_DAYS = 3 * 365;
/** Covers the oldest event plus the model's look-back. */
export const HISTORY_DAYS = LOOK_BACK_DAYS + 900;
/** Minimum days of posts before an origin. */
export const MIN_HISTORY_DAYS = 14;
