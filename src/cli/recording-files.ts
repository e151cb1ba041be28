// A recording on disk: settings in recording.json, traffic in tape.jsonl.

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { UsageError } from '../runtime/errors.ts';
import type { TapeEntry } from '../sources/recording/tape.ts';

export interface Recording {
  /** Start time. */
  startedTs: number;
  /** The service's settings, without secrets. */
  config: Config;
  entries: readonly TapeEntry[];
}

const ABOUT = 'recording.json';
const TAPE = 'tape.jsonl';
/** Recordings are readable only by their owner until they choose to share them. */
const OWN_FILE = { mode: 0o600 };

/**
 * Returns a function that appends an entry. The folder must be new or empty, so that recordings do not mix.
 */
export function beginRecording(
  folder: string,
  about: Omit<Recording, 'entries'>,
): (entry: TapeEntry) => void {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new UsageError(`${folder} is not empty`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, ABOUT), `${JSON.stringify(about, null, 2)}\n`, OWN_FILE);
  writeFileSync(join(folder, TAPE), '', OWN_FILE);
  return (entry) => appendFileSync(join(folder, TAPE), `${JSON.stringify(entry)}\n`);
}

export function readRecording(folder: string): Recording {
  const [about, tape] = [join(folder, ABOUT), join(folder, TAPE)];
  if (!existsSync(about) || !existsSync(tape)) throw new UsageError(`${folder} has no recording`);
  try {
    const lines = readFileSync(tape, 'utf8').split('\n').filter(Boolean);
    const entries = lines.map((line) => JSON.parse(line) as TapeEntry);
    return { ...(JSON.parse(readFileSync(about, 'utf8')) as Omit<Recording, 'entries'>), entries };
  } catch {
    throw new UsageError(`the recording in ${folder} is unreadable`);
  }
}
