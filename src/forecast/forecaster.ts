// Forecasts one account: ingests posts, refits at fixed anchors, and forecasts any window. The result is a
// pure function of the posts up to asofTs, the window and the seed.

import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import { dealInOrder, orderByEnd } from './distribution/coherence.ts';
import { thinDistribution } from './distribution/deletions.ts';
import { certainDistribution, percentile, shiftDistribution } from './distribution/distribution.ts';
import { settleDistribution } from './distribution/settlement-risk.ts';
import { createAccountMemory } from './model/account-memory.ts';
import {
  cutPathTimes,
  drawPathUniforms,
  shareEvenly,
  shareLoads,
  summarisePaths,
} from './model/count-path.ts';
import type { FittedModel } from './model/fitted-model.ts';
import { rankOntoDistribution, rememberLuck } from './model/joint-simulation.ts';
import { createRatePaths, type RatePaths } from './model/rate-paths.ts';
import {
  type ComingCount,
  foreseeComing,
  guessComing,
  type MemberDistributions,
  memberDistributions,
} from './model/remaining-count.ts';
import { SHARED_KNOWLEDGE, type SharedKnowledge } from './model/shared-coefficients.ts';
import { shareCommonNormals } from './model/state-simulation.ts';
import { type AccountParameters, MODEL_VERSION } from './parameters.ts';
import { estimateSleepProbability } from './rate/sleep-state.ts';
import { bridgeGap } from './scenario.ts';
import { getMarketZone } from './time/market-zone.ts';
import type { Timeline } from './time/timeline.ts';
import type {
  AccountActivity,
  CountDistribution,
  CountPath,
  EventForecast,
  ForecastRequest,
  PostHistory,
} from './types.ts';

const PATHS = 1024;
/** Uses fewer simulated futures for the count path, because its percentiles are for display only. */
const WAY_PATHS = 512;
/** Below this much history or this many posts, habits cannot be learned. */
const MIN_AGE_MS = DAY_MS;
const MIN_POSTS = 8;

export interface Forecaster {
  readonly modelVersion: string;
  readonly timeline: Timeline;
  observe(createdTs: number, isCounted: boolean): void;
  /** Fits to the posts up to the last anchor before asofTs, unless already done. */
  refit(asofTs: number): FittedModel;
  forecast(request: ForecastRequest): EventForecast;
  /** Forecasts several windows consistently: one that ends later has at least as many remaining posts. */
  forecastAll(requests: readonly ForecastRequest[]): EventForecast[];
  /** Distributions of the remaining count, by pool member. */
  memberDistributions(request: ForecastRequest): MemberDistributions;
  activity(asofTs: number): AccountActivity;
  /** Running-count percentiles up to a forecast's final distribution; null once the window has ended. */
  followPath(request: ForecastRequest, forecast: EventForecast): CountPath | null;
  /**
   * Returns one array of finals per request; entry p of each array belongs to the same simulated future.
   * Existing forecasts of the same requests are reused.
   */
  simulateJointFinals(
    requests: readonly ForecastRequest[],
    paths: number,
    made?: readonly Pick<EventForecast, 'distribution'>[],
  ): Int32Array[];
}

interface Draws {
  paths: RatePaths;
  uniforms: Float64Array;
  luckOf: (paths: number) => Float64Array;
}

let shared: { seed: number; draws: Draws } | null = null;

/**
 * Depends on the seed alone, so all forecasters of a thread share it; a megabyte for each account otherwise. The
 * rates of one account replace those of the one before, which are computed again for its next forecast.
 */
function shareDraws(seed: number): Draws {
  if (shared?.seed !== seed) {
    const paths = createRatePaths(shareCommonNormals(seed, PATHS));
    const draws = { paths, uniforms: drawPathUniforms(seed, WAY_PATHS), luckOf: rememberLuck(seed) };
    shared = { seed, draws };
  }
  return shared.draws;
}

export function createForecaster(
  history: PostHistory,
  parameters: AccountParameters,
  seed: number,
  knowledge: SharedKnowledge = SHARED_KNOWLEDGE,
): Forecaster {
  const zone = getMarketZone(parameters.marketTimeZone);
  const { paths, uniforms, luckOf } = shareDraws(seed);
  const memory = createAccountMemory(history, parameters, zone, paths, knowledge);
  const { timeline, observe, refit } = memory;

  function isTooNew(asofTs: number): boolean {
    const isYoung = asofTs - timeline.firstTs < MIN_AGE_MS;
    return timeline.all.length === 0 || isYoung || timeline.counted.countUpTo(asofTs) < MIN_POSTS;
  }

  function foresee(request: ForecastRequest): ComingCount {
    if (!hasTimeLeft(request)) return { coming: certainDistribution(0), modelSd: 0 };
    if (isTooNew(request.asofTs)) return guessComing(timeline, request, parameters.initialPostsPerDay);
    return foreseeComing(memory, request);
  }

  function forecastAll(asked: readonly ForecastRequest[]): EventForecast[] {
    const requests = asked.map(bridgeGap);
    const foreseen = requests.map(foresee);
    const ordered = orderBegun(requests, foreseen);
    return requests.map((request, i) => finish(request, asked[i]!.asofTs, ordered[i]!, foreseen[i]!.modelSd));
  }

  const forecast = (request: ForecastRequest) => forecastAll([request])[0]!;

  function activity(asofTs: number): AccountActivity {
    const habits = timeline.all.length > 0 ? refit(asofTs).sleep : undefined;
    return {
      asofTs,
      sleepProbability: habits
        ? estimateSleepProbability(timeline.all, asofTs, habits, zone)
        : parameters.sleepPrior,
      velocityCounted1h: timeline.counted.countSince(asofTs - HOUR_MS, asofTs),
      velocityAll1h: timeline.all.countSince(asofTs - HOUR_MS, asofTs),
    };
  }

  /** All futures are equal for an ended window and for an account without habits. */
  function loadsOf(request: ForecastRequest): Float64Array {
    if (!hasTimeLeft(request) || isTooNew(request.asofTs)) return new Float64Array(PATHS);
    const { outlook, fitted } = memory.look(request);
    return memory.loadsOf(outlook, fitted);
  }

  function simulateJointFinals(
    requests: readonly ForecastRequest[],
    futures: number,
    made?: readonly Pick<EventForecast, 'distribution'>[],
  ): Int32Array[] {
    const luck = luckOf(futures);
    const finals = requests.map(bridgeGap).map((request, i) => {
      const { distribution } = made?.[i] ?? forecast(request);
      return rankOntoDistribution(loadsOf(request), distribution, luck);
    });
    return alignNested(requests, finals);
  }

  function followPath(
    asked: ForecastRequest,
    { distribution, p5, p50, p95 }: EventForecast,
  ): CountPath | null {
    const request = bridgeGap(asked);
    const { asofTs, window, oracle } = request;
    // With deletions the count may fall, so monotone percentiles do not apply.
    if (request.thinning) return null;
    const times = cutPathTimes(Math.max(asked.asofTs, asked.window.startTs), window.endTs);
    if (times.length === 0) return null;
    const fromTs = Math.max(asofTs, window.startTs);
    const loads = new Float64Array(PATHS).fill(1);
    const seen = isTooNew(asofTs) ? undefined : memory.look(request);
    const shares = seen
      ? shareLoads(seen.outlook, seen.fitted.core, seen.fitted.exposure, paths, times, loads)
      : shareEvenly(times, fromTs, PATHS);
    const finals = rankOntoDistribution(loads, distribution, luckOf(WAY_PATHS));
    const countSoFar = Math.max(request.countSoFar, oracle?.count ?? 0);
    return summarisePaths({ times, shares, finals, countSoFar, ends: { p5, p50, p95 }, uniforms });
  }

  return {
    modelVersion: MODEL_VERSION,
    timeline,
    observe,
    refit,
    forecast,
    forecastAll,
    memberDistributions: (request) => memberDistributions(memory, request),
    activity,
    followPath,
    simulateJointFinals,
  };
}

function finish(
  { countSoFar, oracle, thinning }: ForecastRequest,
  asofTs: number,
  coming: CountDistribution,
  modelSd: number,
): EventForecast {
  const distribution = thinning
    ? thinDistribution(coming, thinning)
    : settleDistribution(shiftDistribution(keepCounted(coming, oracle), countSoFar), countSoFar, oracle);
  return {
    asofTs,
    countSoFar,
    distribution,
    p5: percentile(distribution, 0.05),
    p50: percentile(distribution, 0.5),
    p95: percentile(distribution, 0.95),
    modelSd,
  };
}

/** Of the coming posts that our rule counts, those that the oracle will count. */
function keepCounted(coming: CountDistribution, oracle: ForecastRequest['oracle']): CountDistribution {
  const { comingKept = 1 } = oracle?.contested ?? {};
  return comingKept < 1 ? thinDistribution(coming, { comingKept, standing: [] }) : coming;
}

/** An assumed silence delays the start of the window, possibly past its end. */
function hasTimeLeft({ asofTs, window }: ForecastRequest): boolean {
  return Math.max(asofTs, window.startTs) < window.endTs;
}

/** Running windows share their future; a window that starts later is left unchanged. */
function orderBegun(
  requests: readonly ForecastRequest[],
  foreseen: readonly ComingCount[],
): CountDistribution[] {
  const ordered = foreseen.map(({ coming }) => coming);
  for (const group of groupBegun(requests, () => '')) {
    const counts = group.map((i) => ({ endTs: requests[i]!.window.endTs, coming: ordered[i]! }));
    for (const [at, coming] of orderByEnd(counts).entries()) ordered[group[at]!] = coming;
  }
  return ordered;
}

/** Ensures that in every future the longer of two nested windows has at least as many remaining posts. */
function alignNested(requests: readonly ForecastRequest[], finals: readonly Int32Array[]): Int32Array[] {
  const aligned = [...finals];
  for (const group of groupBegun(requests, ({ thinning }) => (thinning ? 'thinned' : 'whole'))) {
    const byEnd = group.toSorted(
      (left, right) => requests[left]!.window.endTs - requests[right]!.window.endTs,
    );
    for (const [at, i] of byEnd.entries()) {
      const before = at === 0 ? null : byEnd[at - 1]!;
      if (before === null) continue;
      const shift = requests[i]!.countSoFar - requests[before]!.countSoFar;
      aligned[i] = dealInOrder(
        aligned[before]!.map((count) => count + shift),
        aligned[i]!,
      );
    }
  }
  return aligned;
}

/** Groups the indexes of running requests by time, scenario and `traitOf`. */
function groupBegun(
  requests: readonly ForecastRequest[],
  traitOf: (request: ForecastRequest) => string,
): number[][] {
  const groups = new Map<string, number[]>();
  for (const [i, request] of requests.entries()) {
    if (request.window.startTs > request.asofTs) continue;
    const { asofTs, paceFactor = 1, paceSpread = 0 } = request;
    const key = [asofTs, paceFactor, paceSpread, traitOf(request)].join();
    groups.set(key, [...(groups.get(key) ?? []), i]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}
