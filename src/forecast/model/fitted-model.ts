// Everything learned in one refit, as a pure function of the posts up to the anchor. Anchors are absolute
// times, so the live service, a backtest and a single forecast learn from exactly the same data.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { AccountParameters } from '../parameters.ts';
import { OriginDescriber } from '../rate/origin-features.ts';
import { learnSleepHabits, type SleepHabits } from '../rate/sleep-state.ts';
import { ExposureClock, estimateWeekProfile } from '../time/exposure.ts';
import type { MarketZone } from '../time/market-zone.ts';
import type { Timeline } from '../time/timeline.ts';
import { fitCore } from './core-fit.ts';
import type { CoreParameters } from './core-state.ts';
import { fitMemories, type MemoryFit } from './memory-fit.ts';
import { fitPool, type WeightFit } from './pool-fit.ts';
import type { SharedKnowledge } from './shared-coefficients.ts';
import { cutBlocks, meanLogRate } from './state-path.ts';
import { buildTrainingSet } from './training-set.ts';

export interface FittedModel {
  anchorTs: number;
  exposure: ExposureClock;
  describer: OriginDescriber;
  core: CoreParameters;
  memories: readonly MemoryFit[];
  shared: SharedKnowledge;
  pool: readonly WeightFit[];
  sleep: SleepHabits;
}

/** Refits happen every Monday at 00:00 UTC. */
export const REFIT_PERIOD_MS = 7 * DAY_MS;
const MONDAY_TS = 4 * DAY_MS;

export function anchorFor(asofTs: number): number {
  return Math.floor((asofTs - MONDAY_TS) / REFIT_PERIOD_MS) * REFIT_PERIOD_MS + MONDAY_TS;
}

/** With less history than this, the model is refitted daily. */
const YOUNG_MS = 35 * DAY_MS;

/** The last refit anchor at or before asofTs, for a history that begins at firstTs. */
export function learningAnchor(asofTs: number, firstTs: number): number {
  const weekly = anchorFor(asofTs);
  return weekly - firstTs >= YOUNG_MS ? weekly : Math.max(weekly, Math.floor(asofTs / DAY_MS) * DAY_MS);
}

const CORE_FIT_DAYS = 400;
const TRAINING_DAYS = 300;

/** If the timeline has posts after anchorTs, use the model only for times after those posts. */
export function fitModel(
  timeline: Timeline,
  parameters: AccountParameters,
  zone: MarketZone,
  anchorTs: number,
  shared: SharedKnowledge,
): FittedModel {
  const profile = estimateWeekProfile(timeline.counted, timeline.firstTs, anchorTs, zone);
  const lastHour = Math.ceil(anchorTs / HOUR_MS) + 24 * 45;
  const exposure = new ExposureClock(profile, zone, timeline.firstHour, lastHour);
  const describer = new OriginDescriber(timeline, exposure, anchorTs);
  const blocks = cutBlocks(timeline.counted, exposure, timeline.firstTs, anchorTs, CORE_FIT_DAYS);
  const core = fitCore(blocks.counts, blocks.exposures, meanLogRate(blocks));
  const set = buildTrainingSet(timeline, exposure, describer, core, anchorTs, TRAINING_DAYS);
  const source = { set, counted: timeline.counted, exposure, asofTs: anchorTs };
  const fits = { core, exposure, memories: fitMemories(source), shared };
  return {
    anchorTs,
    describer,
    ...fits,
    pool: fitPool(source, fits),
    sleep: learnSleepHabits(timeline.all, anchorTs, zone, parameters.sleepPrior),
  };
}
