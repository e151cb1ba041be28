// lab forecast: scores the forecaster beside the reference pool and the version before it.

import { parseArgs } from 'node:util';
import { getMarketZone } from '../../src/forecast/time/market-zone.ts';
import { printFamilies, scoreFamilies, WHOLE_PLAN } from './families.ts';
import { printShared } from './fit-shared.ts';
import { printJumps, printYoung } from './hard-cases.ts';
import { readAccounts } from './sample.ts';
import { printCalibration, printLeads } from './tables.ts';
import { printTiming } from './timing.ts';
import { BEFORE, loadBefore } from './version-before.ts';
import { walkAccount } from './walk.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: '../shared/data' },
    before: { type: 'string', default: BEFORE },
    accounts: { type: 'string' },
    families: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});

const zone = getMarketZone('America/New_York');
const parts = positionals.length > 0 ? positionals : ['accounts', 'families', 'timing'];
if (parts.includes('timing')) printTiming();
if (parts.includes('families')) {
  printFamilies(
    scoreFamilies(zone, { ...WHOLE_PLAN, stepDays: values.quick ? 4 : 1 }, values.families?.split(',')),
  );
}
if (parts.includes('accounts')) await scoreAccounts();
if (parts.includes('young') || parts.includes('jumps')) {
  const wanted = values.accounts?.split(',') ?? ['A', 'B'];
  for (const account of readAccounts(values.data, zone, 1).filter(({ name }) => wanted.includes(name))) {
    if (parts.includes('young')) printYoung(account, zone, values.quick ? 30 : 100);
    if (parts.includes('jumps')) printJumps(account, zone, values.quick ? 4 : 12);
  }
}
if (parts.includes('fit')) {
  const others = readAccounts(values.data, zone, 1).filter(({ group }) => group === 'others');
  printShared(
    others.map(({ history }) => history),
    zone,
  );
}

async function scoreAccounts(): Promise<void> {
  const before = values.before === 'none' ? null : await loadBefore(values.before);
  const wanted = values.accounts?.split(',');
  const accounts = readAccounts(values.data, zone, values.quick ? 3 : 1).filter(
    ({ name }) => !wanted || wanted.includes(name),
  );
  const rows = accounts.flatMap((account) => {
    process.stderr.write(`${account.name} ${account.windows.length} windows\n`);
    return walkAccount(account, { zone, before, withMembers: false });
  });
  for (const [title, group] of [
    ['14 other accounts', 'others'],
    ['A', 'A'],
    ['B', 'B'],
  ] as const) {
    const own = rows.filter((row) => row.group === group);
    if (own.length === 0) continue;
    printLeads(title, own);
    printCalibration(title, own);
  }
}
