// Imports a large file with bad lines.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORY_COLUMNS } from '../../src/domain/history-csv.ts';
import { importHistory } from '../../src/ingest/repair/import-history.ts';
import { describeStore } from '../store/engines.ts';
import { expectedOf, historyLine } from './wrong-lines.ts';

const NOW_TS = Date.UTC(2026, 0, 1);
const LINES = 30_000;

describeStore('an import with bad lines', (test) => {
  test('reports each bad line by number and imports all other lines', async (store, place) => {
    const file = join(place.options.dataDir, 'history.csv');
    const lines = Array.from({ length: LINES }, (_, i) => historyLine(i, NOW_TS));
    // The last line is incomplete, and the file has no final line break.
    writeFileSync(file, `${HISTORY_COLUMNS.join(',')}\n${lines.join('\n')}\n${'9'.repeat(1 << 20)}`);
    const reported: number[] = [];
    const report = await importHistory(file, 'a', store.posts, NOW_TS, {
      onProgress() {},
      onRefused: (problem) => void reported.push(Number(/^line (\d+): /.exec(problem)?.[1])),
    });
    const expected = expectedOf(LINES);
    const numbers = Array.from({ length: LINES }, (_, i) => i + 2).filter(expected.isRefused);
    assert.deepEqual(
      reported.sort((left, right) => left - right),
      [...numbers, LINES + 2],
    );
    assert.equal(report.imported, expected.taken);
    assert.equal(await store.posts.count('a'), expected.taken);
    assert.equal(
      (await store.posts.listRecent('a', 1, 0))[0]?.createdTs,
      Date.UTC(2010, 0, 1) + (LINES - 1) * 1_000,
    );
    assert.ok(report.badLines.length <= 100);
  });
});
