// Measures the cost of outages. Each origin is forecast normally, after hours without posts, the same with
// the oracle's count, the same number of hours earlier, and again after the missed posts arrived.

import { HOUR_MS } from '../../domain/units.ts';
import { createForecaster, type Forecaster } from '../forecaster.ts';
import { crps, pitInterval } from '../scoring/proper-scores.ts';
import { createTimeline } from '../time/timeline.ts';
import type { CountDistribution, ForecastRequest } from '../types.ts';
import { coverageShare } from './score-book.ts';
import { FORECAST_SEED, type WalkPlan } from './walk-forward.ts';

export interface GapPlan extends Pick<WalkPlan, 'history' | 'parameters' | 'windows' | 'leadsHours'> {
  gapsHours: readonly number[];
}

export interface GapRow {
  leadHours: number;
  gapHours: number;
  origins: number;
  /**
   * Share of finals in the 90 percent interval: without outage, with outage, and with outage and the oracle's
   * count.
   */
  coverageSeeing: number;
  coverageBlind: number;
  coverageByOracle: number;
  crpsSeeing: number;
  crpsBlind: number;
  /** Without an outage, that many hours earlier. */
  crpsEarlier: number;
  crpsByOracle: number;
  /**
   * Origins where the distribution after the repair equals, bit for bit, that of a service without an outage.
   */
  repairedAlike: number;
}

type Sight = 'seeing' | 'blind' | 'earlier' | 'withOracle' | 'repaired';

interface Question {
  sight: Sight;
  row: number;
  request: Pick<ForecastRequest, 'window' | 'asofTs'>;
  seenUntilTs: number;
  knowsOracle: boolean;
}

interface Score {
  crps: number;
  isInside: number;
}

export function walkGaps(plan: GapPlan, onStep: (done: number, total: number) => void): GapRow[] {
  const truth = createTimeline(plan.history).counted;
  const pairs = plan.leadsHours.flatMap((leadHours) =>
    plan.gapsHours.map((gapHours) => ({ leadHours, gapHours })),
  );
  const scores = pairs.map(() => new Map<Sight, Score[]>());
  const clean = new Map<string, CountDistribution>();
  const alike = pairs.map(() => 0);
  const total = 5 * plan.windows.length * pairs.length;
  let done = 0;

  function answer(forecaster: Forecaster, question: Question): CountDistribution {
    const { window, asofTs } = question.request;
    const before = truth.countBefore(window.startTs);
    const countUntil = (ts: number) => Math.max(0, truth.countUpTo(ts) - before);
    const isBlind = question.seenUntilTs < asofTs;
    const oracle = { count: countUntil(asofTs), deletedSinceLastCatchUp: 0, asofTs };
    const { distribution } = forecaster.forecast({
      window,
      asofTs,
      countSoFar: countUntil(question.seenUntilTs),
      ...(isBlind && { seenUntilTs: question.seenUntilTs }),
      ...(isBlind && question.knowsOracle && { oracle }),
    });
    return distribution;
  }

  function score(distribution: CountDistribution, { request, row, sight }: Question): void {
    const { window } = request;
    const final = truth.countBefore(window.endTs) - truth.countBefore(window.startTs);
    const pit = pitInterval(distribution, final);
    const entry = {
      crps: crps(distribution, final),
      isInside: coverageShare({ pitLo: pit.lo, pitHi: pit.hi }, 0.9),
    };
    const bySight = scores[row]!;
    bySight.set(sight, [...(bySight.get(sight) ?? []), entry]);
  }

  // A service without an outage, then one that forecast during an outage and was repaired afterwards.
  for (const question of walk(plan, (pair) => ask(plan, pairs, pair, ['seeing', 'earlier']))) {
    const distribution = answer(question.forecaster, question);
    score(distribution, question);
    if (question.sight === 'seeing') clean.set(nameOf(question), distribution);
    onStep(++done, total);
  }
  for (const question of walk(plan, (pair) => ask(plan, pairs, pair, ['blind', 'withOracle', 'repaired']))) {
    const distribution = answer(question.forecaster, question);
    if (question.sight !== 'repaired') score(distribution, question);
    else if (isSameDistribution(distribution, clean.get(nameOf(question))!)) alike[question.row]! += 1;
    onStep(++done, total);
  }

  return pairs.map((pair, row) => {
    const of = (sight: Sight) => scores[row]!.get(sight) ?? [];
    const coverage = (sight: Sight) => 100 * mean(of(sight).map(({ isInside }) => isInside));
    const meanCrps = (sight: Sight) => mean(of(sight).map((entry) => entry.crps));
    return {
      ...pair,
      origins: of('blind').length,
      coverageSeeing: coverage('seeing'),
      coverageBlind: coverage('blind'),
      coverageByOracle: coverage('withOracle'),
      crpsSeeing: meanCrps('seeing'),
      crpsBlind: meanCrps('blind'),
      crpsEarlier: meanCrps('earlier'),
      crpsByOracle: meanCrps('withOracle'),
      repairedAlike: alike[row]!,
    };
  });
}

type Pair = { leadHours: number; gapHours: number };

function ask(plan: GapPlan, pairs: readonly Pair[], row: number, sights: readonly Sight[]): Question[] {
  const { leadHours, gapHours } = pairs[row]!;
  return plan.windows.flatMap((window) => {
    const asofTs = window.endTs - leadHours * HOUR_MS;
    const gapTs = asofTs - gapHours * HOUR_MS;
    const all: Record<Sight, Omit<Question, 'sight' | 'row'>> = {
      seeing: { request: { window, asofTs }, seenUntilTs: asofTs, knowsOracle: false },
      repaired: { request: { window, asofTs }, seenUntilTs: asofTs, knowsOracle: false },
      earlier: { request: { window, asofTs: gapTs }, seenUntilTs: gapTs, knowsOracle: false },
      blind: { request: { window, asofTs }, seenUntilTs: gapTs, knowsOracle: false },
      withOracle: { request: { window, asofTs }, seenUntilTs: gapTs, knowsOracle: true },
    };
    return sights.map((sight) => ({ sight, row, ...all[sight] }));
  });
}

/** All requests by the time of the last visible post, for a forecaster with exactly those posts. */
function* walk(
  { history, parameters, leadsHours, gapsHours }: GapPlan,
  questionsOf: (row: number) => Question[],
): Generator<Question & { forecaster: Forecaster }> {
  const questions = Array.from({ length: leadsHours.length * gapsHours.length }, (_, row) => row)
    .flatMap(questionsOf)
    .sort((left, right) => left.seenUntilTs - right.seenUntilTs);
  const { createdTs, isCounted } = history;
  let shown = 0;
  const firstTs = questions[0]?.seenUntilTs ?? 0;
  while (shown < createdTs.length && createdTs[shown]! <= firstTs) shown += 1;
  const known = { createdTs: createdTs.slice(0, shown), isCounted: isCounted.slice(0, shown) };
  const forecaster = createForecaster(known, parameters, FORECAST_SEED);
  for (const question of questions) {
    for (; shown < createdTs.length && createdTs[shown]! <= question.seenUntilTs; shown++)
      forecaster.observe(createdTs[shown]!, isCounted[shown] === 1);
    yield { ...question, forecaster };
  }
}

function nameOf({ request: { window, asofTs } }: Question): string {
  return `${window.startTs} ${asofTs}`;
}

function isSameDistribution(left: CountDistribution, right: CountDistribution): boolean {
  return (
    left.from === right.from &&
    left.pmf.length === right.pmf.length &&
    left.pmf.every((p, i) => p === right.pmf[i])
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
