// Tools for development, diagnosis and rare operations: `npx tallycast lab NAME`.

import { type CommandEntry, listGroups } from '../../src/cli/command.ts';
import { toEntry } from './program-entry.ts';
import { SCENARIOS } from './scenarios.ts';

const BUILDS: readonly CommandEntry[] = [
  toEntry({
    name: 'forecast',
    summary: 'compare the forecaster with the reference pool and the previous version',
    script: 'lab/forecast/run.ts',
    usage: `[PART...] [options]

Score the forecaster against the reference pool, the negative-binomial pace and its previous version. Without names the
first three parts run, in about ten minutes on one core.

  accounts        14 public accounts, each left out of the shared fit, then A and B: skill, log score,
                  coverage, PIT, buckets
  families        synthetic accounts of seven kinds against the best single member
  timing          refresh after a post, refit on two years
  young           A and B cut down to a few days of history
  jumps           A and B with a rate that is suddenly halved or doubled
  fit             print the shared fit to the 14: coefficients, weights, widths
  --data DIR      folder of posts (default ../shared/data)
  --accounts LIST only these, such as A,B,other-03
  --families LIST only these, such as poisson,trend
  --before REV    revision to compare with, or none
  --keep DIR      store fits and scored rows in DIR and continue from them
  --quick         a third of the windows
  --write         with fit: write the numbers into the shipped source file

examples:
  npx tallycast lab forecast accounts --accounts A,B
  npx tallycast lab forecast families timing`,
  }),
  {
    name: 'bench',
    summary: 'measure every published figure',
    load: () => import('./bench.ts'),
  },
  toEntry({
    name: 'test',
    summary: 'run all tests, selected ones or those a change affects',
    script: 'scripts/test.ts',
    usage: `[PATH...] [--changed[=REF]] [flags of node --test]

Run every test, or those with these path prefixes: SQLite, PostgreSQL, a real browser, the simulator. The last line has the
counts, versions and time.

  --changed       only tests affected by changes since main (or REF)
  --coverage      print the coverage of src, and fail below 90 % of lines; a full run takes twice as long

examples:
  npm test
  npm test -- src/trade test/api
  npm test -- --changed`,
  }),
  toEntry({
    name: 'packages',
    summary: 'build and check the published clients',
    script: 'scripts/packages.ts',
    usage: `[FOLDER]

Build the JavaScript and Python clients into packages/dist or FOLDER, check them (publint, are-the-types-wrong, mypy, tests,
one version for all) and print their sizes.

examples:
  npx tallycast lab packages
  npm install packages/dist/tallycast-client-*.tgz
  pip install packages/dist/tallycast-*.whl`,
  }),
  {
    name: 'openapi',
    summary: 'write docs/openapi.json and the clients from the routes',
    load: () => import('./openapi.ts'),
  },
  toEntry({
    name: 'house',
    summary: 'compare the size of the code base with an earlier revision',
    script: 'scripts/measure-house.ts',
    usage: `[REVISION]

Print lines, settings, commands, words of docs, circles inside rooms and marked words of REVISION (default: the last one
before the simplification) and of this checkout, measured by the same code.`,
  }),
  toEntry({
    name: 'screenshots',
    summary: 'take a screenshot of every page',
    script: 'scripts/screenshots.ts',
    usage: `[--all FOLDER | --record FOLDER]

Take the pictures of docs/img from the service on the simulator, in about four minutes.

  --all FOLDER     every page at 390 and 1440 px in both colour schemes
  --record FOLDER  the record page with 0, 5 and 500 made-up settled events`,
  }),
];

const OPERATIONS: readonly CommandEntry[] = [
  {
    name: 'record',
    summary: 'record platform answers for a few minutes, without credentials',
    load: () => import('./record.ts'),
  },
  {
    name: 'recheck',
    summary: 'recompute the recorded signals of settled events',
    load: () => import('./recheck.ts'),
  },
  {
    name: 'migrate-store',
    summary: 'copy the store from one engine to the other',
    load: () => import('./migrate-store.ts'),
  },
  {
    name: 'facilitator',
    summary: 'verify and settle per-call payments for your service',
    load: () => import('./facilitator.ts'),
  },
  {
    name: 'pay',
    summary: 'pay for one call, print the answer and the receipt',
    load: () => import('./pay.ts'),
  },
];

const GROUPS: readonly [string, readonly CommandEntry[]][] = [
  ['scenarios', SCENARIOS],
  ['benches and builds', BUILDS],
  ['diagnostics and rare operations', OPERATIONS],
];

export const LAB_COMMANDS: readonly CommandEntry[] = GROUPS.flatMap(([, entries]) => entries);

export function describeLab(): string {
  return `usage: npx tallycast lab NAME [options]        npx tallycast lab NAME --help

${listGroups(GROUPS)}
`;
}
