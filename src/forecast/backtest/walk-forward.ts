// Walks a history forward: at each origin the forecaster has been shown the posts up to it and nothing else.

import type { CountWindow } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';
import { createForecaster, type Forecaster } from '../forecaster.ts';
import { shiftLaw } from '../law/law.ts';
import { Baselines } from '../model/baselines.ts';
import type { AccountParameters } from '../parameters.ts';
import { createTimeline } from '../time/timeline.ts';
import type { CountLaw, EventForecast, PostHistory } from '../types.ts';

export interface WalkStep {
  window: CountWindow;
  leadHours: number;
  asofTs: number;
  countSoFar: number;
  final: number;
  forecast: EventForecast;
  /** Laws of the final count by the pool's members and by the baselines; empty unless asked for. */
  others: Record<string, CountLaw>;
}

export interface WalkPlan {
  history: PostHistory;
  parameters: AccountParameters;
  windows: readonly CountWindow[];
  leadsHours: readonly number[];
  withOthers: boolean;
}

/** One seed for every product run: the numbers of a backtest are those of the live forecast. */
export const FORECAST_SEED = 20240917;

interface Origin {
  window: CountWindow;
  leadHours: number;
  asofTs: number;
}

/** Origins in order of time. */
export function* walkForward(plan: WalkPlan): Generator<WalkStep> {
  const origins = listOrigins(plan);
  if (origins.length === 0) return;
  const { createdTs, isCounted } = plan.history;
  const truth = createTimeline(plan.history).counted;
  let shown = countUpTo(createdTs, origins[0]!.asofTs);
  const forecaster = createForecaster(
    { createdTs: createdTs.slice(0, shown), isCounted: isCounted.slice(0, shown) },
    plan.parameters,
    FORECAST_SEED,
  );
  const baselines = new Baselines(forecaster.timeline.counted, createdTs[0] ?? 0);
  for (const origin of origins) {
    for (; shown < createdTs.length && createdTs[shown]! <= origin.asofTs; shown++) {
      forecaster.observe(createdTs[shown]!, isCounted[shown] === 1);
    }
    yield takeStep(origin, forecaster, baselines, truth, plan.withOthers);
  }
}

function listOrigins({ windows, leadsHours }: WalkPlan): Origin[] {
  return windows
    .flatMap((window) =>
      leadsHours.map((leadHours) => ({ window, leadHours, asofTs: window.endTs - leadHours * HOUR_MS })),
    )
    .sort((a, b) => a.asofTs - b.asofTs);
}

function countUpTo(times: Float64Array, ts: number): number {
  let n = 0;
  while (n < times.length && times[n]! <= ts) n += 1;
  return n;
}

function takeStep(
  { window, leadHours, asofTs }: Origin,
  forecaster: Forecaster,
  baselines: Baselines,
  truth: ReturnType<typeof createTimeline>['counted'],
  withOthers: boolean,
): WalkStep {
  const before = truth.countBefore(window.startTs);
  const countSoFar = Math.max(0, truth.countUpTo(asofTs) - before);
  const final = truth.countBefore(window.endTs) - before;
  const request = { window, asofTs, countSoFar };
  const others: Record<string, CountLaw> = {};
  if (withOthers) {
    const remaining = {
      ...forecaster.memberLaws(request),
      ...baselines.laws(request, forecaster.refit(asofTs).exposure),
    };
    for (const [name, law] of Object.entries(remaining)) others[name] = shiftLaw(law, countSoFar);
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
