// Persists each caller's requests in the last hour, so that a restart does not reset the limit. Lines are
// appended without fsync, so they survive a process crash but not a power failure. allowance-lease.ts decides
// how far ahead of use they are written. Files are split by time, and a file older than an hour is deleted.

import { closeSync, createReadStream, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HOUR_MS, MINUTE_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { makePrivateFolder } from '../runtime/private-files.ts';

/** `used` requests that count until `expiresTs`. */
export type UsedSlot = [expiresTs: number, used: number];

/** Counts `used` requests against a caller until `expiresTs`; a negative number gives requests back. */
export interface UseLine {
  caller: string;
  expiresTs: number;
  used: number;
}

export interface AllowanceJournal {
  /** Requests from before the restart that still count, oldest first; returned only once. */
  recall(caller: string): UsedSlot[];
  /** Writes all lines atomically before it returns. */
  write(lines: readonly UseLine[]): void;
  close(): void;
}

export interface JournalOptions {
  folder: string;
  clock: Clock;
  logger: Logger;
}

const SEGMENT_MS = 30 * MINUTE_MS;
/** A lease may count slightly longer than an hour. */
const LONGEST_MS = HOUR_MS + MINUTE_MS;
const LINE = /^(\d+) (-?\d+) (.+)$/;

/** Reads the entries that still count. If the folder is unusable, logs it and stores nothing. */
export async function openAllowanceJournal(options: JournalOptions): Promise<AllowanceJournal> {
  const { folder, clock, logger } = options;
  const past = new Map<string, UsedSlot[]>();
  try {
    makePrivateFolder(folder);
    for (const segment of dropOldSegments(folder, clock.now())) {
      await readSegment(pathOf(folder, segment), clock.now(), past);
    }
  } catch (error) {
    logger.warn({ error: errorMessage(error) }, 'allowance journal partly unreadable');
  }
  return createJournal(options, past);
}

function createJournal(
  { folder, clock, logger }: JournalOptions,
  past: Map<string, UsedSlot[]>,
): AllowanceJournal {
  const cancelForget = clock.after(LONGEST_MS, () => past.clear());
  let segment = Number.NaN;
  let file: number | null = null;
  let isFailing = false;

  /** Starts with a newline, because a killed process may have left a torn last line. */
  function openSegment(nowTs: number): number {
    const current = Math.floor(nowTs / SEGMENT_MS);
    if (file !== null && current === segment) return file;
    closeFile();
    dropOldSegments(folder, nowTs);
    file = openSync(pathOf(folder, current), 'a', 0o600);
    segment = current;
    writeSync(file, '\n');
    return file;
  }

  function closeFile(): void {
    if (file !== null) closeSync(file);
    file = null;
  }

  /** On a full disk this record is lost, but the request succeeds. */
  function write(lines: readonly UseLine[]): void {
    if (lines.length === 0) return;
    let text = '';
    for (const { caller, expiresTs, used } of lines) text += `${Math.ceil(expiresTs)} ${used} ${caller}\n`;
    try {
      writeSync(openSegment(clock.now()), text);
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ error: errorMessage(error) }, 'allowance journal write failed');
      isFailing = true;
    }
  }

  return {
    recall(caller) {
      const slots = past.get(caller);
      if (!slots) return [];
      past.delete(caller);
      const nowTs = clock.now();
      return slots.filter(([expiresTs]) => expiresTs > nowTs).sort((left, right) => left[0] - right[0]);
    },
    write,
    close() {
      cancelForget();
      closeFile();
    },
  };
}

/** Segments that may still count, oldest first. Segments dated far in the future are skipped. */
function dropOldSegments(folder: string, nowTs: number): number[] {
  const oldest = Math.floor((nowTs - LONGEST_MS) / SEGMENT_MS);
  const newest = Math.floor((nowTs + LONGEST_MS) / SEGMENT_MS);
  const segments = readdirSync(folder)
    .filter((name) => /^\d+\.log$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .sort((left, right) => left - right);
  const isNear = (segment: number) => segment >= oldest && segment <= newest;
  for (const segment of segments) if (!isNear(segment)) rmSync(pathOf(folder, segment));
  return segments.filter(isNear);
}

function pathOf(folder: string, segment: number): string {
  return join(folder, `${segment}.log`);
}

async function readSegment(path: string, nowTs: number, past: Map<string, UsedSlot[]>): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const match = LINE.exec(line);
    if (!match) continue;
    // A clock that was ahead at write time must not lock a caller out for more than an hour.
    const expiresTs = Math.min(Number(match[1]), nowTs + LONGEST_MS);
    if (expiresTs > nowTs) addSlot(past, match[3]!, expiresTs, Number(match[2]));
  }
}

function addSlot(past: Map<string, UsedSlot[]>, caller: string, expiresTs: number, used: number): void {
  const slots = past.get(caller);
  if (!slots) past.set(caller, [[expiresTs, used]]);
  else {
    const same = slots.findLast(([other]) => other === expiresTs);
    if (same) same[1] += used;
    else slots.push([expiresTs, used]);
  }
}
