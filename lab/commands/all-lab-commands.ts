// Tools for development, diagnosis and rare operations: `npx tallycast lab NAME`.

import { type CommandEntry, listGroups } from '../../src/cli/command.ts';
import type { Lab } from '../../src/cli/run.ts';
import { toEntry } from './program-entry.ts';
import { SCENARIOS } from './scenarios.ts';

const BUILDS: readonly CommandEntry[] = [
  toEntry({
    name: 'forecast',
    summary: 'compare the forecaster with the reference pool and the previous version',
    script: 'lab/forecast/run.ts',
    usage: `[PART...] [options]

Score the forecaster against the reference pool, the negative-binomial pace and its previous version.

  accounts        14 public accounts, each left out of the shared fit, then A and B: skill, log score,
                  coverage, PIT, buckets (the default, about ten minutes on one core)
  fit             print the shared fit to the 14 accounts: coefficients, weights, widths
  --data DIR      folder of post files (default ../shared/data)
  --accounts LIST only these accounts, such as A,B,other-03
  --before REV    revision to compare with, or none
  --quick         use a third of the windows
  --write         with fit: write the numbers to the shipped source file

examples:
  npx tallycast lab forecast accounts --accounts A,B
  npx tallycast lab forecast fit`,
  }),
  toEntry({
    name: 'bench',
    summary: 'measure every published performance number',
    script: 'lab/bench/run.ts',
    usage: `[NAME...] [options]

Measure every published performance number against its baseline and print one table.

benches: hot, capture, start-up, overload
long bench, run only when named: soak

  --quick       fewer, shorter rounds
  --json        rows as JSON: [{name, ours, baseline, ratio, target, pass}]
  --minutes N   length of the soak
  --rate N      requests per second in the soak (default: half the capacity)
  --strict      exit 1 when a target is missed; by default only when a measurement failed

examples:
  npx tallycast lab bench hot start-up --quick`,
  }),
  toEntry({
    name: 'test',
    summary: 'run all tests or selected ones',
    script: 'scripts/test.ts',
    usage: `[PATH...] [node --test flags]

Run every test, or those under the given path prefixes, on SQLite, PostgreSQL, a real browser and the simulator. A failure
is never repeated. The run's clock starts at a fixed instant.

  --coverage      print the coverage of src; takes twice as long

examples:
  npm test
  npm test -- src/trade test/api`,
  }),
  toEntry({
    name: 'packages',
    summary: 'build and check the published clients',
    script: 'scripts/packages.ts',
    usage: `[FOLDER]

Build the JavaScript and Python clients into packages/dist or FOLDER, check them (publint, are-the-types-wrong, mypy, tests,
matching versions) and print their sizes.

examples:
  npx tallycast lab packages
  npm install packages/dist/tallycast-client-*.tgz
  pip install packages/dist/tallycast-*.whl`,
  }),
  toEntry({
    name: 'release',
    summary: 'build, check and publish everything that is published',
    script: 'scripts/release.ts',
    usage: `[VERSION] [--publish]

Build the service, the clients, the MCP bundle and the registry entry into packages/dist, check them, and run npm publish
--dry-run. With VERSION, first set it everywhere, date the changelog, commit and tag. Nothing is published without --publish.

examples:
  npx tallycast lab release
  npx tallycast lab release 1.6.0 --publish`,
  }),
  toEntry({
    name: 'artefacts',
    summary: 'use everything that is published from an empty folder',
    script: 'scripts/try-artefacts.ts',
    usage: `[FOLDER]

Install and use what lab release built (in packages/dist or FOLDER), each from an empty folder with the machine's Node and
Pythons: the npm package, the clients and the MCP bundle. Print the seconds of each step. Exits 1 if one does not work.

examples:
  npx tallycast lab release && npx tallycast lab artefacts`,
  }),
  toEntry({
    name: 'screenshots',
    summary: 'take a screenshot of every page',
    script: 'scripts/screenshots.ts',
    usage: `[--all FOLDER]

Take the screenshot in the README from the service on the simulator, in a few minutes.

  --all FOLDER     every page at 390 and 1440 px in both colour schemes`,
  }),
];

const OPERATIONS: readonly CommandEntry[] = [
  {
    name: 'pay',
    summary: 'pay for one call; print the response and the receipt',
    load: () => import('./pay.ts'),
  },
];

const GROUPS: readonly [string, readonly CommandEntry[]][] = [
  ['scenarios', SCENARIOS],
  ['benches and builds', BUILDS],
  ['diagnostics and rare operations', OPERATIONS],
];

export const LAB_COMMANDS: readonly CommandEntry[] = GROUPS.flatMap(([, entries]) => entries);

export const LAB: Lab = {
  commands: LAB_COMMANDS,
  describe: () => `usage: npx tallycast lab NAME [options]        npx tallycast lab NAME --help

${listGroups(GROUPS)}
`,
};
