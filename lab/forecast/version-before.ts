// Loads the forecaster of an earlier revision from that revision's files.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CreateForecaster } from './walk.ts';

/** The last revision with the previous model. */
export const BEFORE = 'df919901';

export async function loadBefore(revision: string): Promise<CreateForecaster> {
  const root = resolve(import.meta.dirname, '../..');
  const folder = mkdtempSync(join(tmpdir(), 'forecast-before-'));
  try {
    const archive = execFileSync('git', ['-C', root, 'archive', revision, 'src', 'package.json'], {
      maxBuffer: 1 << 30,
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    const file = pathToFileURL(join(folder, 'src/forecast/forecaster.ts')).href;
    return (await import(file)).createForecaster;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
