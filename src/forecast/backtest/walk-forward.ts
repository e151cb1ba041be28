// Walks a history forward: at each origin the forecaster has seen the posts up to it and nothing else.

import type { CountWindow } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';
import { shiftDistribution } from '../distribution/distribution.ts';
import { createForecaster, type Forecaster } from '../forecaster.ts';
import { Baselines } from '../model/baselines.ts';
import type { AccountParameters } from '../parameters.ts';
import { createTimeline } from '../time/timeline.ts';
import type { CountDistribution, EventForecast, PostHistory } from '../types.ts';

export interface WalkStep {
  window: CountWindow;
  leadHours: number;
  asofTs: number;
  countSoFar: number;
  final: number;
  forecast: EventForecast;
  /** Distributions of the final count by the pool's members and the baselines; empty unless requested. */
  others: Record<string, CountDistribution>;
}

export interface WalkPlan {
  history: PostHistory;
  parameters: AccountParameters;
  windows: readonly CountWindow[];
  leadsHours: readonly number[];
  /** Leaves out an origin; all are wanted by default. */
  isWanted?: (window: CountWindow, leadHours: number) => boolean;
  withOthers: boolean | ((leadHours: number) => boolean);
  /** What settled a window, if not the count of the history. */
  findFinal?: (window: CountWindow) => number | null;
  /** Outages, and whether the oracle's count was known during them. */
  gaps?: readonly Gap[];
  isOracleKnown?: boolean;
}

export interface Gap {
  startTs: number;
  endTs: number;
}

/** One seed for every product run: a backtest reproduces the live forecast. */
export const FORECAST_SEED = 20240917;

interface Origin {
  window: CountWindow;
  leadHours: number;
  asofTs: number;
}

/** Origins by time. */
export function* walkForward(plan: WalkPlan): Generator<WalkStep> {
  const origins = listOrigins(plan);
  if (origins.length === 0) return;
  const { createdTs, isCounted } = plan.history;
  const truth = createTimeline(plan.history).counted;
  let shown = countUpTo(createdTs, findLastSight(plan, origins[0]!.asofTs));
  const forecaster = createForecaster(
    { createdTs: createdTs.slice(0, shown), isCounted: isCounted.slice(0, shown) },
    plan.parameters,
    FORECAST_SEED,
  );
  const baselines = new Baselines(forecaster.timeline.counted, createdTs[0] ?? 0);
  for (const origin of origins) {
    const seenUntilTs = findLastSight(plan, origin.asofTs);
    for (; shown < createdTs.length && createdTs[shown]! <= seenUntilTs; shown++) {
      forecaster.observe(createdTs[shown]!, isCounted[shown] === 1);
    }
    yield takeStep({ ...origin, seenUntilTs }, forecaster, baselines, truth, plan);
  }
}

/**
 * The last time with known posts at an origin: inside an outage, its start. Missed posts arrive at its end.
 */
function findLastSight({ gaps }: WalkPlan, asofTs: number): number {
  const gap = gaps?.find(({ startTs, endTs }) => startTs < asofTs && asofTs <= endTs);
  return gap?.startTs ?? asofTs;
}

function listOrigins({ windows, leadsHours, isWanted = () => true }: WalkPlan): Origin[] {
  return windows
    .flatMap((window) =>
      leadsHours
        .filter((leadHours) => isWanted(window, leadHours))
        .map((leadHours) => ({ window, leadHours, asofTs: window.endTs - leadHours * HOUR_MS })),
    )
    .sort((a, b) => a.asofTs - b.asofTs);
}

function countUpTo(times: Float64Array, ts: number): number {
  let n = 0;
  while (n < times.length && times[n]! <= ts) n += 1;
  return n;
}

function takeStep(
  { window, leadHours, asofTs, seenUntilTs }: Origin & { seenUntilTs: number },
  forecaster: Forecaster,
  baselines: Baselines,
  truth: ReturnType<typeof createTimeline>['counted'],
  { withOthers, isOracleKnown, findFinal }: WalkPlan,
): WalkStep {
  const before = truth.countBefore(window.startTs);
  const countUntil = (ts: number) => Math.max(0, truth.countUpTo(ts) - before);
  const countSoFar = countUntil(seenUntilTs);
  const final = findFinal?.(window) ?? truth.countBefore(window.endTs) - before;
  const isBlind = seenUntilTs < asofTs;
  const oracle = { count: countUntil(asofTs), deletedSinceLastCatchUp: 0, asofTs };
  const request = {
    window,
    asofTs,
    countSoFar,
    ...(isBlind && { seenUntilTs }),
    ...(isBlind && isOracleKnown && { oracle }),
  };
  const others: Record<string, CountDistribution> = {};
  if (typeof withOthers === 'boolean' ? withOthers : withOthers(leadHours)) {
    const remaining = {
      ...forecaster.memberDistributions(request),
      ...baselines.distributions(request, forecaster.refit(asofTs).exposure),
    };
    for (const [name, distribution] of Object.entries(remaining))
      others[name] = shiftDistribution(distribution, countSoFar);
  }
  return {
    window,
    leadHours,
    asofTs,
    countSoFar,
    final,
    forecast: forecaster.forecast(request),
    others,
  };
}
