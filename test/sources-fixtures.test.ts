// Every payload in ../shared/fixtures goes through the parser it is meant for. They are not part of the project:
// where they are absent, the tests say so and are skipped.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isSameWindow } from '../src/domain/count-window.ts';
import { parseWindowSlug, parseWindowText } from '../src/domain/count-window-text.ts';
import { MARKET_TIME_ZONE } from '../src/domain/zoned-time.ts';
import { parseOraclePosts, parseTracking, parseTrackings } from '../src/sources/oracle/parse.ts';
import { parseOracleExport } from '../src/sources/oracle/parse-export.ts';
import { readEnvelope } from '../src/sources/oracle/wire.ts';
import { SNOWFLAKE_IDS, statusIdTs } from '../src/sources/status-id.ts';
import { asArray } from '../src/sources/wire-reader.ts';

const ROOT = join(import.meta.dirname, '..', '..', 'shared', 'fixtures');

function readFixture(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

function readJson(name: string): unknown {
  return JSON.parse(readFixture(name));
}

function whenPresent(test: (t: TestContext) => void): (t: TestContext) => void {
  return (t) => (existsSync(ROOT) ? test(t) : t.skip('../shared is absent'));
}

describe('payloads of the oracle', () => {
  const zone = MARKET_TIME_ZONE;

  it(
    'are read as trackings, none skipped',
    whenPresent(() => {
      for (const path of globSync(join(ROOT, 'oracle/user_*_trackings_list.json'))) {
        const values = asArray(readEnvelope(JSON.parse(readFileSync(path, 'utf8'))))!;
        const { trackings, skipped } = parseTrackings(values);
        assert.deepEqual([trackings.length, skipped], [values.length, []]);
      }
      for (const [file, count] of [
        ['complete_2026-04-17_24', 204],
        ['inprogress_2026-04-21_28', 98],
      ] as const) {
        const name = globSync(join(ROOT, `oracle/tracking_*_${file}.json`))[0]!;
        assert.equal(parseTracking(readEnvelope(JSON.parse(readFileSync(name, 'utf8'))))!.count, count);
      }
    }),
  );

  it(
    'state in title and slug the window that they track, but for two that the oracle has wrong',
    whenPresent(() => {
      let wrong = 0;
      let compared = 0;
      for (const path of globSync(join(ROOT, 'oracle/user_*_trackings_list.json'))) {
        const values = asArray(readEnvelope(JSON.parse(readFileSync(path, 'utf8'))))!;
        for (const tracking of parseTrackings(values).trackings) {
          const options = { timeZone: zone, nearEndTs: tracking.window.endTs };
          const windows = [
            parseWindowText(tracking.title, options),
            tracking.marketSlug === null ? tracking.window : parseWindowSlug(tracking.marketSlug, options),
          ];
          compared += 1;
          wrong += windows.every((window) => window && isSameWindow(window, tracking.window)) ? 0 : 1;
        }
      }
      assert.ok(compared > 100);
      assert.equal(wrong, 2);
    }),
  );

  it(
    'are read as posts',
    whenPresent(() => {
      const values = asArray(
        readEnvelope(
          readJson(basename(globSync(join(ROOT, 'oracle/posts_*.json'))[0]!).replace(/^/, 'oracle/')),
        ),
      )!;
      const posts = parseOraclePosts(values);
      assert.equal(posts.length, values.length);
      assert.equal(posts.filter((post) => post.isRetweet).length, 3);
    }),
  );

  it(
    'are read as an export whose times are those of the post ids',
    whenPresent(() => {
      const { rows, badLines } = parseOracleExport(readFixture('oracle/export_sample.csv'));
      assert.deepEqual(badLines, []);
      assert.ok(rows.length > 50);
      for (const row of rows) {
        const idTs = statusIdTs(row.postId, SNOWFLAKE_IDS)!;
        assert.ok(Math.abs(idTs - row.createdTs) <= 1_000, row.postId);
        assert.ok(row.importedTs! >= row.createdTs);
      }
    }),
  );
});
