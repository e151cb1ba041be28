// Replays the service's advice at each horizon of past events from data available then, and records the
// results: Yes and No purchases, and exits from earlier purchases.

import type { CountWindow } from '../../domain/market-event.ts';
import type { EdgeEvidence, StandingAdviceByEvent } from '../../domain/standing-advice.ts';
import { FORECAST_SEED } from '../../forecast/backtest/walk-forward.ts';
import { createForecaster } from '../../forecast/forecaster.ts';
import type { AccountParameters } from '../../forecast/parameters.ts';
import { createTimeline } from '../../forecast/time/timeline.ts';
import type { PostHistory } from '../../forecast/types.ts';
import { listStanding } from '../advice/adviser.ts';
import { decideAccount } from '../advice/decide-account.ts';
import { sizeSignals } from '../advice/signals.ts';
import { blendLadder } from '../edges/blend.ts';
import { type LadderSample, learnEvidence } from '../edges/learn-evidence.ts';
import type { RecordedSignal } from '../record/record.ts';
import { findBucket } from '../sizing/outcome-cells.ts';
import { DEFAULT_BANKROLL_USD } from '../sizing/sizing-rules.ts';
import type { PricedEvent, SizingRules } from '../types.ts';
import { createPaperBook } from './paper-book.ts';
import { type BookAssumptions, completeLadder, toPricedEvent } from './past-ladder.ts';
import { isWholeLadder, type LadderSnapshot } from './price-file.ts';
import { listOrigins, type Origin } from './walk-origins.ts';

export interface SignalWalkPlan extends BookAssumptions {
  history: PostHistory;
  parameters: AccountParameters;
  snapshots: readonly LadderSnapshot[];
  /** Hours before the end; null for every time the file has prices. */
  horizonsH: readonly number[] | null;
  rules: SizingRules;
  /** Edge evidence before the first event; later settled events add to it. */
  prior: EdgeEvidence;
  /** Whether settled events add evidence. */
  isLearning: boolean;
  /** The event's settled count, if it differs from the count in the history. */
  findFinal?: (window: CountWindow) => number | null;
}

/** Advice at one horizon of one event. */
export interface SignalStep {
  eventId: number;
  horizonH: number;
  snapshot: LadderSnapshot;
  final: number;
  /** Model, prices and winner of the ladder; a partial ladder has one extra entry for all other counts. */
  sample: LadderSample;
  blended: readonly number[];
  /** Only whole ladders are bet on: the buckets of a partial ladder were chosen with the outcome known. */
  isWhole: boolean;
  probabilities: number[];
  evidence: EdgeEvidence;
  signals: RecordedSignal[];
  /** Why each bucket of a whole ladder was not traded. */
  abstainReasons: string[];
}

export function* walkSignals(plan: SignalWalkPlan): Generator<SignalStep> {
  const { createdTs } = plan.history;
  const origins = listOrigins(plan.snapshots, plan.horizonsH, createdTs.at(-1) ?? 0);
  const look = createLook(plan, origins[0]?.snapshot.ts ?? 0);
  const learner = createLearner(plan);
  const book = createPaperBook(plan.snapshots);
  let standing: StandingAdviceByEvent = {};
  for (const group of groupByInstant(origins)) {
    const steps = group.map((origin) => look(origin, learner.at(origin.snapshot.ts)));
    for (const { step, window } of steps) learner.add(window.endTs, toLearned(step));
    const whole = steps.filter(({ step }) => step.isWhole);
    const events = whole.map(({ event }) => {
      const stood = standing[String(event.eventId)];
      return stood ? { ...event, standing: stood } : event;
    });
    const decisions = decideAccount(events, plan.rules, group[0]!.snapshot.ts);
    standing = { ...standing, ...listStanding(decisions) };
    const advice = sizeSignals(decisions, DEFAULT_BANKROLL_USD, plan.rules);
    whole.forEach(({ step, event }, i) => {
      step.signals = book.follow(advice[i]!, event, step);
      step.abstainReasons = advice[i]!.signals.flatMap(({ verdict }) => verdict.abstainReason ?? []);
    });
    yield* steps.map(({ step }) => step);
  }
}

interface Looked {
  step: SignalStep;
  event: PricedEvent;
  window: CountWindow;
}

/** Feeds the forecaster the posts up to an origin, then requests a forecast. */
function createLook(plan: SignalWalkPlan, firstTs: number) {
  const { createdTs, isCounted } = plan.history;
  const truth = createTimeline(plan.history).counted;
  let shown = 0;
  while (shown < createdTs.length && createdTs[shown]! <= firstTs) shown += 1;
  const known = { createdTs: createdTs.slice(0, shown), isCounted: isCounted.slice(0, shown) };
  const forecaster = createForecaster(known, plan.parameters, FORECAST_SEED);
  return ({ snapshot, horizonH, eventId }: Origin, evidence: EdgeEvidence): Looked => {
    const { ts: asofTs, window } = snapshot;
    for (; shown < createdTs.length && createdTs[shown]! <= asofTs; shown++) {
      forecaster.observe(createdTs[shown]!, isCounted[shown] === 1);
    }
    const before = truth.countBefore(window.startTs);
    const countSoFar = truth.countUpTo(asofTs) - before;
    const forecast = forecaster.forecast({ window, asofTs, countSoFar });
    const ladder = completeLadder(snapshot.points, forecast.distribution, countSoFar);
    const final = plan.findFinal?.(window) ?? truth.countBefore(window.endTs) - before;
    const leadHours = (window.endTs - asofTs) / 3_600_000;
    const winner = findBucket(snapshot.points, final);
    const isWhole = isWholeLadder(snapshot, countSoFar);
    const hasRest = ladder.model.length > snapshot.points.length;
    const sample: LadderSample = {
      ...ladder,
      eventId,
      leadHours,
      window,
      isRecomputed: true,
      winner: winner < 0 && hasRest ? snapshot.points.length : winner,
    };
    const priced = toPricedEvent(eventId, snapshot, ladder.model, forecast, countSoFar, plan);
    const { probabilities: blended } = blendLadder(evidence, ladder.model, ladder.prices, leadHours);
    const step: SignalStep = {
      ...{ eventId, horizonH, snapshot, final, sample, blended, isWhole, evidence },
      probabilities: ladder.model.slice(0, snapshot.points.length),
      signals: [],
      abstainReasons: [],
    };
    return { step, event: { ...priced, evidence }, window };
  };
}

/** The entry for all unlisted counts has no listed price and, in a list made afterwards, never wins. */
export function toLearned({ sample, snapshot }: Pick<SignalStep, 'sample' | 'snapshot'>): LadderSample {
  const prices = sample.prices.map((price, i) => (i < snapshot.points.length ? price : null));
  return { ...sample, prices };
}

/** Learns evidence from the events settled by a given time. */
function createLearner({ prior, isLearning }: Pick<SignalWalkPlan, 'prior' | 'isLearning'>) {
  const samples: { endTs: number; sample: LadderSample }[] = [];
  let learned = { count: 0, evidence: prior };
  return {
    add: (endTs: number, sample: LadderSample) => void samples.push({ endTs, sample }),
    at(asofTs: number): EdgeEvidence {
      const over = isLearning ? samples.filter(({ endTs }) => endTs <= asofTs) : [];
      if (over.length > learned.count) {
        const known = over.map(({ sample }) => sample).filter(({ winner }) => winner >= 0);
        learned = { count: over.length, evidence: learnEvidence(known, prior) };
      }
      return learned.evidence;
    },
  };
}

/** Ladders at the same time are sized together, so that the bankroll is not spent twice. */
function groupByInstant(origins: readonly Origin[]): Origin[][] {
  const groups: Origin[][] = [];
  for (const origin of origins) {
    const last = groups.at(-1);
    if (last && origin.snapshot.ts - last[0]!.snapshot.ts < 60_000) last.push(origin);
    else groups.push([origin]);
  }
  return groups;
}
