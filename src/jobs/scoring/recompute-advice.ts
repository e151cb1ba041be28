// The ledger of what would have been advised in past events, at the horizons at which signals are recorded.

import type { Account } from '../../domain/account.ts';
import { listHorizons } from '../../domain/scored-horizons.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createCourtesy, type Traffic } from '../../runtime/courtesy.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { ForecastPoint, ForecastScore, Store } from '../../store/ports.ts';
import {
  adviseOnPast,
  ledgerName,
  type PastMoment,
  type RecomputedBet,
} from '../../trade/backtest/past-advice.ts';
import { PRIOR_EVIDENCE } from '../../trade/edges/prior-evidence.ts';
import { getSizingRules } from '../../trade/sizing/sizing-rules.ts';
import { createJob, type Job } from '../job.ts';

export interface RecomputeAdviceOptions {
  accounts: readonly Pick<Account, 'accountId' | 'allowsSell'>[];
  store: Pick<Store, 'scores' | 'forecasts' | 'events' | 'cursors'>;
  clock: Clock;
  logger: Logger;
  traffic?: Traffic | undefined;
}

/** Past events are scored over minutes; each round starts from the beginning, so rounds are few. */
const PERIOD_MS = MINUTE_MS;
/** As `backtest --prices` assumes. */
const HALF_SPREAD = 0.01;
/** Width of a 90 % interval in standard deviations. */
const NORMAL_90 = 3.29;

export function createAdviceRecomputation(options: RecomputeAdviceOptions): Job {
  const { accounts, store } = options;
  const done = new Map<string, number>();

  async function run(): Promise<void> {
    for (const account of accounts) {
      const scores = (await store.scores.list({ accountId: account.accountId })).filter(isPriced);
      const events = Map.groupBy(scores, ({ eventId }) => eventId);
      if (events.size === (done.get(account.accountId) ?? 0)) continue;
      await recompute(account, events);
      done.set(account.accountId, events.size);
    }
  }

  async function recompute(
    account: RecomputeAdviceOptions['accounts'][number],
    events: ReadonlyMap<number, readonly ForecastScore[]>,
  ): Promise<void> {
    const giveWay = createCourtesy({ traffic: options.traffic, beginsAfterMs: 0 });
    const moments: PastMoment[] = [];
    for (const [eventId, scores] of events) {
      moments.push(...(await readMoments(store, eventId, scores)));
      await giveWay();
    }
    moments.sort((left, right) => left.ts - right.ts);
    const bets: RecomputedBet[] = [];
    const rules = getSizingRules(account);
    for (const made of adviseOnPast(moments, { rules, prior: PRIOR_EVIDENCE, halfSpread: HALF_SPREAD })) {
      bets.push(...made);
      await giveWay();
    }
    await store.cursors.put(ledgerName(account.accountId), JSON.stringify({ events: events.size, bets }));
  }

  return createJob({ ...options, name: 'recomputed advice', periodMs: PERIOD_MS, run });
}

function isPriced({ buckets }: ForecastScore): boolean {
  return buckets.some(({ marketPrice }) => marketPrice !== null);
}

async function readMoments(
  { events, forecasts }: Pick<Store, 'events' | 'forecasts'>,
  eventId: number,
  scores: readonly ForecastScore[],
): Promise<PastMoment[]> {
  const event = await events.find(eventId);
  const winner = scores[0]!.buckets.findIndex(({ won }) => won);
  if (!event || event.terms || winner < 0) return [];
  const { window, buckets } = event;
  const moments: PastMoment[] = [];
  for (const { ts, horizonH } of listHorizons(window)) {
    const point = await findPoint(forecasts, eventId, ts);
    if (!point || point.bucketProbabilities.length !== buckets.length) continue;
    moments.push({
      ...{ eventId, window, ts, horizonH, buckets, winner },
      model: point.bucketProbabilities,
      prices: point.marketPrices,
      fee: buckets[0]!.fee,
      countSoFar: point.countSoFar,
      p50: point.p50,
      modelSd: (point.p95 - point.p5) / NORMAL_90,
      finalCount: scores[0]!.finalCount,
    });
  }
  return moments;
}

async function findPoint(
  forecasts: Store['forecasts'],
  eventId: number,
  ts: number,
): Promise<ForecastPoint | undefined> {
  const range = { fromTs: ts, untilTs: ts + 1, limit: 1, isHourly: false };
  return (await forecasts.listPoints(eventId, range))[0];
}
