import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { HOUR_MS } from '../domain/units.ts';
import { runBacktest } from './commands/backtest.ts';

const START_TS = Date.UTC(2025, 0, 1);
const hasHistory = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname }).status === 0;
const skip = hasHistory ? false : 'not a clone: no revision to compare with';

describe('backtest comparison with another revision', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-compare-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const posts = join(folder, 'posts.csv');
  // Six posts on even days and three on odd ones, for two months.
  const hours = Array.from({ length: 60 * 24 }, (_, h) => h).filter((h) =>
    Math.floor(h / 24) % 2 === 0 ? h % 4 === 0 : h % 8 === 0,
  );
  const lines = hours.map((h) => `${h + 1},${START_TS + h * HOUR_MS},0,0,0,1`);
  const csv = ['tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted', ...lines].join('\n');
  writeFileSync(posts, csv);

  function backtest(revision: string): string {
    let printed = '';
    const io = {
      readText: () => csv,
      writeText: () => {},
      print: (text: string) => {
        printed += text;
      },
      report: () => {},
    };
    const plan = ['--from', '2025-02-18', '--to', '2025-02-27', '--starts', 'tue', '--leads', '24,72'];
    runBacktest(['--posts', posts, ...plan, '--compare', revision], io);
    return printed;
  }

  it('scores the revision on the same windows, in the same tables', () => {
    const printed = backtest('HEAD');
    const rowsOf = (model: string) => [...printed.matchAll(new RegExp(`^${model} +(\\d+) `, 'gm'))];
    assert.equal(rowsOf('HEAD').length, 2);
    assert.deepEqual(
      rowsOf('HEAD').map((row) => row[1]),
      rowsOf('tallycast').map((row) => row[1]),
    );
  });

  it('reports a revision that does not exist', () => {
    assert.throws(() => backtest('no-such-revision'), /--compare no-such-revision/);
  });
});
