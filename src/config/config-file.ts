// Reads and writes the whole configuration file.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { errorMessage, UsageError } from '../runtime/errors.ts';

const USUAL = 'tallycast.config.json';

export function configFilePath(env: Readonly<Record<string, string | undefined>>): string {
  return env.TALLYCAST_CONFIG ?? USUAL;
}

export function readConfigObject(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${errorMessage(error)}`);
  }
}

/** Atomic: a crash during the write leaves the old file unchanged. */
export function writeConfigObject(path: string, content: object): void {
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
