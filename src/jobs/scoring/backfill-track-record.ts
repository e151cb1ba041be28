// Track record for a new service: forecasts for past events, recomputed from the data available at the time.
// Their model version is marked, because they were never published.

import type { AccountId } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { computeMarketPrice } from '../../domain/quote.ts';
import { listHorizons, RECOMPUTED_MARK } from '../../domain/scored-horizons.ts';
import { DAY_MS } from '../../domain/units.ts';
import type { AccountParameters } from '../../forecast/parameters.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createCourtesy, type Traffic } from '../../runtime/courtesy.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Settlement, Store } from '../../store/ports.ts';
import type { PastAnswer, PastTask } from '../forecasting/forecast-engine.ts';
import { type ModelIdentity, toForecastRecord } from '../forecasting/forecast-record.ts';
import type { ForecastRunner } from '../forecasting/forecast-runner.ts';
import { createJob, type Job } from '../job.ts';
import { draftForecast } from '../sealing/log-drafts.ts';
import { scoreEvent } from './score-forecast.ts';

export interface BackfillOptions {
  accounts: readonly { accountId: AccountId; parameters: AccountParameters }[];
  /** Whether the account's backfill is complete; accounts do not wait for each other. */
  isReady: (accountId: AccountId) => boolean;
  store: Store;
  /** Creates a separate worker, so that the backfill does not delay live forecasts. */
  createRunner: () => ForecastRunner;
  clock: Clock;
  logger: Logger;
  identity: ModelIdentity;
  /** Current request load; the backfill yields to it. */
  traffic?: Traffic | undefined;
}

const PERIOD_MS = DAY_MS;

interface BareEvent {
  event: MarketEvent;
  settlement: Settlement;
}

interface PastEvent extends BareEvent {
  task: PastTask;
}

/** Runs if any settled event has no forecast; wake it when the backfill is complete. */
export function createTrackRecordBackfill(options: BackfillOptions): Job {
  const { accounts, store, clock, logger, identity } = options;
  const marked = { ...identity, modelVersion: `${identity.modelVersion}${RECOMPUTED_MARK}` };
  const done = new Set<number>();
  let activeRunner: ForecastRunner | null = null;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    for (const { accountId, parameters } of accounts.filter(({ accountId }) => options.isReady(accountId)))
      await backfill(accountId, parameters);
  }

  async function backfill(accountId: AccountId, parameters: AccountParameters): Promise<void> {
    const bare = await findBare(accountId);
    if (bare.length === 0 || signal.aborted) return;
    const history = await store.posts.listTimes(accountId, clock.now() - HISTORY_DAYS * DAY_MS);
    const past = withEnoughHistory(bare, history.createdTs[0] ?? Number.POSITIVE_INFINITY);
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
    for (const { event } of past) done.add(event.eventId);
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
    const giveWay = createCourtesy({ traffic: options.traffic, signal, beginsAfterMs: 0 });
    const byId = new Map(past.map((each) => [each.event.eventId, each]));
    while (!signal.aborted) {
      const answers = await runner.walkOn();
      if (!answers) break;
      await keep(options, marked, accountId, byId.get(answers[0]!.eventId)!, answers);
      await giveWay();
    }
  }

  /** Settled events of the default venue that have no forecast at any horizon. */
  async function findBare(accountId: AccountId): Promise<BareEvent[]> {
    const settlements = await store.settlements.list(accountId, 0);
    const scored = new Set((await store.scores.list({ accountId })).map(({ eventId }) => eventId));
    const bare: BareEvent[] = [];
    for (const settlement of newestOf(settlements)) {
      if (done.has(settlement.eventId)) continue;
      const event = await store.events.find(settlement.eventId);
      if (!event || event.window.endTs < clock.now() - LOOK_BACK_DAYS * DAY_MS) continue;
      if (await store.forecasts.standingAt(event.eventId, event.window.endTs)) {
        // The forecasts were stored but not scored: the disk was full, or the service was killed.
        if (!scored.has(event.eventId)) await scoreEvent(store, event, settlement, clock.now());
        done.add(event.eventId);
        continue;
      }
      // Deletions known at the time are not stored, so a recomputed forecast would use hindsight.
      if (event.terms) continue;
      bare.push({ event, settlement });
    }
    return bare;
  }

  const job = createJob({ ...options, name: 'track record', periodMs: PERIOD_MS, run });
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

async function keep(
  { store, clock }: BackfillOptions,
  identity: ModelIdentity,
  accountId: AccountId,
  { event, settlement }: BareEvent,
  answers: readonly PastAnswer[],
): Promise<void> {
  const tokenIds = event.buckets.map(({ yesTokenId }) => yesTokenId);
  // Most past events were never quoted here; this one query avoids a query per price.
  const quoted = new Set((await store.quotes.latest(tokenIds)).map(({ tokenId }) => tokenId));
  const records = [];
  for (const answer of answers) {
    const prices = await findPrices(store.quotes, event, answer.asofTs, quoted);
    records.push(toForecastRecord(accountId, answer, prices, identity));
  }
  if (records.length === 0) return;
  const origin = { recordedTs: clock.now(), isRecomputed: true };
  const log = records.map((record) => draftForecast(record, origin));
  await store.forecasts.record(records, log);
  await scoreEvent(store, event, settlement, clock.now());
}

/** Prices at the time, if quotes were stored; today's listed price would be hindsight. */
async function findPrices(
  quotesOf: Store['quotes'],
  event: MarketEvent,
  asofTs: number,
  quoted: ReadonlySet<string>,
): Promise<(number | null)[]> {
  const quotes = await Promise.all(
    event.buckets.map(({ yesTokenId }) =>
      quoted.has(yesTokenId) ? quotesOf.standingAt(yesTokenId, asofTs) : undefined,
    ),
  );
  // An empty book at 0.01 / 0.99 does not mean a price of one half.
  return quotes.map((quote) => computeMarketPrice(quote ?? undefined, null));
}

function withEnoughHistory(bare: readonly BareEvent[], firstPostTs: number): PastEvent[] {
  const earliestTs = firstPostTs + MIN_HISTORY_DAYS * DAY_MS;
  return bare.flatMap(({ event, settlement }) => {
    const { eventId, window } = event;
    const leadsHours = listHorizons(window)
      .filter(({ ts }) => ts >= earliestTs)
      .map(({ horizonH }) => horizonH);
    const ranges = event.buckets.map(({ lo, hi }) => ({ lo, hi }));
    return leadsHours.length === 0
      ? []
      : [{ event, settlement, task: { eventId, window, ranges, leadsHours } }];
  });
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

export const LOOK_BACK_DAYS = 200;
/** Covers the oldest event plus the model's look-back. */
export const HISTORY_DAYS = LOOK_BACK_DAYS + 900;
/** Minimum days of posts before an origin. */
export const MIN_HISTORY_DAYS = 14;
