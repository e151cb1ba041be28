// Publishes an account's forecasts: immediately after a new post, a changed oracle count or a changed ladder,
// and at least every minute. Only events with changed inputs are recomputed.

import type { AccountId } from '../../domain/account.ts';
import { isNarrower } from '../../domain/contract.ts';
import type { KindLesson } from '../../domain/counted-kinds.ts';
import { isActiveAt } from '../../domain/market-event.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { AccountParameters } from '../../forecast/parameters.ts';
import type { AccountActivity } from '../../forecast/types.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { TurnQueue } from '../../runtime/turn-queue.ts';
import type { BoardReader } from '../../state/board.ts';
import type { Change } from '../../state/changes.ts';
import type { AccountSnapshot, EventState, JointFinals, PublishedForecast } from '../../state/snapshot.ts';
import type { Store } from '../../store/ports.ts';
import { createJob, type Job } from '../job.ts';
import { draftForecast } from '../sealing/log-drafts.ts';
import { createContractReader } from './contract-inputs.ts';
import type { AccountAnswer, EventTask } from './forecast-engine.ts';
import {
  createForecastArchive,
  listMarketPrices,
  type ModelIdentity,
  toForecastRecord,
} from './forecast-record.ts';
import type { ForecastRunner } from './forecast-runner.ts';
import { toTask } from './forecast-task.ts';
import { createPostFollower } from './post-follower.ts';

export interface Publication {
  forecasts: readonly PublishedForecast[];
  activity: AccountActivity;
  jointFinals?: JointFinals | null;
  countedKinds?: KindLesson;
}

export interface PublisherOptions {
  accountId: AccountId;
  parameters: AccountParameters;
  board: BoardReader;
  store: Pick<Store, 'posts' | 'oraclePosts' | 'forecasts' | 'events' | 'settlements'>;
  runner: ForecastRunner;
  fitQueue?: TurnQueue;
  clock: Clock;
  logger: Logger;
  identity: ModelIdentity;
  /** Whether the account's backfill is complete; true by default. */
  isPastIn?: (accountId: AccountId) => boolean;
  /** How many times faster than real time `clock` runs; computation still takes real time. */
  timeScale?: number;
  onPublished: (accountId: AccountId, publication: Publication) => Promise<void>;
}

const REFRESH_MS = MINUTE_MS;
/** Merges a burst of changes into one publication. */
const MIN_GAP_MS = 100;
/** During backfill every page changes the whole history, so forecasts are published less often. */
const RELOADED_GAP_MS = 1_500;

export function createForecastPublisher(options: PublisherOptions): Job {
  const { accountId, board, store, runner, clock, identity, isPastIn = () => true } = options;
  const timeScale = options.timeScale ?? 1;
  const refreshMs = Math.max(REFRESH_MS, 1_000 * timeScale);
  const follower = createPostFollower({ ...options, posts: store.posts });
  const archive = createForecastArchive();
  const contracts = createContractReader({
    accountId,
    store,
    oraclePlatform: options.parameters.oraclePlatform ?? null,
  });
  const inputs = new Map<number, string>();
  let refreshedTs = Number.NEGATIVE_INFINITY;
  let gapMs = MIN_GAP_MS;
  let stopListening = () => {};

  async function run(): Promise<void> {
    gapMs = MIN_GAP_MS;
    const caughtUp = await follower.catchUp();
    if (!caughtUp) return;
    const { snapshot, hasNews, isReloaded } = caughtUp;
    const asofTs = clock.now();
    const active = snapshot.events.filter((state) => canBeForecast(state, snapshot, asofTs));
    const isRefresh = hasNews || asofTs - refreshedTs >= refreshMs;
    const due = isRefresh
      ? active
      : active.filter((state) => inputs.get(state.event.eventId) !== describeInputs(state));
    if (due.length === 0 && !isRefresh) return;
    const tasks = await describeTasks(due, snapshot, asofTs);
    const answer = await ask(tasks, asofTs);
    const rule = snapshot.terms?.countingRule;
    const isLearning = rule && !snapshot.isPastMissing;
    const countedKinds = isLearning && (await contracts.readKinds(rule, asofTs));
    await options.onPublished(accountId, {
      ...toPublication(answer, isRefresh, identity),
      ...(countedKinds && countedKinds !== snapshot.countedKinds && { countedKinds }),
    });
    for (const state of due) inputs.set(state.event.eventId, describeInputs(state));
    if (isRefresh) refreshedTs = asofTs;
    if (isReloaded && due.length > 0) gapMs = RELOADED_GAP_MS;
    await keep(due, answer, snapshot);
  }

  async function describeTasks(
    due: readonly EventState[],
    snapshot: AccountSnapshot,
    asofTs: number,
  ): Promise<EventTask[]> {
    const tasks: EventTask[] = [];
    const rule = snapshot.terms?.countingRule;
    // An incomplete history would look like posts that the oracle counts and we do not.
    const disputed = rule && !snapshot.isPastMissing && (await contracts.readDisputed(rule, asofTs));
    for (const state of due) {
      const read = rule && (await contracts.read(state.event, rule, asofTs));
      const contract = read && !state.event.terms && disputed ? { ...read, disputed } : read;
      const wantsBaselines = archive.wantsBaselines(state.event.window, asofTs);
      tasks.push(toTask(state, snapshot, asofTs, wantsBaselines, contract));
    }
    return tasks;
  }

  async function ask(tasks: readonly EventTask[], asofTs: number): Promise<AccountAnswer> {
    try {
      return await runner.forecast(accountId, tasks, asofTs);
    } catch (error) {
      follower.forget();
      throw error;
    }
  }

  async function keep(
    due: readonly EventState[],
    answer: AccountAnswer,
    snapshot: AccountSnapshot,
  ): Promise<void> {
    // Forecasts based on an incomplete count are not recorded.
    if (snapshot.isPastMissing || !isPastIn(accountId)) return;
    const records = due.flatMap(({ event }, i) => {
      const reported = answer.events[i];
      return reported && archive.take(event.eventId, event.window, reported.asofTs)
        ? [toForecastRecord(accountId, reported, listMarketPrices(event, snapshot.quotes), identity)]
        : [];
    });
    const origin = { recordedTs: clock.now(), isRecomputed: false };
    const log = records.map((record) => draftForecast(record, origin));
    if (records.length > 0) await store.forecasts.record(records, log);
  }

  const job = createJob({
    ...options,
    name: `forecasts for ${accountId}`,
    periodMs: refreshMs,
    leastGapMs: () => gapMs * timeScale,
    run,
  });
  return {
    ...job,
    start() {
      stopListening = board.listen(({ changes }) => {
        if (changes.some(({ kind }) => DECISIVE.has(kind))) job.wake();
      }, accountId);
      job.start();
    },
    async stop() {
      stopListening();
      await job.stop();
    },
  };
}

/** Excludes contracts that count posts the account's rule does not: the model has not seen those posts. */
function canBeForecast({ event, counters }: EventState, { terms }: AccountSnapshot, asofTs: number): boolean {
  if (!isActiveAt(event.window, asofTs) || counters.real === null) return false;
  return !event.terms || !terms || isNarrower(event.terms.countingRule, terms.countingRule);
}

/** What forecasts follow from; prices and freshness change none. */
const DECISIVE: ReadonlySet<Change['kind']> = new Set(['replaced', 'begun', 'posts', 'count', 'listed']);

function describeInputs({ event, counters }: EventState): string {
  const labels = event.buckets.map((bucket) => bucket.label).join();
  return `${counters.real} ${counters.oracle} ${event.window.startTs} ${event.window.endTs} ${labels}`;
}

function toPublication(answer: AccountAnswer, isRefresh: boolean, identity: ModelIdentity): Publication {
  const eventIds = answer.events.map((event) => event.eventId);
  const joint = answer.jointFinals ? { eventIds, finals: answer.jointFinals } : null;
  return {
    // Drops the distribution: it makes up most of the bytes, and only the store needs it.
    forecasts: answer.events.map(
      ({ baselines: _, distribution: _distribution, distributionFrom: _from, ...forecast }) => ({
        ...forecast,
        ...identity,
      }),
    ),
    activity: answer.activity,
    // All events must share the same paths, so paths for a subset do not replace them.
    ...(isRefresh && { jointFinals: joint }),
  };
}
