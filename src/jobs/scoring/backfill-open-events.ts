// Fills in the history of open events that started before the service did: recomputes earlier counts and
// forecasts from stored posts and marks them as recomputed.

import type { AccountId } from '../../domain/account.ts';
import { isActiveAt, type MarketEvent } from '../../domain/market-event.ts';
import { RECOMPUTED_MARK } from '../../domain/scored-horizons.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { AccountParameters } from '../../forecast/parameters.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import type { PastAnswer, PastTask } from '../forecasting/forecast-engine.ts';
import { toForecastRecord } from '../forecasting/forecast-record.ts';
import type { ForecastRunner } from '../forecasting/forecast-runner.ts';
import { createJob, type Job } from '../job.ts';
import { draftForecast } from '../sealing/log-drafts.ts';
import { type BackfillOptions, HISTORY_DAYS, MIN_HISTORY_DAYS } from './backfill-track-record.ts';
import { openPricesThen } from './prices-then.ts';
import { dropUnscored, scoreEvent } from './score-forecast.ts';

/** Even a running service discovers events a while after they start. */
const PERIOD_MS = HOUR_MS;
/** Includes all scored horizons. */
const STEP_HOURS = 3;

export function createOpenEventBackfill(options: BackfillOptions): Job {
  const { accounts, store, clock, logger, identity } = options;
  const marked = { ...identity, modelVersion: `${identity.modelVersion}${RECOMPUTED_MARK}` };
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: ForecastRunner | null = null;

  async function run(): Promise<void> {
    for (const { accountId, parameters } of accounts) {
      if (options.isReady(accountId) && !signal.aborted) await backfill(accountId, parameters);
    }
  }

  async function backfill(accountId: AccountId, parameters: AccountParameters): Promise<void> {
    const late = await findLate(accountId);
    if (late.length === 0) return;
    const history = await store.posts.listTimes(accountId, clock.now() - HISTORY_DAYS * DAY_MS);
    const earliestTs = (history.createdTs[0] ?? Number.POSITIVE_INFINITY) + MIN_HISTORY_DAYS * DAY_MS;
    const tasks = late.flatMap(({ event, untilTs }) => toTask(event, earliestTs, untilTs));
    if (tasks.length === 0) return;
    const runner = options.createRunner();
    current = runner;
    try {
      await runner.beginWalk(history, parameters, tasks);
      await walk(accountId, late, runner);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      current = null;
      await runner.close();
    }
  }

  async function walk(
    accountId: AccountId,
    late: readonly LateEvent[],
    runner: ForecastRunner,
  ): Promise<void> {
    while (!signal.aborted) {
      const answers = await runner.walkOn();
      if (!answers) break;
      const { event } = late.find((each) => each.event.eventId === answers[0]!.eventId)!;
      await keep(accountId, event, answers);
      logger.info({ eventId: event.eventId, points: answers.length }, 'event history recomputed');
      await takeBackgroundTurn();
    }
  }

  async function keep(
    accountId: AccountId,
    event: MarketEvent,
    answers: readonly PastAnswer[],
  ): Promise<void> {
    const prices = await openPricesThen(store, event);
    const records = [];
    for (const answer of answers) {
      const then = await prices.at(answer.asofTs);
      records.push(toForecastRecord(accountId, answer, then, marked));
    }
    const origin = { recordedTs: clock.now(), isRecomputed: true };
    await store.forecasts.record(
      dropUnscored(records, event),
      records.map((record) => draftForecast(record, origin)),
    );
    // It may have settled meanwhile, and was then scored without these.
    const [settlement] = await store.settlements.latest([event.eventId]);
    if (settlement) await scoreEvent(store, event, settlement, clock.now());
  }

  /** Open events first forecast long after they started, except contracts with their own rule. */
  async function findLate(accountId: AccountId): Promise<LateEvent[]> {
    const nowTs = clock.now();
    const events = await store.events.list(accountId, nowTs);
    const ids = events.map(({ eventId }) => eventId);
    const priced = new Set((await store.past.listPriced(ids)).map(({ eventId }) => eventId));
    const late: LateEvent[] = [];
    for (const event of events) {
      if (event.terms || !isActiveAt(event.window, nowTs)) continue;
      if (!priced.has(event.eventId) && options.awaitsPrices?.(event.eventId)) continue;
      const range = { fromTs: event.window.startTs, untilTs: nowTs, limit: 1, isHourly: false };
      const [first] = await store.forecasts.listPoints(event.eventId, range);
      late.push({ event, untilTs: first?.asofTs ?? nowTs });
    }
    return late;
  }

  const job = createJob({ ...options, name: 'open-event history', periodMs: PERIOD_MS, run });
  return {
    ...job,
    /** Drops the current work; the next start finds the same events. */
    async stop() {
      stopping.abort();
      await current?.close();
      await job.stop();
    },
  };
}

interface LateEvent {
  event: MarketEvent;
  /** Time of the event's first stored forecast; the current time if there is none. */
  untilTs: number;
}

function toTask({ eventId, window, buckets }: MarketEvent, earliestTs: number, untilTs: number): PastTask[] {
  const fromTs = Math.max(window.startTs, earliestTs);
  const steps = Math.floor((window.endTs - fromTs) / (STEP_HOURS * HOUR_MS));
  const leadsHours = Array.from({ length: Math.max(0, steps) }, (_, i) => (i + 1) * STEP_HOURS).filter(
    (lead) => window.endTs - lead * HOUR_MS < untilTs - HOUR_MS,
  );
  const momentsTs = leadsHours.map((lead) => window.endTs - lead * HOUR_MS);
  const ranges = buckets.map(({ lo, hi }) => ({ lo, hi }));
  return momentsTs.length === 0 ? [] : [{ eventId, window, ranges, momentsTs }];
}
