// Caches fits and scored rows in a folder, so that a long run can be split up and printed again.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from './walk.ts';

export interface KeptWork {
  /** The cached value, or the result of `work`. */
  once<T>(name: string, work: () => T): T;
  rowsOf(account: string, work: () => Row[]): Row[];
}

/** Without a folder, nothing is cached. */
export function openKeptWork(folder: string | undefined): KeptWork {
  if (folder === undefined) return { once: (_, work) => work(), rowsOf: (_, work) => work() };
  mkdirSync(folder, { recursive: true });
  const rowsFile = join(folder, 'rows.jsonl');
  const kept = existsSync(rowsFile) ? readFileSync(rowsFile, 'utf8').split('\n').filter(Boolean) : [];
  const rows = new Map(
    kept
      .map((line) => JSON.parse(line) as { account: string; rows: Row[] })
      .map((one) => [one.account, one.rows]),
  );
  return {
    once<T>(name: string, work: () => T): T {
      const file = join(folder, `${name}.json`);
      if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as T;
      const made = work();
      writeFileSync(file, JSON.stringify(made));
      return made;
    },
    rowsOf(account, work) {
      const known = rows.get(account);
      if (known) return known;
      const made = work();
      appendFileSync(rowsFile, `${JSON.stringify({ account, rows: made })}\n`);
      return made;
    },
  };
}
