// Reads and writes the whole configuration file.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { errorMessage, UsageError } from '../runtime/errors.ts';

const USUAL = 'tallycast.config.json';

export function configFilePath(env: Readonly<Record<string, string | undefined>>): string {
  return env.TALLYCAST_CONFIG ?? USUAL;
}

export function readConfigObject(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // The parser's message quotes the surrounding text, which may contain a secret.
    const place = /\(line \d+ column \d+\)/.exec(errorMessage(error))?.[0] ?? '';
    throw new UsageError(`${path} is not valid JSON ${place}`.trimEnd());
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new UsageError(`${path} must contain one JSON object`);
  }
  return parsed as Record<string, unknown>;
}

/** Atomic: a crash during the write leaves the old file unchanged. */
export function writeConfigObject(path: string, content: object): void {
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
