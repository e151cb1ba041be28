// Runs the backtest of another revision in a temporary copy and reads its forecasts back, so that both appear in one
// table.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CountDistribution } from '../forecast/types.ts';
import { errorMessage, UsageError } from '../runtime/errors.ts';

export interface PastForecast {
  startTs: number;
  endTs: number;
  leadHours: number;
  distribution: CountDistribution;
}

/** Every forecast of the revision in the same backtest; args are the command's, without --compare. */
export function forecastByRevision(revision: string, args: readonly string[]): PastForecast[] {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-revision-'));
  try {
    const tree = join(folder, 'tree');
    mkdirSync(tree);
    const archive = execFileSync('git', ['-C', root, 'archive', revision, 'src', 'package.json'], {
      maxBuffer: 1 << 30,
    });
    execFileSync('tar', ['-x', '-C', tree], { input: archive });
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    const out = join(folder, 'forecasts.ndjson');
    const posts = args.map((arg, i) => (args[i - 1] === '--posts' ? resolve(arg) : arg));
    execFileSync(process.execPath, [...entryOf(tree), ...posts, '--ndjson', out], {
      cwd: tree,
      stdio: 'ignore',
    });
    return parseForecasts(readFileSync(out, 'utf8'));
  } catch (error) {
    throw new UsageError(`--compare ${revision}: ${errorMessage(error).split('\n')[0]}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Older revisions have a separate backtest entry. */
function entryOf(tree: string): string[] {
  const alone = join(tree, 'src/bin/backtest.ts');
  return existsSync(alone) ? [alone] : [join(tree, 'src/bin/tallycast.ts'), 'backtest'];
}

function parseForecasts(ndjson: string): PastForecast[] {
  return ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = JSON.parse(line);
      return {
        startTs: row.start_ts,
        endTs: row.end_ts,
        leadHours: row.lead_h,
        distribution: { from: row.pmf_from, pmf: Float64Array.from(row.pmf) },
      };
    });
}
