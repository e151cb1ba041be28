// Describes the changes between a saved moment and now. Pure.

import type { CoursePoint, PastEventRecord } from '../../../api/records.ts';
import { formatCount, formatProbability, formatSigned } from '../../../words/format.ts';

export interface Now {
  count: number | null;
  p50: number | null;
  /** By bucket. */
  prices: ReadonlyMap<string, number | null>;
}

export interface Change {
  what: 'Count' | 'Forecast' | 'Price' | 'Advice';
  words: string;
}

export function listChanges(
  then: CoursePoint,
  buckets: PastEventRecord['buckets'],
  now: Now,
): readonly Change[] {
  return [
    ...(now.count === null ? [] : [numberChange('Count', then.real_counter, now.count)]),
    ...(then.forecast && now.p50 !== null ? [numberChange('Forecast', then.forecast.p50, now.p50)] : []),
    ...priceChange(then, buckets, now),
  ];
}

function numberChange(what: Change['what'], before: number, after: number): Change {
  const words =
    after === before
      ? `still ${formatCount(after)}`
      : `${formatCount(before)} to ${formatCount(after)} (${formatSigned(after - before)})`;
  return { what, words };
}

/** The bucket with the largest price move. */
function priceChange(then: CoursePoint, buckets: PastEventRecord['buckets'], now: Now): Change[] {
  const moves = buckets.flatMap(({ bucket }, i) => {
    const before = then.market_prices[i] ?? null;
    const after = now.prices.get(bucket) ?? null;
    return before === null || after === null ? [] : [{ bucket, before, after }];
  });
  const largest = moves.sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before))[0];
  if (!largest) return [];
  const { bucket, before, after } = largest;
  const words =
    before === after
      ? 'no bucket moved'
      : `${bucket} ${formatProbability(before)} to ${formatProbability(after)}, the largest change`;
  return [{ what: 'Price', words }];
}

/** Compares keys of the form "event bucket verdict". */
export function adviceChange(before: readonly string[], after: readonly string[], eventId: number): Change {
  const own = (keys: readonly string[]) => keys.filter((key) => key.startsWith(`${eventId} `));
  const begun = own(after).filter((key) => !before.includes(key));
  const ended = own(before).filter((key) => !after.includes(key));
  const parts = [...begun.map((key) => `new: ${say(key)}`), ...ended.map((key) => `ended: ${say(key)}`)];
  return { what: 'Advice', words: parts.length > 0 ? parts.join('; ') : 'unchanged' };
}

const VERDICTS: Record<string, string> = { BUY_YES: 'buy Yes on', BUY_NO: 'buy No on', EXIT: 'sell' };

function say(key: string): string {
  const [, bucket = '', verdict = ''] = key.split(' ');
  return `${VERDICTS[verdict] ?? verdict} ${bucket}`;
}

export function adviceKey(entry: { event_id: number; bucket: string; verdict: string }): string {
  return `${entry.event_id} ${entry.bucket} ${entry.verdict}`;
}

export interface LastLook {
  /** By the service's clock. */
  ts: number;
  /** Entries such as "1001 120-139 BUY_YES"; null if advice was not visible. */
  advice: readonly string[] | null;
}

const KEPT_AS = 'tallycast-last-look';

/** Read when the page opens, because later updates belong to this visit. */
export const lastLook: LastLook | null = read();

function read(): LastLook | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null');
    return isLastLook(kept) ? kept : null;
  } catch {
    // Without local storage, earlier visits are unknown.
    return null;
  }
}

export function isLastLook(kept: unknown): kept is LastLook {
  const { ts, advice } = (kept ?? {}) as Partial<LastLook>;
  return Number.isSafeInteger(ts) && (advice === null || Array.isArray(advice));
}

export function keepLook(look: LastLook): void {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(look));
  } catch {
    // Without storage, the next visit counts as the first.
  }
}
