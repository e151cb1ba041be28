// Imports a large file with bad lines.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORY_COLUMNS } from '../../src/domain/history-csv.ts';
import { importHistory } from '../../src/ingest/repair/import-history.ts';
import { describeStore } from '../store/engines.ts';

const NOW_TS = Date.UTC(2026, 0, 1);
const START_TS = Date.UTC(2010, 0, 1);
const LINES = 30_000;
const goodLine = (i: number) => `${i},${START_TS + i * 1_000},0,0,0,1`;

const WRONG = [
  ...['7,yesterday,0,0,0,1', '7,1000,maybe,0,0,1', '7,1000,0,0', '7,1000,0,0,0,1,1', ',1000,0,0,0,1'],
  ...['<script>,1000,0,0,0,1', '7,-1,0,0,0,1', '7,99999999999999999999,0,0,0,1', '7;1000;0;0;0;1'],
  ...[`7,${NOW_TS + 3_600_000},0,0,0,1`, `7,1000,0,0,0,${'1'.repeat(5_000)}`, '\0\0\0'],
  // A repeated line.
  goodLine(1),
];
/** The file's first line, its header, is line 1. */
const wrongLineOf = (at: number) => 900 * (at + 1);

describeStore('an import with bad lines', (test) => {
  test('reports each bad line by number and imports all other lines', async (store, place) => {
    const file = join(place.options.dataDir, 'history.csv');
    const lines = [HISTORY_COLUMNS.join(','), ...Array.from({ length: LINES }, (_, i) => goodLine(i))];
    WRONG.forEach((line, at) => {
      lines[wrongLineOf(at) - 1] = line;
    });
    // The last line is incomplete, and the file has no final line break.
    writeFileSync(file, [...lines, '9'.repeat(1 << 20)].join('\n'));
    const reported: number[] = [];
    const report = await importHistory(file, 'a', store.posts, NOW_TS, {
      onProgress() {},
      onRefused: (problem) => void reported.push(Number(/^line (\d+): /.exec(problem)?.[1])),
    });
    assert.deepEqual(
      reported.sort((left, right) => left - right),
      [...WRONG.map((_, at) => wrongLineOf(at)), LINES + 2],
    );
    assert.equal(report.imported, LINES - WRONG.length);
    assert.equal(await store.posts.count('a'), LINES - WRONG.length);
    assert.equal((await store.posts.listRecent('a', 1, 0))[0]?.createdTs, START_TS + (LINES - 1) * 1_000);
    assert.ok(report.badLines.length <= 100);
  });
});
