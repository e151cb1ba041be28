// Persists the requests of the last hour, so that a restart does not reset the limit. Grants are appended to a
// file within 50 ms, without fsync: they survive a killed process, but not a power failure. Files are split by
// time, and a file older than an hour is deleted.

import { closeSync, createReadStream, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HOUR_MS, MINUTE_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { makePrivateFolder } from '../runtime/private-files.ts';

export interface AllowanceLog {
  /** How long ago the caller made each request that still counts, oldest first; returned only once. */
  recall(caller: string): number[];
  /** Records one request of the caller. */
  note(caller: string): void;
  close(): void;
}

export interface AllowanceLogOptions {
  folder: string;
  /** The wall clock, because files outlive the process. */
  clock: Clock;
  logger: Logger;
}

const WRITE_AFTER_MS = 50;
const SEGMENT_MS = 30 * MINUTE_MS;
/** Segments on either side of the current one that may matter. */
const NEAR_SEGMENTS = HOUR_MS / SEGMENT_MS + 1;
/** Time until which the requests count, their number, and the caller. */
const LINE = /^(\d+) (\d+) (.+)$/;

/** Expiry times by caller. */
type Past = Map<string, number[]>;

/** Reads the requests that still count. If the folder is unusable, logs it and stores nothing. */
export async function openAllowanceLog(options: AllowanceLogOptions): Promise<AllowanceLog> {
  const { folder, clock, logger } = options;
  const past: Past = new Map();
  try {
    makePrivateFolder(folder);
    for (const path of keepNearSegments(folder, clock.now())) await readSegment(path, clock.now(), past);
  } catch (error) {
    logger.warn({ error: errorMessage(error) }, 'allowance log partly unreadable');
  }
  return createLog(options, past);
}

function createLog({ folder, clock, logger }: AllowanceLogOptions, past: Past): AllowanceLog {
  const cancelForget = clock.after(HOUR_MS, () => past.clear());
  const unwritten = new Map<string, number>();
  let cancelWrite: (() => void) | null = null;
  let path = '';
  let file: number | null = null;
  let isFailing = false;

  /** A new file starts with a newline, because a killed process may have left a torn last line. */
  function openFile(nowTs: number): number {
    const current = join(folder, `${Math.floor(nowTs / SEGMENT_MS)}.log`);
    if (file !== null && current === path) return file;
    closeFile();
    keepNearSegments(folder, nowTs);
    file = openSync(current, 'a', 0o600);
    path = current;
    writeSync(file, '\n');
    return file;
  }

  function closeFile(): void {
    if (file !== null) closeSync(file);
    file = null;
  }

  /** On a full disk these records are lost, but requests succeed. */
  function write(): void {
    cancelWrite = null;
    const nowTs = clock.now();
    let text = '';
    for (const [caller, requests] of unwritten) text += `${nowTs + HOUR_MS} ${requests} ${caller}\n`;
    unwritten.clear();
    try {
      writeSync(openFile(nowTs), text);
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ error: errorMessage(error) }, 'allowance log write failed');
      isFailing = true;
    }
  }

  return {
    recall(caller) {
      const expiries = past.get(caller) ?? [];
      past.delete(caller);
      const nowTs = clock.now();
      return expiries.map((expiresTs) => nowTs + HOUR_MS - expiresTs).sort((left, right) => right - left);
    },
    note(caller) {
      unwritten.set(caller, (unwritten.get(caller) ?? 0) + 1);
      cancelWrite ??= clock.after(WRITE_AFTER_MS, write);
    },
    close() {
      cancelForget();
      cancelWrite?.();
      if (unwritten.size > 0) write();
      closeFile();
    },
  };
}

/** Deletes segments that no longer count, and those of a clock that ran far ahead; returns the others. */
function keepNearSegments(folder: string, nowTs: number): string[] {
  const current = Math.floor(nowTs / SEGMENT_MS);
  const segments = readdirSync(folder).filter((name) => /^\d+\.log$/.test(name));
  const isNear = (name: string) => Math.abs(Number.parseInt(name, 10) - current) <= NEAR_SEGMENTS;
  for (const name of segments) if (!isNear(name)) rmSync(join(folder, name));
  return segments.filter(isNear).map((name) => join(folder, name));
}

async function readSegment(path: string, nowTs: number, past: Past): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [, expiry, requests, caller] = LINE.exec(line) ?? [];
    if (caller === undefined) continue;
    // A clock that was ahead at write time must not lock a caller out for more than an hour.
    const expiresTs = Math.min(Number(expiry), nowTs + HOUR_MS);
    if (expiresTs <= nowTs) continue;
    const expiries = past.get(caller) ?? [];
    past.set(caller, expiries);
    for (let i = 0; i < Number(requests); i++) expiries.push(expiresTs);
  }
}
