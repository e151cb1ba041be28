// Walks a history forward: at each origin the forecaster has seen only the posts up to it.

import type { CountWindow } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { shiftDistribution } from '../distribution/distribution.ts';
import { createForecaster, type Forecaster } from '../forecaster.ts';
import { Baselines } from '../model/baselines.ts';
import type { AccountParameters } from '../parameters.ts';
import type { MarketZone } from '../time/market-zone.ts';
import { createTimeline } from '../time/timeline.ts';
import type { CountDistribution, EventForecast, PostHistory } from '../types.ts';

export interface WalkStep {
  window: CountWindow;
  leadHours: number;
  asofTs: number;
  countSoFar: number;
  final: number;
  forecast: EventForecast;
  /** Final-count distributions of the pool members and baselines; empty unless requested. */
  others: Record<string, CountDistribution>;
}

/** When each post in a history became known; by default, when it was created. */
export interface Sight {
  seenTs: Float64Array;
  /** When the oracle imported each post, NaN if unknown; null if no import times are known. */
  importedTs: Float64Array | null;
}

export interface WalkPlan {
  history: PostHistory & Partial<Sight>;
  parameters: AccountParameters;
  windows: readonly CountWindow[];
  /** Hours before the end; or a function with the times of each window. */
  leadsHours: readonly number[] | ((window: CountWindow) => readonly number[]);
  /** Selects which leads to evaluate; all by default. */
  isWanted?: (window: CountWindow, leadHours: number) => boolean;
  withOthers: boolean | ((leadHours: number) => boolean);
  /** The window's settled count, if it differs from the count in the history. */
  findFinal?: (window: CountWindow) => number | null;
  /** Outages, and whether the oracle's count was known during them. */
  gaps?: readonly Gap[];
  isOracleKnown?: boolean;
}

export interface Gap {
  startTs: number;
  endTs: number;
}

/** All product runs share one seed, so that a backtest reproduces the live forecast. */
export const FORECAST_SEED = 20240917;

interface Origin {
  window: CountWindow;
  leadHours: number;
  asofTs: number;
}

/** Visits the origins in time order. */
export function* walkForward(plan: WalkPlan): Generator<WalkStep> {
  const origins = listOrigins(plan);
  if (origins.length === 0) return;
  const { createdTs, isCounted, seenTs = createdTs } = plan.history;
  const truth = createTimeline(plan.history).counted;
  const order = Array.from(seenTs, (_, i) => i).sort((a, b) => seenTs[a]! - seenTs[b]! || a - b);
  const first = order
    .filter((i) => seenTs[i]! <= findLastSeenTs(plan, origins[0]!.asofTs))
    .sort((a, b) => a - b);
  let shown = first.length;
  const forecaster = createForecaster(
    {
      createdTs: Float64Array.from(first, (i) => createdTs[i]!),
      isCounted: Uint8Array.from(first, (i) => isCounted[i]!),
    },
    plan.parameters,
    FORECAST_SEED,
  );
  const baselines = new Baselines(forecaster.timeline.counted, createdTs[0] ?? 0);
  for (const origin of origins) {
    const seenUntilTs = findLastSeenTs(plan, origin.asofTs);
    for (; shown < order.length && seenTs[order[shown]!]! <= seenUntilTs; shown++) {
      const post = order[shown]!;
      forecaster.observe(createdTs[post]!, isCounted[post] === 1);
    }
    yield takeStep({ ...origin, seenUntilTs }, forecaster, baselines, truth, plan);
  }
}

/** Time up to which posts are known: during an outage, its start. Missed posts arrive when it ends. */
function findLastSeenTs({ gaps }: WalkPlan, asofTs: number): number {
  const gap = gaps?.find(({ startTs, endTs }) => startTs < asofTs && asofTs <= endTs);
  return gap?.startTs ?? asofTs;
}

function listOrigins({ windows, leadsHours, isWanted = () => true }: WalkPlan): Origin[] {
  const timesOf = (window: CountWindow) =>
    typeof leadsHours === 'function'
      ? leadsHours(window)
      : leadsHours.map((leadHours) => window.endTs - leadHours * HOUR_MS);
  return windows
    .flatMap((window) =>
      timesOf(window).map((asofTs) => ({ window, leadHours: (window.endTs - asofTs) / HOUR_MS, asofTs })),
    )
    .filter(({ window, leadHours }) => isWanted(window, leadHours))
    .sort((a, b) => a.asofTs - b.asofTs);
}

/** Counted posts in the window that the oracle had imported; null if import times are unknown. */
function countImported(
  { history }: WalkPlan,
  { startTs, endTs }: CountWindow,
  asofTs: number,
): number | null {
  const { createdTs, isCounted, importedTs } = history;
  if (!importedTs) return null;
  let count = 0;
  for (let i = 0; i < createdTs.length; i++) {
    const isInside = createdTs[i]! >= startTs && createdTs[i]! < endTs;
    if (isInside && isCounted[i] === 1 && importedTs[i]! <= asofTs) count += 1;
  }
  return count;
}

function takeStep(
  { window, leadHours, asofTs, seenUntilTs }: Origin & { seenUntilTs: number },
  forecaster: Forecaster,
  baselines: Baselines,
  truth: ReturnType<typeof createTimeline>['counted'],
  plan: WalkPlan,
): WalkStep {
  const { withOthers, isOracleKnown, findFinal } = plan;
  const before = truth.countBefore(window.startTs);
  const countUntil = (ts: number) => Math.max(0, truth.countUpTo(ts) - before);
  const known = forecaster.timeline.counted;
  const countSoFar = Math.max(0, known.countUpTo(seenUntilTs) - known.countBefore(window.startTs));
  const imported = countImported(plan, window, asofTs);
  const final = findFinal?.(window) ?? truth.countBefore(window.endTs) - before;
  const isBlind = seenUntilTs < asofTs;
  const oracle = { count: countUntil(asofTs), deletedSinceLastCatchUp: 0, asofTs };
  const request = {
    window,
    asofTs,
    countSoFar,
    ...(isBlind && { seenUntilTs }),
    ...(isBlind && isOracleKnown && { oracle }),
    ...(imported !== null && { oracle: { count: imported, deletedSinceLastCatchUp: 0, asofTs } }),
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

// Which windows a backtest scores: 2-day and 7-day windows starting at local noon, and calendar months.

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

export interface WindowPlan {
  /** Length in whole local days, or a calendar month. */
  length: { days: number } | 'month';
  /** Weekdays on which a window starts, 0 = Sunday. */
  startWeekdays: readonly number[];
  fromTs: number;
  toTs: number;
}

const NOON = 12;

/** Windows with start >= fromTs and end <= toTs, ordered by start. */
export function listWindows(plan: WindowPlan, zone: MarketZone): CountWindow[] {
  const windows = plan.length === 'month' ? listMonths(plan, zone) : listDays(plan, plan.length.days, zone);
  return windows.filter((w) => w.startTs >= plan.fromTs && w.endTs <= plan.toTs);
}

function listDays(plan: WindowPlan, days: number, zone: MarketZone): CountWindow[] {
  const windows: CountWindow[] = [];
  for (let ts = plan.fromTs - DAY_MS; ts <= plan.toTs; ts += DAY_MS / 2) {
    const { year, month, day, weekday } = zone.localParts(ts);
    if (!plan.startWeekdays.includes(weekday)) continue;
    const startTs = zone.fromLocal(year, month, day, NOON);
    if (windows.at(-1)?.startTs === startTs) continue;
    windows.push({ startTs, endTs: zone.fromLocal(year, month, day + days, NOON) });
  }
  return windows;
}

/** A month runs from local midnight on the 1st to local midnight on the 1st of the next month. */
function listMonths(plan: WindowPlan, zone: MarketZone): CountWindow[] {
  const windows: CountWindow[] = [];
  const first = zone.localParts(plan.fromTs);
  for (let i = 0; ; i++) {
    const startTs = zone.fromLocal(first.year, first.month + i, 1, 0);
    const endTs = zone.fromLocal(first.year, first.month + i + 1, 1, 0);
    if (endTs > plan.toTs + HOUR_MS) return windows;
    windows.push({ startTs, endTs });
  }
}
