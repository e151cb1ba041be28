// All accounts' forecasters behind an interface of plain data, so that they can run in a worker.

import type { AccountId } from '../../domain/account.ts';
import type { BucketRange, CountWindow } from '../../domain/market-event.ts';
import { SCORED_HORIZONS_H } from '../../domain/scored-horizons.ts';
import { FORECAST_SEED, walkForward } from '../../forecast/backtest/walk-forward.ts';
import { percentile, shiftDistribution } from '../../forecast/distribution/distribution.ts';
import { describePaidBuckets } from '../../forecast/distribution/settlement-risk.ts';
import { createForecaster, type Forecaster } from '../../forecast/forecaster.ts';
import { BASELINES, Baselines } from '../../forecast/model/baselines.ts';
import { MEMBERS } from '../../forecast/model/shared-coefficients.ts';
import type { AccountParameters } from '../../forecast/parameters.ts';
import { imagine } from '../../forecast/scenario.ts';
import type { CountDistribution, EventForecast, ForecastRequest, PostHistory } from '../../forecast/types.ts';
import type { PaperBet } from '../../trade/backtest/paper-book.ts';
import { adviseOnPast, type PastAdvicePlan, type PastMoment } from '../../trade/backtest/past-advice.ts';
import {
  answerWhatIf,
  type ImaginedEvent,
  type PricedSnapshot,
  type WhatIfAnswer,
  type WhatIfQuestion,
} from './answer-what-if.ts';
import type { AccountAnswer, BaselineDistribution, EventAnswer, EventTask } from './forecast-messages.ts';

export type { AccountAnswer, BaselineDistribution, EventAnswer, EventTask } from './forecast-messages.ts';

/** A past event to forecast from the data available at the time. */
export interface PastTask {
  eventId: number;
  window: CountWindow;
  ranges: readonly BucketRange[];
  /** Times to forecast at. */
  momentsTs: readonly number[];
}

export type PastAnswer = EventAnswer;

export interface ForecastEngine {
  load(accountId: AccountId, history: PostHistory, parameters: AccountParameters): void;
  observe(accountId: AccountId, posts: readonly { createdTs: number; isCounted: boolean }[]): void;
  forecast(accountId: AccountId, tasks: readonly EventTask[], asofTs: number): AccountAnswer;
  /** Frees the account's history. */
  forget(accountId: AccountId): void;
  /** One event's ladder under a scenario. */
  whatIf(accountId: AccountId, question: WhatIfQuestion): WhatIfAnswer;
  /** Starts forecasting past events from the data available at the time, one event per request. */
  beginWalk(history: PostHistory, parameters: AccountParameters, tasks: readonly PastTask[]): void;
  /** All forecasts for the next event, in order of window end; null after the last event. */
  walkOn(): PastAnswer[] | null;
  /** What would have been advised at these moments, in ascending order. */
  adviseOnPast(moments: readonly PastMoment[], plan: PastAdvicePlan): PaperBet[];
}

export function createForecastEngine(): ForecastEngine {
  const models = new Map<AccountId, { forecaster: Forecaster; baselines: Baselines }>();
  /** Snapshot from each account's last what-if request. */
  const snapshots = new Map<AccountId, PricedSnapshot>();
  let walk: Iterator<PastAnswer[]> | null = null;

  function getModel(accountId: AccountId) {
    const model = models.get(accountId);
    if (!model) throw new Error(`no history has been loaded for account ${accountId}`);
    return model;
  }

  return {
    load(accountId, history, parameters) {
      const forecaster = createForecaster(history, parameters, FORECAST_SEED);
      const baselines = new Baselines(forecaster.timeline.counted, history.createdTs[0] ?? 0);
      models.set(accountId, { forecaster, baselines });
    },
    forget(accountId) {
      models.delete(accountId);
      snapshots.delete(accountId);
    },
    observe(accountId, posts) {
      const { forecaster } = getModel(accountId);
      for (const { createdTs, isCounted } of posts) forecaster.observe(createdTs, isCounted);
    },
    forecast(accountId, tasks, asofTs) {
      const { forecaster, baselines } = getModel(accountId);
      const asked = tasks.map((task) => ({ task, request: toRequest(task, asofTs) }));
      const requests = asked.map(({ request }) => request);
      const made = forecaster.forecastAll(requests);
      return {
        events: asked.map(({ task, request }, i) => {
          const forecast = made[i]!;
          return {
            ...describe(task, forecast),
            path: forecaster.followPath(request, forecast),
            baselines: task.wantsBaselines ? askBaselines(forecaster, baselines, request) : null,
          };
        }),
        activity: forecaster.activity(Math.min(asofTs, tasks[0]?.seenUntilTs ?? asofTs)),
        jointFinals: tasks.length < 2 ? null : simulateFinals(forecaster, requests, made),
      };
    },
    whatIf(accountId, question) {
      const snapshot = question.snapshot ?? snapshots.get(accountId);
      if (!snapshot) throw new Error(`no snapshot received for account ${accountId}`);
      snapshots.set(accountId, snapshot);
      return answerWhatIf(question, snapshot, (tasks, scenario, asofTs) => {
        const { forecaster } = getModel(accountId);
        const requests = tasks.map((task) => imagine(toRequest(task, asofTs), scenario));
        const made = forecaster.forecastAll(requests);
        return {
          events: tasks.map((task, i) => imagineEvent(task, made[i]!)),
          jointFinals: tasks.length < 2 ? null : simulateFinals(forecaster, requests, made),
        };
      });
    },
    beginWalk(...plan) {
      walk = walkBack(...plan);
    },
    walkOn() {
      if (!walk) throw new Error('past-event walk not started');
      const { value, done } = walk.next();
      return done ? null : value;
    },
    adviseOnPast: (moments, plan) => [...adviseOnPast(moments, plan)].flat(),
  };
}

function toRequest(
  { window, countSoFar, oracle, seenUntilTs, contract }: EventTask,
  asofTs: number,
): ForecastRequest {
  return {
    window,
    asofTs,
    countSoFar,
    ...(oracle && { oracle }),
    ...(contract?.thinning && { thinning: contract.thinning }),
    ...(seenUntilTs !== undefined && { seenUntilTs }),
  };
}

/** Enough for bucket probabilities within a few percent; sizing then reweights the paths to match exactly. */
const JOINT_PATHS = 512;

function simulateFinals(
  forecaster: Forecaster,
  requests: readonly ForecastRequest[],
  made: readonly EventForecast[],
): number[][] {
  return forecaster.simulateJointFinals(requests, JOINT_PATHS, made).map((finals) => Array.from(finals));
}

type RequestedEvent = Pick<EventTask, 'eventId' | 'ranges' | 'contract' | 'oracle'>;

function imagineEvent(task: RequestedEvent, forecast: EventForecast): ImaginedEvent {
  const { eventId, ranges, contract, oracle } = task;
  const { asofTs, countSoFar, distribution, p5, p50, p95, modelSd } = forecast;
  const changeRate = contract?.changeRate ?? 0;
  const mayFall = contract?.thinning !== undefined;
  const paid = describePaidBuckets(distribution, ranges, p50, { countSoFar, oracle, changeRate, mayFall });
  return {
    eventId,
    asofTs,
    countSoFar,
    p5,
    p50,
    p95,
    bucketProbabilities: paid.bucketProbabilities,
    modelSd,
    ...(contract && { contract, settlementRisk: paid.settlementRisk }),
    path: null,
  };
}

function describe(task: RequestedEvent, forecast: EventForecast): EventAnswer {
  const { from, pmf } = forecast.distribution;
  return {
    ...imagineEvent(task, forecast),
    distributionFrom: from,
    distribution: pmf.slice(),
    baselines: null,
  };
}

function askBaselines(
  forecaster: Forecaster,
  baselines: Baselines,
  request: ForecastRequest,
): Record<string, BaselineDistribution> {
  const remaining: Record<string, CountDistribution> = {
    ...baselines.distributions(request, forecaster.refit(request.asofTs).exposure),
    ...forecaster.memberDistributions(request),
  };
  return toBaselineDistributions(
    Object.fromEntries(
      Object.entries(remaining).map(([name, coming]) => [
        name,
        shiftDistribution(coming, request.countSoFar),
      ]),
    ),
  );
}

/** Baselines and pool members, scored alongside the model when the event settles. */
const RIVALS = [...BASELINES, ...MEMBERS];

function toBaselineDistributions(
  distributions: Record<string, CountDistribution>,
): Record<string, BaselineDistribution> {
  return Object.fromEntries(
    RIVALS.flatMap((name) => {
      const distribution = distributions[name];
      if (!distribution) return [];
      return [
        [
          name,
          {
            p50: percentile(distribution, 0.5),
            distributionFrom: distribution.from,
            distribution: distribution.pmf.slice(),
          },
        ],
      ];
    }),
  );
}

/** Uses only data known at each origin; one pass over the history covers all events. */
function* walkBack(
  history: PostHistory,
  parameters: AccountParameters,
  tasks: readonly PastTask[],
): Generator<PastAnswer[]> {
  const begun = new Map(tasks.map((task) => [task.window, { task, answers: [] as PastAnswer[] }]));
  const windows = [...begun.keys()];
  const leadsHours = (window: CountWindow) => begun.get(window)!.task.momentsTs;
  // Only forecasts that will be scored need baselines.
  const withOthers = (leadHours: number) => SCORED_HORIZONS_H.some((horizonH) => horizonH === leadHours);
  for (const step of walkForward({ history, parameters, windows, leadsHours, withOthers })) {
    const { task, answers } = begun.get(step.window)!;
    answers.push({ ...describe(task, step.forecast), baselines: toBaselineDistributions(step.others) });
    // Only events in progress are held: all of them would take 100 MB.
    if (answers.length === task.momentsTs.length) yield answers.splice(0);
  }
}
