// npx tallycast lab import-lines --lines 10000000: imports a history file with bad and repeated lines into an
// embedded store. Every bad line is reported by number, every good one imported, and memory stays flat.

import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HISTORY_COLUMNS } from '../../src/domain/history-csv.ts';
import { importHistory } from '../../src/ingest/repair/import-history.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { expectedOf, historyLine } from '../../test/ingest/wrong-lines.ts';

const NOW_TS = Date.UTC(2026, 0, 1);
const MEGABYTE = 1 << 20;
/** Above the memory at a tenth of the file: collector noise, not growth with the file. */
const GROWTH_MB = 150;

const { values } = parseArgs({ options: { lines: { type: 'string', default: '1000000' } } });
const lines = Number(values.lines);
const folder = mkdtempSync(join(tmpdir(), 'tallycast-import-'));
const file = join(folder, 'history.csv');
try {
  await writeHistory();
  process.exitCode = (await prove()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function writeHistory(): Promise<void> {
  const out = createWriteStream(file);
  out.write(`${HISTORY_COLUMNS.join(',')}\n`);
  for (let i = 0; i < lines; i++) if (!out.write(`${historyLine(i, NOW_TS)}\n`)) await once(out, 'drain');
  await new Promise<void>((resolve) => out.end(resolve));
}

async function prove(): Promise<boolean> {
  const store = await openStore({ dataDir: folder, clock: systemClock, logger: silentLogger });
  const expected = expectedOf(lines);
  const told = { right: 0, wrong: 0 };
  const memory = { early: 0, most: 0 };
  const startedMs = performance.now();
  const report = await importHistory(file, 'a', store.posts, NOW_TS, {
    onProgress({ linesRead }) {
      const usedMb = process.memoryUsage.rss() / MEGABYTE;
      if (linesRead <= lines / 10) memory.early = Math.max(memory.early, usedMb);
      memory.most = Math.max(memory.most, usedMb);
    },
    onRefused(problem) {
      const line = Number(/^line (\d+):/.exec(problem)?.[1]);
      told[expected.isRefused(line) ? 'right' : 'wrong'] += 1;
    },
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  const stored = await store.posts.count('a');
  await store.close();
  console.log(
    `${report.linesRead} lines in ${seconds.toFixed(0)} s: ${report.imported} imported (${stored} stored, ${expected.taken} right), ` +
      `${report.badLineCount} bad and ${report.duplicates} repeated of ${expected.refused} reported by number, ${told.wrong} wrongly`,
  );
  console.log(
    `memory at most ${memory.early.toFixed(0)} MB in the first tenth, ${memory.most.toFixed(0)} MB in all`,
  );
  return (
    stored === expected.taken &&
    report.imported === expected.taken &&
    told.right === expected.refused &&
    told.wrong === 0 &&
    memory.most - memory.early < GROWTH_MB
  );
}
