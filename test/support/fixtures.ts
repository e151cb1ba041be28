// Recorded payloads of the platforms. They are not part of the project; without them, their tests are skipped.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', 'shared', 'fixtures');

/** For `skip`: why the fixtures cannot be read, or false. */
export const MISSING_FIXTURES = !existsSync(ROOT) && '../shared is missing';

export function readFixture(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

export function readJsonFixture(name: string): unknown {
  return JSON.parse(readFixture(name));
}

/** Names of the fixtures that match, sorted. */
export function listFixtures(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).sort();
}
