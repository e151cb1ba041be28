// Tools for development, diagnosis and rare operations: `npx tallycast lab NAME`.

import { type CommandEntry, listGroups } from '../../src/cli/command.ts';

const SCENARIOS: readonly CommandEntry[] = [
  { name: 'storm', summary: 'run a seeded failure scenario', load: () => import('./storm.ts') },
  {
    name: 'counts',
    aliases: ['prove-counts'],
    summary: 'compare every count with the simulator through faults and kills',
    load: () => import('./counts.ts'),
  },
  {
    name: 'trading-days',
    summary: 'trade through faults and kills, compare the books with the exchange',
    load: () => import('./trading-days.ts'),
  },
  {
    name: 'trading-parity',
    summary: 'compare paper trading with the simulated exchange',
    load: () => import('./trading-parity.ts'),
  },
  {
    name: 'rule-weeks',
    summary: 'measure forecasts under two counting rules over simulated weeks',
    load: () => import('./rule-weeks.ts'),
  },
  {
    name: 'trading-latency',
    summary: 'measure the time from a signal to an order',
    load: () => import('./trading-latency.ts'),
  },
  {
    name: 'alerts',
    aliases: ['prove-notices'],
    summary: 'check alert delivery with many rules, hanging receivers and kills',
    load: () => import('./alerts.ts'),
  },
  {
    name: 'durability',
    aliases: ['prove-durability'],
    summary: 'check what is synced before it is acknowledged',
    load: () => import('./durability.ts'),
  },
  {
    name: 'disk-full',
    aliases: ['prove-disk-full'],
    summary: 'fill the disk at every write',
    load: () => import('./disk-full.ts'),
  },
  {
    name: 'siege',
    aliases: ['prove-siege'],
    summary: 'run every attack at once from twenty addresses',
    load: () => import('./siege.ts'),
  },
  {
    name: 'roles',
    aliases: ['roles-proof'],
    summary: 'kill leaders and restart the database under load',
    load: () => import('./roles.ts'),
  },
  {
    name: 'cures',
    aliases: ['prove-cures'],
    summary: 'revert each past fix and check that its test fails',
    load: () => import('./cures.ts'),
  },
  {
    name: 'weeks',
    summary: 'follow the advice over simulated weeks: predicted vs. observed, and the return',
    load: () => import('./weeks.ts'),
  },
  {
    name: 'dossier',
    summary: 'explain a settlement after the oracle stalled over the close',
    load: () => import('./dossier.ts'),
  },
  {
    name: 'steady',
    summary: 'watch advice for changes without cause',
    load: () => import('./steady.ts'),
  },
  {
    name: 'agents',
    summary: "answer a trader's questions through the agent tools and count tokens",
    load: () => import('./agents.ts'),
  },
  {
    name: 'market',
    summary: "compare the simulator's market with real ladders",
    load: () => import('./market.ts'),
  },
  { name: 'fuzz', summary: 'send mutated inputs to every parser', load: () => import('./fuzz.ts') },
  {
    name: 'fuzz-http',
    summary: 'send hostile requests over raw sockets',
    load: () => import('./fuzz-http.ts'),
  },
];

const BUILDS: readonly CommandEntry[] = [
  {
    name: 'forecast',
    summary: 'score the forecaster beside the reference pool and the version before',
    load: () => import('./forecast.ts'),
  },
  { name: 'bench', summary: 'measure every published figure', load: () => import('./bench.ts') },
  {
    name: 'test',
    summary: 'run all tests, some, or those a change touches',
    load: () => import('./test.ts'),
  },
  { name: 'packages', summary: 'build and check the published clients', load: () => import('./packages.ts') },
  {
    name: 'openapi',
    summary: 'write docs/openapi.json and the clients from the routes',
    load: () => import('./openapi.ts'),
  },
  {
    name: 'house',
    summary: 'compare the size of the code base with an earlier revision',
    load: () => import('./house.ts'),
  },
  { name: 'screenshots', summary: 'take a picture of every page', load: () => import('./screenshots.ts') },
];

const OPERATIONS: readonly CommandEntry[] = [
  {
    name: 'record',
    summary: 'record platform answers for some minutes, without credentials',
    load: () => import('./record.ts'),
  },
  {
    name: 'recheck',
    summary: 'recompute the recorded signals of settled events',
    load: () => import('./recheck.ts'),
  },
  { name: 'annotate', summary: 'add a note to the performance history', load: () => import('./annotate.ts') },
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
