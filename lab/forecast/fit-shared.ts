// Fits the coefficients shared by all accounts: how the remaining count deviates from the core's mean.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { fitCore } from '../../src/forecast/model/core-fit.ts';
import { type CountSample, fitCountRegression } from '../../src/forecast/model/count-regression.ts';
import { anchorFor } from '../../src/forecast/model/fitted-model.ts';
import { type SampleRule, samplePast } from '../../src/forecast/model/past-windows.ts';
import { MOVES_WIDTH, writeMoves } from '../../src/forecast/model/recent-moves.ts';
import type { SharedKnowledge } from '../../src/forecast/model/shared-coefficients.ts';
import { comingShape, cutBlocks, cutComingBlocks, meanLogRate } from '../../src/forecast/model/state-path.ts';
import { buildTrainingSet } from '../../src/forecast/model/training-set.ts';
import { OriginDescriber } from '../../src/forecast/rate/origin-features.ts';
import { ExposureClock, estimateWeekProfile } from '../../src/forecast/time/exposure.ts';
import type { MarketZone } from '../../src/forecast/time/market-zone.ts';
import { createTimeline } from '../../src/forecast/time/timeline.ts';
import type { PostHistory } from '../../src/forecast/types.ts';

const EVERY_DAYS = 28;
const WARM_UP_DAYS = 120;
const STRIDE = 3;
const REVERSION_HOURS = [24, 72, 168];
const SHRINK = 0.5;

/** One account's rows, by horizon in hours. */
export type Samples = ReadonlyMap<number, readonly CountSample[]>;

export function fitCoefficients(accounts: readonly Samples[]): Pick<SharedKnowledge, 'reversion'> {
  const fit = (hours: number) => {
    const sample = join(accounts.flatMap((samples) => samples.get(hours) ?? []));
    const prior = { mean: new Float64Array(sample.width), sd: new Float64Array(sample.width).fill(0.22) };
    const { beta } = fitCountRegression(sample, prior, { size: 5, logSd: 0.5 });
    return Array.from(beta, (x) => Math.round(1000 * SHRINK * x) / 1000);
  };
  return {
    reversion: REVERSION_HOURS.map((hours) => ({ hours, beta: fit(hours) })),
  };
}

/** Every four weeks the core is fitted to all earlier posts, and the following weeks become rows. */
export function gatherSamples(history: PostHistory, zone: MarketZone): Samples {
  const samples = new Map<number, CountSample[]>();
  const timeline = createTimeline(history);
  const { counted, firstTs, firstHour } = timeline;
  for (const anchorTs of listAnchors(history)) {
    const profile = estimateWeekProfile(counted, firstTs, anchorTs, zone);
    const exposure = new ExposureClock(profile, zone, firstHour, Math.ceil(anchorTs / HOUR_MS) + 24 * 60);
    const describer = new OriginDescriber(timeline, exposure, anchorTs);
    const blocks = cutBlocks(counted, exposure, firstTs, anchorTs, 400);
    const core = fitCore(blocks.counts, blocks.exposures, meanLogRate(blocks));
    const endTs = anchorTs + EVERY_DAYS * DAY_MS;
    const set = buildTrainingSet(timeline, exposure, describer, core, endTs, EVERY_DAYS - 1);
    const moves: SampleRule = {
      width: MOVES_WIDTH,
      write: writeMoves,
      offset: (row, fromTs, untilTs) => {
        const coming = cutComingBlocks(exposure, fromTs, fromTs, untilTs);
        return Math.log(Math.max(1e-3, comingShape(set.core[row]!, core, coming).mean));
      },
    };
    for (const hours of REVERSION_HOURS) {
      const source = { set, counted, exposure, asofTs: endTs + hours * HOUR_MS };
      const sample = samplePast(source, { hours, stride: STRIDE, days: EVERY_DAYS }, moves);
      samples.set(hours, [...(samples.get(hours) ?? []), sample]);
    }
  }
  return samples;
}

function listAnchors({ createdTs }: PostHistory): number[] {
  const anchors: number[] = [];
  const lastTs = createdTs.at(-1)! - 2 * EVERY_DAYS * DAY_MS;
  for (let ts = anchorFor(createdTs[0]! + WARM_UP_DAYS * DAY_MS); ts < lastTs; ts += EVERY_DAYS * DAY_MS)
    anchors.push(ts);
  return anchors;
}

function join(samples: readonly CountSample[]): CountSample {
  const all = (pick: (sample: CountSample) => Float64Array) => {
    const out = new Float64Array(samples.reduce((n, sample) => n + pick(sample).length, 0));
    let at = 0;
    for (const sample of samples) {
      out.set(pick(sample), at);
      at += pick(sample).length;
    }
    return out;
  };
  return {
    width: samples[0]!.width,
    features: all((s) => s.features),
    counts: all((s) => s.counts),
    offsets: all((s) => s.offsets),
    weights: all((s) => s.weights),
    scales: all((s) => s.scales),
  };
}
