// lab forecast: scores the forecaster against the reference pool and the previous version.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { SharedKnowledge } from '../../src/forecast/model/shared-coefficients.ts';
import { getMarketZone } from '../../src/forecast/time/market-zone.ts';
import { fitSharedKnowledge } from './leave-out.ts';
import { readAccounts } from './sample.ts';
import { printAccounts, printCalibration, printLeads } from './tables.ts';
import type { CreateForecaster } from './walk.ts';
import { walkAccount } from './walk.ts';

// Loads the forecaster of an earlier revision from that revision's files.

/** The last revision with the previous model. */
const BEFORE = 'df919901';

async function loadBefore(revision: string): Promise<CreateForecaster> {
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: '../shared/data' },
    before: { type: 'string', default: BEFORE },
    accounts: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const zone = getMarketZone('America/New_York');
const say = (line: string) => void process.stderr.write(`${line}\n`);
const parts = positionals.length > 0 ? positionals : ['accounts'];
if (parts.includes('accounts')) await scoreAccounts();
if (parts.includes('fit')) publishFit();

function fitShared() {
  const others = readAccounts(values.data, zone, 1).filter(({ group }) => group === 'others');
  return fitSharedKnowledge(others, zone, say);
}

/** Prints the fitted numbers, or writes them to the shipped source file. */
function publishFit(): void {
  const text = JSON.stringify(fitShared().all).replaceAll(/"(\w+)":/g, '$1:');
  if (!values.write) return void console.log(text);
  const root = resolve(import.meta.dirname, '../..');
  const file = join(root, 'src/forecast/model/fitted-numbers.ts');
  writeFileSync(
    file,
    `// Written by \`lab forecast fit --write\`; do not edit.\n\nexport const FITTED_NUMBERS = ${text};\n`,
  );
  execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', file], { cwd: root });
}

async function scoreAccounts(): Promise<void> {
  const before = values.before === 'none' ? null : await loadBefore(values.before);
  const wanted = values.accounts?.split(',');
  const accounts = readAccounts(values.data, zone, values.quick ? 3 : 1).filter(
    ({ name }) => !wanted || wanted.includes(name),
  );
  const needsFits = accounts.some(({ group }) => group === 'others');
  const shared = needsFits ? fitShared().leftOut : new Map<string, SharedKnowledge>();
  const rows = accounts.flatMap((account) => {
    say(`${account.name} ${account.windows.length} windows`);
    const own = shared.get(account.name);
    return walkAccount(account, { zone, before, ...(own && { shared: own }) });
  });
  for (const [title, group] of [
    ['Other accounts, each left out of the shared fit', 'others'],
    ['A', 'A'],
    ['B', 'B'],
  ] as const) {
    const own = rows.filter((row) => row.group === group);
    if (own.length === 0) continue;
    printLeads(title, own);
    printAccounts(own);
    printCalibration(title, own);
  }
}
