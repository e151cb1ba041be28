// The forecaster of one account: digests posts as they come, refits on fixed anchors, and answers for any window.
// What it says is a pure function of the posts up to asofTs, the window and the seed.

import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import { cdf, certainLaw, mixLaws, percentile, shiftLaw } from './law/law.ts';
import { settleLaw } from './law/settlement-layer.ts';
import { stretchLaw } from './law/stretch.ts';
import { filterCore, initialCore } from './model/core-state.ts';
import { cutPathTimes, drawPathUniforms, summarisePaths } from './model/count-path.ts';
import { STATE_EXPERTS } from './model/experts.ts';
import { type FittedModel, fitModel, learningAnchor } from './model/fitted-model.ts';
import { rankOntoLaws, rememberLuck } from './model/joint-simulation.ts';
import { shareEvenly, shareLoads } from './model/load-shares.ts';
import {
  bankLaws,
  findDayLogRate,
  lawOf,
  type Outlook,
  type Standing,
  sessionMember,
  steadyMember,
  widthAt,
} from './model/members.ts';
import { type MemberLaws, poolLaws, poolWeights, STEADY_LEAVES_HOURS } from './model/pool.ts';
import { cutBlocks, cutComingBlocks, filterTo, meanLogRate } from './model/state-path.ts';
import { mixLoads, shareCommonNormals, simulateLoads } from './model/state-simulation.ts';
import { paceMember, shareOfPace } from './model/young-account.ts';
import { MODEL_VERSION } from './model-version.ts';
import type { AccountParameters } from './parameters.ts';
import { ORIGIN } from './rate/origin-features.ts';
import { estimateSleepProbability } from './rate/sleep-state.ts';
import { bridgeGap } from './time/gap.ts';
import { getMarketZone } from './time/market-zone.ts';
import { createTimeline, type Timeline } from './time/timeline.ts';
import type {
  AccountActivity,
  CountLaw,
  CountPath,
  EventForecast,
  ForecastRequest,
  PostHistory,
} from './types.ts';

const PATHS = 1024;
/** Futures behind the way to the end: its percentiles are read off the page, not bet on. */
const WAY_PATHS = 512;
/** Instants, and windows of them, that are not worked out again. */
const STANDINGS_KEPT = 4;
const SIMULATED_KEPT = 32;
/** The state forgets: older days do not move it. */
const FILTER_DAYS = 250;
/** A normal variable by five points (Gauss-Hermite). */
const PACE_POINTS = [
  { z: -2.857, weight: 0.011_257 },
  { z: -1.3556, weight: 0.222_076 },
  { z: 0, weight: 0.533_333 },
  { z: 1.3556, weight: 0.222_076 },
  { z: 2.857, weight: 0.011_257 },
];
/** Below this age or count an account has no habits to speak of. */
const LEAST_AGE_MS = DAY_MS;
const LEAST_POSTS = 8;

export interface Forecaster {
  readonly modelVersion: string;
  readonly timeline: Timeline;
  observe(createdTs: number, isCounted: boolean): void;
  /** Learns from the posts up to the last anchor before asofTs, unless that has been done. */
  refit(asofTs: number): FittedModel;
  forecast(request: ForecastRequest): EventForecast;
  /** Laws of the count still to come, by member of the pool. */
  memberLaws(request: ForecastRequest): MemberLaws;
  activity(asofTs: number): AccountActivity;
  /** The way to the end of a law that was forecast; null once the window has ended. */
  followPath(request: ForecastRequest, forecast: EventForecast): CountPath | null;
  /**
   * One array of finals per request; entry p of each belongs to the same simulated future. Forecasts of the same requests
   * that were made already spare the making.
   */
  simulateJointFinals(
    requests: readonly ForecastRequest[],
    paths: number,
    made?: readonly Pick<EventForecast, 'law'>[],
  ): Int32Array[];
}

export function createForecaster(
  history: PostHistory,
  parameters: AccountParameters,
  seed: number,
): Forecaster {
  const zone = getMarketZone(parameters.marketTimeZone);
  const timeline = createTimeline(history);
  const normals = shareCommonNormals(seed, PATHS);
  const uniforms = drawPathUniforms(seed, WAY_PATHS);
  const luckOf = rememberLuck(seed);
  let model: FittedModel | undefined;
  /** By instant: events that were not published together are asked about in turn. */
  const standings = new Map<number, Standing>();
  /** By instant and the time they are of: a law and the ranks of its finals ask for the same ones. */
  const simulated = new Map<string, Float64Array>();

  function forgetStandings(): void {
    standings.clear();
    simulated.clear();
  }

  function observe(createdTs: number, isCounted: boolean): void {
    const isEarliest = createdTs < timeline.firstTs || timeline.all.length === 0;
    timeline.all.insert(createdTs);
    if (isCounted) timeline.counted.insert(createdTs);
    forgetStandings();
    // What was learned stands only as long as the past it was learned from.
    if (model && (isEarliest || createdTs <= model.anchorTs)) model = undefined;
    model?.describer.invalidateFrom(createdTs);
  }

  function refit(asofTs: number): FittedModel {
    const anchorTs = learningAnchor(asofTs, timeline.firstTs);
    if (model?.anchorTs !== anchorTs) {
      forgetStandings();
      model = fitModel(timeline, parameters, zone, anchorTs);
    }
    return model;
  }

  /** The account as it stands at asofTs: shared by all its windows. */
  function standing(asofTs: number, fitted: FittedModel): Standing {
    const known = standings.get(asofTs);
    if (known) return known;
    const origin = new Float64Array(ORIGIN.width);
    fitted.describer.describe(asofTs, origin);
    const blocks = cutBlocks(timeline.counted, fitted.exposure, timeline.firstTs, asofTs, FILTER_DAYS);
    const start = initialCore(fitted.core, meanLogRate(blocks));
    const { state: core } = filterCore(blocks.counts, blocks.exposures, fitted.core, start);
    const states = filterTo(blocks, STATE_EXPERTS);
    const dayLogRate = findDayLogRate(fitted, { asofTs, origin, states });
    if (standings.size >= STANDINGS_KEPT) forgetStandings();
    const stands = { asofTs, origin, core, states, dayLogRate };
    standings.set(asofTs, stands);
    return stands;
  }

  function look({ asofTs, window, paceFactor = 1 }: ForecastRequest, fitted: FittedModel): Outlook {
    const fromTs = Math.max(asofTs, window.startTs);
    return { ...standing(asofTs, fitted), fromTs, endTs: window.endTs, paceFactor };
  }

  /** One load per path: which futures are the busy ones. */
  function loadsOf(outlook: Outlook, fitted: FittedModel): Float64Array {
    const loads = simulate(outlook, fitted);
    return outlook.paceFactor === 1 ? loads : loads.map((load) => load * outlook.paceFactor);
  }

  function simulate({ asofTs, fromTs, endTs, core }: Outlook, fitted: FittedModel): Float64Array {
    const key = `${asofTs} ${fromTs} ${endTs}`;
    const before = simulated.get(key);
    if (before) return before;
    const blocks = cutComingBlocks(fitted.exposure, asofTs, fromTs, endTs);
    const loads = simulateLoads(core, fitted.core, blocks, normals);
    if (simulated.size >= SIMULATED_KEPT) simulated.clear();
    simulated.set(key, loads);
    return loads;
  }

  function memberLaws(request: ForecastRequest): MemberLaws {
    const fitted = refit(request.asofTs);
    const outlook = look(request, fitted);
    const { states, rates } = bankLaws(fitted, outlook);
    const session = lawOf(sessionMember(fitted, outlook));
    const core = mixLoads(loadsOf(outlook, fitted));
    return { core, states, rates, session, steady: lawOf(steadyMember(fitted, outlook)) };
  }

  /** Law of the count still to come, and how far its members are apart. */
  function speak(request: ForecastRequest): { coming: CountLaw; modelSd: number } {
    const fitted = refit(request.asofTs);
    const outlook = look(request, fitted);
    const hours = (request.window.endTs - request.asofTs) / HOUR_MS;
    const { stateShare, states, rates } = bankLaws(fitted, outlook);
    const session = lawOf(sessionMember(fitted, outlook));
    // Where the plain rate has no say it need not be asked.
    const steady = hours < STEADY_LEAVES_HOURS ? lawOf(steadyMember(fitted, outlook)) : session;
    const core = mixLoads(loadsOf(outlook, fitted));
    const laws = { core, states, rates, session, steady };
    const pooled = poolLaws(laws, poolWeights(hours, stateShare));
    const coming = temper(request, fitted, stretchLaw(pooled, widthAt(fitted, outlook)));
    return { coming, modelSd: disagreement(Object.values(laws), percentile(coming, 0.5)) };
  }

  /** What is said of a young account, with the plain pace beside it. */
  function temper(request: ForecastRequest, fitted: FittedModel, law: CountLaw): CountLaw {
    const share = shareOfPace(request.asofTs - timeline.firstTs);
    if (share === 0) return law;
    const pace = lawOf(paceMember(timeline, fitted.exposure, request));
    return mixLaws([law, pace], [1 - share, share]);
  }

  /** The pace is mixed over where nobody saw it: its mean stays, the law widens. */
  function speakAtAnyPace(request: ForecastRequest): { coming: CountLaw; modelSd: number } {
    const { paceSpread = 0, paceFactor = 1 } = request;
    if (paceSpread === 0) return speak(request);
    const spoken = PACE_POINTS.map(({ z }) =>
      speak({ ...request, paceFactor: paceFactor * Math.exp(paceSpread * z - paceSpread ** 2 / 2) }),
    );
    const coming = mixLaws(
      spoken.map((one) => one.coming),
      PACE_POINTS.map(({ weight }) => weight),
    );
    return { coming, modelSd: Math.max(...spoken.map((one) => one.modelSd)) };
  }

  /** An account we know next to nothing of: its mean so far, drawn to the prior, and a very wide law. */
  function firstGuess({ asofTs, window, paceFactor = 1 }: ForecastRequest): CountLaw {
    const ageDays = timeline.all.length > 0 ? Math.max(0, asofTs - timeline.firstTs) / DAY_MS : 0;
    const seen = timeline.counted.countUpTo(asofTs);
    const perDay = (seen + 2 * parameters.initialPostsPerDay) / (ageDays + 2);
    const days = (window.endTs - Math.max(asofTs, window.startTs)) / DAY_MS;
    return lawOf({ mean: perDay * days * paceFactor, size: 1.8 });
  }

  function isTooNew(asofTs: number): boolean {
    const isYoung = asofTs - timeline.firstTs < LEAST_AGE_MS;
    return timeline.all.length === 0 || isYoung || timeline.counted.countUpTo(asofTs) < LEAST_POSTS;
  }

  function forecast(asked: ForecastRequest): EventForecast {
    const request = bridgeGap(asked);
    const { asofTs, countSoFar, oracle } = request;
    let coming = certainLaw(0);
    let modelSd = 0;
    if (hasTimeLeft(request) && isTooNew(asofTs)) {
      coming = firstGuess(request);
      modelSd = 0.15;
    } else if (hasTimeLeft(request)) {
      ({ coming, modelSd } = speakAtAnyPace(request));
    }
    const law = settleLaw(shiftLaw(coming, countSoFar), countSoFar, oracle);
    return {
      asofTs: asked.asofTs,
      countSoFar,
      law,
      p5: percentile(law, 0.05),
      p50: percentile(law, 0.5),
      p95: percentile(law, 0.95),
      modelSd,
    };
  }

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

  function simulateJointFinals(
    requests: readonly ForecastRequest[],
    paths: number,
    made?: readonly Pick<EventForecast, 'law'>[],
  ): Int32Array[] {
    const events = requests.map(bridgeGap).map((request, i) => {
      const { law } = made?.[i] ?? forecast(request);
      const isOpen = hasTimeLeft(request) && !isTooNew(request.asofTs);
      const fitted = isOpen ? refit(request.asofTs) : undefined;
      const loads = fitted ? loadsOf(look(request, fitted), fitted) : new Float64Array(PATHS);
      return { loads, law };
    });
    return rankOntoLaws(events, luckOf(paths));
  }

  function followPath(asked: ForecastRequest, { law, p5, p50, p95 }: EventForecast): CountPath | null {
    const request = bridgeGap(asked);
    const { asofTs, window, oracle } = request;
    const times = cutPathTimes(Math.max(asked.asofTs, asked.window.startTs), window.endTs);
    if (times.length === 0) return null;
    const fromTs = Math.max(asofTs, window.startTs);
    const fitted = isTooNew(asofTs) ? undefined : refit(asofTs);
    const loads = new Float64Array(PATHS).fill(1);
    const shares = fitted
      ? shareLoads(look(request, fitted), fitted.core, fitted.exposure, normals, times, loads)
      : shareEvenly(times, fromTs, PATHS);
    const [finals] = rankOntoLaws([{ loads, law }], luckOf(WAY_PATHS));
    const countSoFar = Math.max(request.countSoFar, oracle?.count ?? 0);
    return summarisePaths({ times, shares, finals: finals!, countSoFar, ends: { p5, p50, p95 }, uniforms });
  }

  return {
    modelVersion: MODEL_VERSION,
    timeline,
    observe,
    refit,
    forecast,
    memberLaws,
    activity,
    followPath,
    simulateJointFinals,
  };
}

/** A window may begin later than asked, and too late to hold anything: silence until its end. */
function hasTimeLeft({ asofTs, window }: ForecastRequest): boolean {
  return Math.max(asofTs, window.startTs) < window.endTs;
}

/** Standard deviation between members of the probability to end at or below the pool's median. */
function disagreement(laws: readonly CountLaw[], median: number): number {
  const shares = laws.map((law) => cdf(law, median));
  const mean = shares.reduce((sum, p) => sum + p, 0) / shares.length;
  const variance = shares.reduce((sum, p) => sum + (p - mean) ** 2, 0) / shares.length;
  return Math.max(0.02, Math.sqrt(variance));
}
