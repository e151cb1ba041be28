// The ledger of what would have been advised in past events, at the horizons at which signals are recorded.

import type { Account, AccountId } from '../../domain/account.ts';
import { listHorizons } from '../../domain/scored-horizons.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { disagreement, UNKNOWN_MODEL_SD } from '../../forecast/model/remaining-count.ts';
import { MEMBERS } from '../../forecast/model/shared-coefficients.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import type { ForecastRecord, ForecastScore, Store } from '../../store/ports.ts';
import { ledgerName, type PastMoment, type RecomputedLedger } from '../../trade/backtest/past-advice.ts';
import { choosePrior } from '../../trade/edges/prior-evidence.ts';
import { getSizingRules } from '../../trade/sizing/sizing-rules.ts';
import type { ModelIdentity } from '../forecasting/forecast-record.ts';
import type { ForecastRunner } from '../forecasting/forecast-runner.ts';
import { createJob, type Job } from '../job.ts';

export interface RecomputeAdviceOptions {
  accounts: readonly Pick<Account, 'accountId' | 'allowsSell'>[];
  store: Pick<Store, 'scores' | 'forecasts' | 'events' | 'cursors'>;
  identity: ModelIdentity;
  clock: Clock;
  logger: Logger;
  /** Creates a separate worker, because sizing takes seconds. */
  createRunner: () => Pick<ForecastRunner, 'adviseOnPast' | 'close'>;
}

const PERIOD_MS = HOUR_MS;
/** Past events are scored over minutes; each round starts from the beginning, so rounds are few. */
const MIN_GAP_MS = MINUTE_MS;
/** Another build may size differently. */
type KeptLedger = RecomputedLedger & { build?: string };

const EVENTS_AT_ONCE = 20;
/** As `backtest --prices` assumes. */
const HALF_SPREAD = 0.01;

export function createAdviceRecomputation(options: RecomputeAdviceOptions): Job {
  const { accounts, store } = options;
  const build = options.identity.buildCommit;
  const done = new Map<string, number>();
  const seen = new Map<string, string>();
  let current: Pick<ForecastRunner, 'close'> | null = null;
  let isStopped = false;

  async function run(): Promise<void> {
    for (const account of accounts) {
      if (isStopped) return;
      const { accountId } = account;
      const scored = await store.scores.listVersions(accountId);
      const versions = JSON.stringify(scored);
      if (versions === seen.get(accountId)) continue;
      const events = await listPriced(scored.map(({ eventId }) => eventId));
      if (events.size !== (done.get(accountId) ?? (await countKept(accountId))))
        await recompute(account, events);
      done.set(accountId, events.size);
      seen.set(accountId, versions);
    }
  }

  /** Events in the ledger that this build has kept before. */
  async function countKept(accountId: AccountId): Promise<number> {
    const text = await store.cursors.find(ledgerName(accountId));
    const kept: KeptLedger = text === undefined ? { events: 0, bets: [] } : JSON.parse(text);
    return kept.build === build ? kept.events : 0;
  }

  /** One score with prices per event; all scores together take tens of megabytes. */
  async function listPriced(eventIds: readonly number[]): Promise<Map<number, ForecastScore>> {
    const priced = new Map<number, ForecastScore>();
    for (let from = 0; from < eventIds.length; from += EVENTS_AT_ONCE) {
      const scores = await store.scores.list({ eventIds: eventIds.slice(from, from + EVENTS_AT_ONCE) });
      for (const score of scores) if (isPriced(score)) priced.set(score.eventId, score);
    }
    return priced;
  }

  async function recompute(
    account: RecomputeAdviceOptions['accounts'][number],
    events: ReadonlyMap<number, ForecastScore>,
  ): Promise<void> {
    const moments: PastMoment[] = [];
    for (const score of events.values()) moments.push(...(await readMoments(store, score)));
    moments.sort((left, right) => left.ts - right.ts);
    const rules = getSizingRules(account);
    const prior = choosePrior(moments.map(({ window }) => window.endTs));
    if (isStopped) return;
    const runner = options.createRunner();
    current = runner;
    const made = await runner
      .adviseOnPast(moments, { rules, prior, halfSpread: HALF_SPREAD })
      .finally(() => runner.close());
    // Whether a whole set was cheap depends on the asks of that time, which the venue does not keep.
    const bets = made.filter(({ edgeKind }) => edgeKind !== 'structure');
    const kept: KeptLedger = { events: events.size, bets, build };
    await store.cursors.put(ledgerName(account.accountId), JSON.stringify(kept));
  }

  async function runUnlessStopped(): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!isStopped) throw error;
    }
  }

  const job = createJob({
    ...options,
    name: 'recomputed advice',
    periodMs: PERIOD_MS,
    leastGapMs: MIN_GAP_MS,
    run: runUnlessStopped,
  });
  return {
    ...job,
    /** Drops the current work, because the next leader starts only afterwards. */
    async stop() {
      isStopped = true;
      await current?.close();
      await job.stop();
    },
  };
}

function isPriced({ buckets }: ForecastScore): boolean {
  return buckets.some(({ marketPrice }) => marketPrice !== null);
}

async function readMoments(
  { events, forecasts }: Pick<Store, 'events' | 'forecasts'>,
  { eventId, buckets: settled, finalCount }: ForecastScore,
): Promise<PastMoment[]> {
  const event = await events.find(eventId);
  const winner = settled.findIndex(({ won }) => won);
  if (!event || event.terms || winner < 0) return [];
  const { window, buckets } = event;
  const moments: PastMoment[] = [];
  for (const { ts, horizonH } of listHorizons(window)) {
    const point = await forecasts.standingAt(eventId, ts);
    await takeBackgroundTurn();
    if (point?.asofTs !== ts || point.bucketProbabilities.length !== buckets.length) continue;
    moments.push({
      ...{ eventId, window, ts, horizonH, buckets, winner },
      model: point.bucketProbabilities,
      prices: point.marketPrices,
      fee: buckets[0]!.fee,
      countSoFar: point.countSoFar,
      p50: point.p50,
      modelSd: readModelSd(point),
      finalCount,
    });
  }
  return moments;
}

/** As the forecaster computes it, from the members stored with a forecast at a scored horizon. */
function readModelSd({ baselines, p50 }: ForecastRecord): number {
  const members = MEMBERS.flatMap((name) => baselines?.[name] ?? []).map(
    ({ distributionFrom, distribution }) => ({
      from: distributionFrom,
      pmf: Float64Array.from(distribution),
    }),
  );
  return members.length < 2 ? UNKNOWN_MODEL_SD : disagreement(members, p50);
}
