// What callers have used of their hour, on disk, so that a restart gives nobody a fresh one. Lines are appended without
// a sync: they outlive the process, however it ends, and cost microseconds. A small allowance is written down before
// the answer, which makes it exact, and by its nature rarely; a large one very soon after, for all its requests at once.
// Files are cut by time: what is older than the hour is never read again and deleted whole.

import { closeSync, createReadStream, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { makePrivateFolder } from '../../runtime/private-files.ts';

/** `used` requests that count until `expiresTs`. */
export type UsedSlot = [expiresTs: number, used: number];

/** A caller with requests that are not on disk yet. */
export interface Unwritten {
  readonly caller: string;
  /** Hands over what was not written yet, once; a negative number gives back. */
  drain(): UsedSlot;
}

export interface AllowanceJournal {
  /** What the caller had used before this start and what still counts, oldest first; told once. */
  recall(caller: string): UsedSlot[];
  /** Written at once where it has to be exact, else very soon. */
  note(unwritten: Unwritten, isExact: boolean): void;
  close(): void;
}

export interface JournalOptions {
  folder: string;
  clock: Clock;
  logger: Logger;
}

const SEGMENT_MS = 30 * MINUTE_MS;
/** A lease may count a little longer than the hour. */
const LONGEST_MS = HOUR_MS + MINUTE_MS;
/** Large allowances may be a little behind on disk: a caller in full flow costs few writes. */
const GATHER_MS = 10;
const LINE = /^(\d+) (-?\d+) (.+)$/;

/** Reads what still counts; a folder that cannot be used is told of, and nothing is kept. */
export async function openAllowanceJournal(options: JournalOptions): Promise<AllowanceJournal> {
  const { folder, clock, logger } = options;
  const past = new Map<string, UsedSlot[]>();
  try {
    makePrivateFolder(folder);
    for (const segment of dropOldSegments(folder, clock.now())) {
      await readSegment(pathOf(folder, segment), clock.now(), past);
    }
  } catch (error) {
    logger.warn({ error: errorMessage(error) }, 'used allowances could not all be read');
  }
  return createJournal(options, past);
}

function createJournal(
  { folder, clock, logger }: JournalOptions,
  past: Map<string, UsedSlot[]>,
): AllowanceJournal {
  const waiting = new Set<Unwritten>();
  const cancelForget = clock.after(LONGEST_MS, () => past.clear());
  let segment = Number.NaN;
  let file: number | null = null;
  let isDue = false;
  let isFailing = false;
  let cancelDue = () => {};

  /** Begins with an end of line: the last line of a process that was killed may be torn. */
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

  function write(): void {
    if (isDue) cancelDue();
    isDue = false;
    if (waiting.size === 0) return;
    let lines = '';
    for (const unwritten of waiting) {
      const [expiresTs, used] = unwritten.drain();
      lines += `${Math.ceil(expiresTs)} ${used} ${unwritten.caller}\n`;
    }
    waiting.clear();
    append(lines);
  }

  /** A full disk costs the memory of these requests, never an answer. */
  function append(lines: string): void {
    try {
      writeSync(openSegment(clock.now()), lines);
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ error: errorMessage(error) }, 'used allowances are not kept on disk');
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
    note(unwritten, isExact) {
      waiting.add(unwritten);
      if (isExact) write();
      else if (!isDue) {
        isDue = true;
        cancelDue = clock.after(GATHER_MS, write);
      }
    },
    close() {
      cancelForget();
      write();
      closeFile();
    },
  };
}

/** Numbers of the segments that may still count, oldest first. Those of a clock that was far ahead are none. */
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
    // A clock that was ahead when this was written must not shut a caller out for longer than the hour.
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
