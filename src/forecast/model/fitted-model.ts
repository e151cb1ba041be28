// Everything learned at one refit, a pure function of the posts up to the anchor. Anchors lie on absolute
// instants, so a live service, a backtest and a single forecast learn from exactly the same data.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { type HorizonGate, judgeGates } from '../law/gates.ts';
import type { AccountParameters } from '../parameters.ts';
import { OriginDescriber } from '../rate/origin-features.ts';
import { learnSleepHabits, type SleepHabits } from '../rate/sleep-state.ts';
import { ExposureClock, estimateWeekProfile } from '../time/exposure.ts';
import type { MarketZone } from '../time/market-zone.ts';
import type { Timeline } from '../time/timeline.ts';
import { fitHorizon, HORIZON_HOURS, type HorizonFit } from './horizon-fit.ts';
import { cutBlocks, meanLogRate } from './state-path.ts';
import type { StateSpaceParameters } from './state-space.ts';
import { fitStateSpace } from './state-space-fit.ts';
import { buildTrainingSet } from './training-set.ts';

export interface FittedModel {
  anchorTs: number;
  exposure: ExposureClock;
  describer: OriginDescriber;
  stateSpace: StateSpaceParameters;
  horizons: readonly HorizonFit[];
  gates: readonly HorizonGate[];
  sleep: SleepHabits;
}

/** Refits happen at each Monday 00:00 UTC. */
export const REFIT_PERIOD_MS = 7 * DAY_MS;
const MONDAY_TS = 4 * DAY_MS;

export function anchorFor(asofTs: number): number {
  return Math.floor((asofTs - MONDAY_TS) / REFIT_PERIOD_MS) * REFIT_PERIOD_MS + MONDAY_TS;
}

const STATE_FIT_DAYS = 400;
const TRAINING_DAYS = 400;

/** The timeline must hold no post after anchorTs that is not in the future of every later use. */
export function fitModel(
  timeline: Timeline,
  parameters: AccountParameters,
  zone: MarketZone,
  anchorTs: number,
): FittedModel {
  const profile = estimateWeekProfile(timeline.counted, timeline.firstTs, anchorTs, zone);
  const lastHour = Math.ceil(anchorTs / HOUR_MS) + 24 * 45;
  const exposure = new ExposureClock(profile, zone, timeline.firstHour, lastHour);
  const describer = new OriginDescriber(timeline, exposure, zone, anchorTs, parameters);
  const blocks = cutBlocks(timeline.counted, exposure, timeline.firstTs, anchorTs, STATE_FIT_DAYS);
  const stateSpace = fitStateSpace(
    blocks.counts,
    blocks.exposures,
    meanLogRate(blocks),
    parameters.stateSpacePrior,
  );
  const set = buildTrainingSet(timeline, exposure, describer, stateSpace, anchorTs, TRAINING_DAYS);
  const horizons = HORIZON_HOURS.map((hours) =>
    fitHorizon(hours, set, timeline.counted, exposure, stateSpace, anchorTs),
  );
  return {
    anchorTs,
    exposure,
    describer,
    stateSpace,
    horizons,
    gates: judgeGates(horizons, parameters.biasCorrectionMinEvents),
    sleep: learnSleepHabits(timeline.all, anchorTs, zone, parameters.sleepPrior),
  };
}
