// Files that only the service's user can read: key digests, webhook secrets, payments, usage.

import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { UsageError } from './errors.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const STICKY = 0o1000;
const FOR_OTHERS = 0o077;

/** Creates the folder if needed; if it exists, removes access for other users. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  if (isOurs(path)) tighten(path, FOLDER_MODE);
}

/** Creates the file up front, so that no library creates it with default permissions. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE));
  tighten(path, FILE_MODE);
}

export function tightenIfPresent(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) tighten(path, FILE_MODE);
}

/** Reads a key from a file that only its owner can access. */
export function readPrivateFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${path} does not exist`);
  if ((found.mode & FOR_OTHERS) !== 0)
    throw new UsageError(`${path} can be read by others: chmod 600 ${path}`);
  return readFileSync(path, 'utf8');
}

/** A shared folder (such as /tmp) or the working directory keeps its permissions. */
function isOurs(path: string): boolean {
  const { mode } = statSync(path);
  const here = resolve('.') + sep;
  return (mode & STICKY) === 0 && !here.startsWith(resolve(path) + sep);
}

function tighten(path: string, mode: number): void {
  const found = statSync(path);
  if ((found.mode & FOR_OTHERS) === 0 || found.uid !== process.getuid?.()) return;
  chmodSync(path, mode);
}
