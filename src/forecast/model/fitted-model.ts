// Everything learned at one refit, a pure function of the posts up to the anchor. Anchors lie on absolute
// instants, so a live service, a backtest and a single forecast learn from exactly the same data.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { AccountParameters } from '../parameters.ts';
import { OriginDescriber } from '../rate/origin-features.ts';
import { learnSleepHabits, type SleepHabits } from '../rate/sleep-state.ts';
import { ExposureClock, estimateWeekProfile } from '../time/exposure.ts';
import type { MarketZone } from '../time/market-zone.ts';
import type { Timeline } from '../time/timeline.ts';
import { BANK_HOURS, type BankFit, fitBank, listRows, speakOfPast } from './bank-fit.ts';
import { fitCore } from './core-fit.ts';
import type { CoreParameters } from './core-state.ts';
import { mixedMean } from './expert-words.ts';
import { fitWidths, type WidthFit } from './pool-width.ts';
import {
  fitSessions,
  fitSteady,
  SESSION_DAYS,
  type SessionFit,
  STEADY_HOURS,
  type SteadyFit,
} from './session-fit.ts';
import { cutBlocks, meanLogRate } from './state-path.ts';
import { buildTrainingSet, type TrainingSet } from './training-set.ts';

export interface FittedModel {
  anchorTs: number;
  exposure: ExposureClock;
  describer: OriginDescriber;
  core: CoreParameters;
  bank: readonly BankFit[];
  widths: readonly WidthFit[];
  sessions: readonly SessionFit[];
  steady: readonly SteadyFit[];
  sleep: SleepHabits;
}

/** Refits happen at each Monday 00:00 UTC. */
export const REFIT_PERIOD_MS = 7 * DAY_MS;
const MONDAY_TS = 4 * DAY_MS;

export function anchorFor(asofTs: number): number {
  return Math.floor((asofTs - MONDAY_TS) / REFIT_PERIOD_MS) * REFIT_PERIOD_MS + MONDAY_TS;
}

/** A record younger than this learns every day. */
const YOUNG_MS = 35 * DAY_MS;

/** The instant up to which a record that begins at firstTs has been learned from. */
export function learningAnchor(asofTs: number, firstTs: number): number {
  const weekly = anchorFor(asofTs);
  return weekly - firstTs >= YOUNG_MS ? weekly : Math.max(weekly, Math.floor(asofTs / DAY_MS) * DAY_MS);
}

const CORE_FIT_DAYS = 400;

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
  const describer = new OriginDescriber(timeline, exposure, zone, anchorTs);
  const set = buildTrainingSet(timeline, exposure, describer, anchorTs, SESSION_DAYS + 8);
  const bank = BANK_HOURS.map((hours) => fitBank(hours, set, timeline.counted, exposure, anchorTs));
  const dayRates = dayLogRates(set, exposure, bank[0]!.weights);
  const blocks = cutBlocks(timeline.counted, exposure, timeline.firstTs, anchorTs, CORE_FIT_DAYS);
  const core = fitCore(blocks.counts, blocks.exposures, meanLogRate(blocks));
  return {
    anchorTs,
    exposure,
    describer,
    core,
    bank,
    widths: fitWidths(timeline, exposure, set, bank, core, anchorTs),
    sessions: fitSessions(set, dayRates, describer, timeline.counted, exposure, anchorTs),
    steady: STEADY_HOURS.map((hours) =>
      fitSteady(hours, set, dayRates, timeline.counted, exposure, anchorTs),
    ),
    sleep: learnSleepHabits(timeline.all, anchorTs, zone, parameters.sleepPrior),
  };
}

/** ln of the bank's rate for the day after each origin that a session is learned from, per hour of exposure. */
function dayLogRates(set: TrainingSet, exposure: ExposureClock, weights: Float64Array): Float64Array {
  const rates = new Float64Array(set.originTs.length);
  const rows = listRows(set, 1, set.originTs.at(-1) ?? 0, SESSION_DAYS + 8);
  const words = speakOfPast(set, rows, DAY_MS, exposure);
  for (const [i, row] of rows.entries()) {
    const ts = set.originTs[row]!;
    rates[row] = Math.log(Math.max(1e-4, mixedMean(words, i, weights)) / exposure.between(ts, ts + DAY_MS));
  }
  return rates;
}
