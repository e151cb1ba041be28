// What is learned of the bank for one horizon: how far each expert is believed, and how the coming count departs from
// what the bank says when the rate has been moving.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { ORIGIN } from '../rate/origin-features.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';
import { type CountRegression, fitCountRegression } from './count-regression.ts';
import { EVIDENCE_DAYS, weighExperts } from './expert-evidence.ts';
import { createWords, type ExpertWords, mixedMean, writeWords } from './expert-words.ts';
import { EXPERT_COUNT } from './experts.ts';
import { LONG_PRIOR_SD, LONG_WIDTH, writeLongFeatures } from './horizon-features.ts';
import { cutComingBlocks } from './state-path.ts';
import { ORIGIN_STEP_HOURS, readStates, type TrainingSet } from './training-set.ts';

/** Horizons at which the bank is judged; between them it is interpolated in ln horizon. */
export const BANK_HOURS = [24, 72, 168];

export interface BankFit {
  hours: number;
  weights: Float64Array;
  shift: CountRegression;
}

export const TRAINING_DAYS = 365;
export const TRAINING_HALF_LIFE_DAYS = 150;
/** News of windows older than this many half-lives is not worth reading. */
const EVIDENCE_HALF_LIVES = 4;
const SHIFT_SIZE = { size: 6, logSd: 0.7 };

/** Long windows overlap so much that origins further apart say the same. */
function chooseStride(hours: number): number {
  return hours >= 120 ? 8 : hours >= 48 ? 4 : 2;
}

export function fitBank(
  hours: number,
  set: TrainingSet,
  counted: SortedTimes,
  exposure: ExposureClock,
  asofTs: number,
): BankFit {
  const spanMs = hours * HOUR_MS;
  const stride = chooseStride(hours);
  const rows = listRows(set, stride, asofTs - spanMs, TRAINING_DAYS);
  const words = speakOfPast(set, rows, spanMs, exposure);
  const counts = rows.map((row) => {
    const ts = set.originTs[row]!;
    return counted.countSince(ts, ts + spanMs);
  });
  const overlap = Math.min(1, (ORIGIN_STEP_HOURS * stride) / hours);
  const ages = rows.map((row) => (asofTs - spanMs - set.originTs[row]!) / DAY_MS);
  const recent = ages.findIndex((age) => age < EVIDENCE_HALF_LIVES * EVIDENCE_DAYS);
  const weights = weighExperts({
    words: dropRows(words, Math.max(0, recent)),
    counts: counts.slice(Math.max(0, recent)),
    news: ages.slice(Math.max(0, recent)).map((age) => overlap * 2 ** (-age / EVIDENCE_DAYS)),
  });
  const features = new Float64Array(rows.length * LONG_WIDTH);
  for (const [i, row] of rows.entries()) {
    writeLongFeatures(set.origins, row * ORIGIN.width, features, i * LONG_WIDTH);
  }
  const shift = fitCountRegression(
    {
      features,
      width: LONG_WIDTH,
      counts: Float64Array.from(counts),
      offsets: Float64Array.from(rows, (_, i) => Math.log(Math.max(1e-3, mixedMean(words, i, weights)))),
      weights: Float64Array.from(ages, (age) => overlap * 2 ** (-age / TRAINING_HALF_LIFE_DAYS)),
      scales: new Float64Array(rows.length).fill(1),
    },
    LONG_PRIOR_SD,
    SHIFT_SIZE,
  );
  return { hours, weights, shift };
}

/** Rows of the set whose window had closed; counted back from the last, wherever the record begins. */
export function listRows(set: TrainingSet, stride: number, lastTs: number, days: number): number[] {
  const rows: number[] = [];
  for (let i = (set.originTs.length - 1) % stride; i < set.originTs.length; i += stride) {
    const ts = set.originTs[i]!;
    if (ts <= lastTs && ts > lastTs - days * DAY_MS) rows.push(i);
  }
  return rows;
}

/** What the bank would have said of the window that followed each row. */
export function speakOfPast(
  set: TrainingSet,
  rows: readonly number[],
  spanMs: number,
  exposure: ExposureClock,
): ExpertWords {
  const words = createWords(rows.length);
  rows.forEach((row, i) => {
    const ts = set.originTs[row]!;
    const blocks = cutComingBlocks(exposure, ts, ts, ts + spanMs);
    writeWords(words, i, readStates(set, row), blocks, set.origins, row * ORIGIN.width);
  });
  return words;
}

function dropRows({ means, logVariances, sizes }: ExpertWords, rows: number): ExpertWords {
  const from = rows * EXPERT_COUNT;
  return {
    means: means.subarray(from),
    logVariances: logVariances.subarray(from),
    sizes: sizes.subarray(from),
  };
}
