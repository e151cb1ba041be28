// One forecast-log entry, hashed as a single line of JSON. A random salt keeps a published hash from being
// matched to a guessed entry.

import { randomBytes } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '../domain/units.ts';

export type EntryKind = 'forecast' | 'advice' | 'signal';
export type Made = 'forward' | 'recomputed';

/** An entry as a job writes it; the log adds `seq`, `made` and `salt`. */
export interface EntryDraft {
  kind: EntryKind;
  account: string;
  event: number;
  /** Time the content describes. */
  asofTs: number;
  /** When the job wrote it. */
  recordedTs: number;
  /** True if computed later from the data available at the time. */
  isRecomputed: boolean;
  content: object;
}

export interface LogEntry {
  seq: number;
  made: Made;
  kind: EntryKind;
  account: string;
  event: number;
  asof_ts: number;
  content: object;
  salt: string;
}

const SALT_BYTES = 16;
/** A forecast made just before the hour ends may reach the log after it. */
export const LATE_MS = 10 * MINUTE_MS;

/** An entry is forward if it describes a time in its sealed hour, so the seal proves when it was made. */
export function chooseMade({ isRecomputed, asofTs }: EntryDraft, hourTs: number): Made {
  const isInHour = asofTs >= hourTs - LATE_MS && asofTs < hourTs + HOUR_MS;
  return isInHour && !isRecomputed ? 'forward' : 'recomputed';
}

export function writeEntry(draft: EntryDraft, seq: number, hourTs: number): string {
  const { kind, account, event, asofTs, content } = draft;
  const made = chooseMade(draft, hourTs);
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const entry: LogEntry = { seq, made, kind, account, event, asof_ts: asofTs, content, salt };
  return JSON.stringify(entry);
}
