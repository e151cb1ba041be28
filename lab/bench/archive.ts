// Records simulated days, exports every dataset to Parquet and compares the export with the API's responses.
// `npx tallycast lab archive [--days 30] [--seed 7]`

import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DATASETS } from '../../src/cli/export/all-datasets.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { ANSWER_TABLES, type Answers, readInstant, readPast } from './archive/answers.ts';
import { reconcile } from './archive/reconcile.ts';
import { recordDays } from './archive/record-days.ts';

const { values } = parseArgs({
  options: { days: { type: 'string', default: '30' }, seed: { type: 'string', default: '7' } },
});
const hours = Number(values.days) * 24;
const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-archive-'));
const answers = Object.fromEntries(
  Object.entries(ANSWER_TABLES).map(([name, columns]) => [
    name,
    { columns, file: join(dataDir, `${name}.json`) },
  ]),
);
const exported: Record<string, string> = {};
try {
  let hour = 0;
  await recordDays({
    ...{ dataDir, hours, seed: Number(values.seed) },
    async onHour(ask, nowTs) {
      keep(await readInstant(ask, nowTs));
      if (++hour % 24 === 0) console.error(`day ${hour / 24}: ${Math.round(performance.now() / 1_000)} s`);
    },
    async onEnd(ask) {
      keep(await readPast(ask));
    },
  });
  for (const name of Object.keys(DATASETS)) await exportTo(name);
  const tallies = await reconcile({ exported, answers });
  console.table(
    Object.fromEntries(tallies.map(({ what, compared, different }) => [what, { compared, different }])),
  );
  for (const { what, example } of tallies) if (example !== null) console.log(`${what}: ${example}`);
  const sum = (of: 'compared' | 'different') => tallies.reduce((total, tally) => total + tally[of], 0);
  console.log(`${values.days} days: ${sum('compared')} values compared, ${sum('different')} different`);
  process.exitCode = sum('different') === 0 ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

function keep(read: Answers): void {
  for (const [name, rows] of Object.entries(read))
    appendFileSync(answers[name]!.file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

async function exportTo(name: string): Promise<void> {
  exported[name] = join(dataDir, `${name}.parquet`);
  const { code, err } = await runCommand(['export', name, exported[name], '--data-dir', dataDir]);
  if (code !== 0) throw new Error(`export ${name}: ${err}`);
  console.error(err.trim());
}
