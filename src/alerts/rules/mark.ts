// The mark stores the state at the last rule evaluation: one entry per condition and subject, with its number
// of changes. Comparing it with the current state yields the changes. Pure. The mark is stored together with
// the resulting deliveries, so a crash neither repeats nor skips an alert.

export interface MarkEntry {
  state: string;
  /** Number of changes so far; part of the alert's id. */
  n: number;
  ts: number;
  /** Whether to drop the entry as soon as it is no longer read. */
  isBrief?: true;
}

export interface Mark {
  /** Conditions already evaluated; the first reading for a new condition causes no alert. */
  families: readonly string[];
  entries: Readonly<Record<string, MarkEntry>>;
}

/** The current state of a condition for one subject. */
export interface Reading {
  family: string;
  /** Identifies the condition and its subject. */
  key: string;
  state: string;
  /** Assumed previous state of a new subject; if omitted, its first reading causes no alert. */
  initial?: string;
  /** A fixed id for entering this state, if all processes agree on one; otherwise changes are numbered. */
  fact?: string;
  isBrief?: boolean;
}

export interface Change<R extends Reading> {
  /** The id of this change, identical in every process and on every evaluation. */
  factKey: string;
  before: string;
  reading: R;
}

export const EMPTY_MARK: Mark = { families: [], entries: {} };

/** Entries unread and unchanged for this long are dropped, because their event is over. */
const FORGET_AFTER_MS = 14 * 86_400_000;

export interface Advance<R extends Reading> {
  /** The mark that was passed in if nothing changed. */
  mark: Mark;
  changes: Change<R>[];
}

export function advanceMark<R extends Reading>(
  mark: Mark,
  families: readonly string[],
  readings: readonly R[],
  nowTs: number,
): Advance<R> {
  const asked = new Set(mark.families);
  const changes: Change<R>[] = [];
  const entries: Record<string, MarkEntry> = {};
  for (const reading of readings) {
    const known = mark.entries[reading.key];
    const isNews = asked.has(reading.family);
    const before = isNews ? (known?.state ?? reading.initial ?? reading.state) : reading.state;
    if (known && known.state === reading.state) continue;
    const n = (known?.n ?? 0) + (before === reading.state ? 0 : 1);
    entries[reading.key] = {
      state: reading.state,
      n,
      ts: nowTs,
      ...(reading.isBrief ? { isBrief: true } : {}),
    };
    if (before !== reading.state)
      changes.push({ factKey: reading.fact ?? `${reading.key}/${n}`, before, reading });
  }
  const isSame = Object.keys(entries).length === 0 && isSameList(mark.families, families);
  if (isSame) return { mark, changes };
  const read = new Set(readings.map(({ key }) => key));
  const isKept = ([key, { ts, isBrief }]: [string, MarkEntry]) =>
    read.has(key) || (!isBrief && nowTs - ts < FORGET_AFTER_MS);
  const kept = Object.entries({ ...mark.entries, ...entries }).filter(isKept);
  return { mark: { families, entries: Object.fromEntries(kept) }, changes };
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, i) => word === right[i]);
}

export function writeMark(mark: Mark): string {
  return JSON.stringify(mark);
}

/** A missing mark is empty, so the next reading causes no alert. */
export function parseMark(text: string | undefined): Mark {
  if (text === undefined) return EMPTY_MARK;
  const parsed = JSON.parse(text) as Partial<Mark>;
  return { families: parsed.families ?? [], entries: parsed.entries ?? {} };
}
