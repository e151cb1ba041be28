// What is learned of the bank for one horizon: how far each expert is believed.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { ORIGIN } from '../rate/origin-features.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';
import { EVIDENCE_DAYS, weighExperts } from './expert-evidence.ts';
import { createWords, type ExpertWords, writeWords } from './expert-words.ts';
import { expertPrior } from './experts.ts';
import { cutComingBlocks } from './state-path.ts';
import { ORIGIN_STEP_HOURS, readStates, type TrainingSet } from './training-set.ts';

/** Horizons at which the bank is judged; between them it is interpolated in ln horizon. */
export const BANK_HOURS = [24, 72, 168];

export interface BankFit {
  hours: number;
  weights: Float64Array;
}

/** News of windows older than this is not worth reading. */
const EVIDENCE_REACH_DAYS = 4 * EVIDENCE_DAYS;

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
  const rows = listRows(set, stride, asofTs - spanMs, EVIDENCE_REACH_DAYS);
  const overlap = Math.min(1, (ORIGIN_STEP_HOURS * stride) / hours);
  const weights = weighExperts(expertPrior(hours), {
    words: speakOfPast(set, rows, spanMs, exposure),
    counts: rows.map((row) => counted.countSince(set.originTs[row]!, set.originTs[row]! + spanMs)),
    news: rows.map((row) => {
      const ageDays = (asofTs - spanMs - set.originTs[row]!) / DAY_MS;
      return overlap * 2 ** (-ageDays / EVIDENCE_DAYS);
    }),
  });
  return { hours, weights };
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
