// Synthetic accounts of known kinds: on each the model must come close to its best member without knowing the
// kind.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import type { MarketZone } from '../../src/forecast/time/market-zone.ts';
import type { PostHistory } from '../../src/forecast/types.ts';
import { createRandom, type Random } from '../../src/runtime/random.ts';
import { coverageOf, mean } from './tables.ts';
import { LEADS, type Row, walkAccount } from './walk.ts';

const START_TS = Date.UTC(2024, 0, 1);
const POSTS_PER_DAY = 24;

/** Rate factor in an hour; hours count from the start. */
type RateRule = (hour: number) => number;

/** Each kind draws its random numbers once, in order, so that a seed produces one history. */
const FAMILIES: Readonly<Record<string, (random: Random) => RateRule>> = {
  poisson: () => () => 1,
  overdispersed: (random) => byDay(() => Math.exp(0.5 * random.normal() - 0.125)),
  'regime switches': (random) => {
    let level = 1;
    return byDay(() => {
      if (random.uniform() < 1 / 40) level = Math.exp(0.7 * random.normal());
      return level;
    });
  },
  'self-exciting': (random) => {
    let heat = 0;
    return () => {
      heat = 0.75 * heat + (random.uniform() < 0.04 ? 6 * random.uniform() : 0);
      return 0.6 + heat;
    };
  },
  'weekly cycle': () => (hour) => [1.3, 1.2, 1.2, 1.2, 1.1, 0.4, 0.6][Math.floor(hour / 24) % 7]!,
  trend: () => (hour) => Math.exp(0.004 * (hour / 24 - 250)),
  'holiday silence': () => (hour) => (Math.floor(hour / 24) % 90 < 6 ? 0.05 : 1),
};

function byDay(draw: () => number): RateRule {
  const days: number[] = [];
  return (hour) => {
    while (days.length <= Math.floor(hour / 24)) days.push(draw());
    return days[Math.floor(hour / 24)]!;
  };
}

/** Awake from 12:00 to 04:00 UTC, busiest around 20:00. */
function dailyCycle(hour: number): number {
  return Math.max(0.05, 1 + 1.2 * Math.cos((2 * Math.PI * ((hour % 24) - 20)) / 24));
}

export function drawFamily(name: string, days: number, seed: number): PostHistory {
  const random = createRandom(seed).fork(name);
  const rule = FAMILIES[name]!(random.fork('rate'));
  const times: number[] = [];
  for (let hour = 0; hour < 24 * days; hour++) {
    const rate = (POSTS_PER_DAY / 25) * dailyCycle(hour) * rule(hour);
    for (let wait = waitOf(random); wait < rate; wait += waitOf(random)) {
      times.push(START_TS + hour * HOUR_MS + Math.floor((wait / rate) * HOUR_MS));
    }
  }
  return { createdTs: Float64Array.from(times), isCounted: new Uint8Array(times.length).fill(1) };
}

/** Exponential with mean 1. */
function waitOf(random: Random): number {
  return -Math.log(1 - random.uniform());
}

export interface FamilyResult {
  name: string;
  lead: number;
  best: string;
  /** The model's CRPS relative to the best single member's, minus 1, in percent. */
  behindPercent: number;
  coverage: number;
  windows: number;
}

export interface FamilyPlan {
  days: number;
  fromDay: number;
  stepDays: number;
  leads: readonly number[];
}

export const WHOLE_PLAN: FamilyPlan = { days: 420, fromDay: 200, stepDays: 1, leads: LEADS };

export function scoreFamilies(
  zone: MarketZone,
  plan: FamilyPlan,
  names = Object.keys(FAMILIES),
): FamilyResult[] {
  return names.flatMap((name) => {
    const history = drawFamily(name, plan.days, 5);
    const windows = [];
    for (let day = plan.fromDay; day + 8 < plan.days; day += plan.stepDays) {
      const startTs = START_TS + day * DAY_MS + 17 * HOUR_MS;
      windows.push({ startTs, endTs: startTs + 7 * DAY_MS });
    }
    const account = { name, group: 'others' as const, history, windows };
    const rows = walkAccount(account, { zone, before: null, withMembers: true });
    return plan.leads.map((lead) => summarise(name, lead, rows));
  });
}

function summarise(name: string, lead: number, rows: readonly Row[]): FamilyResult {
  const own = rows.filter((row) => row.lead === lead);
  const crpsOf = (model: string) => mean(own.map((row) => row.scores[model]!.crps));
  const members = Object.keys(own[0]!.scores).filter((model) => !['model', 'pool', 'pace'].includes(model));
  const best = members.reduce((a, b) => (crpsOf(b) < crpsOf(a) ? b : a));
  return {
    name,
    lead,
    best,
    behindPercent: 100 * (crpsOf('model') / crpsOf(best) - 1),
    coverage: coverageOf(own, 'model'),
    windows: own.length,
  };
}

export function printFamilies(results: readonly FamilyResult[]): void {
  console.log(
    '\nSynthetic accounts: CRPS behind the best single member in percent, coverage of the 90% interval, by lead',
  );
  for (const [name, own] of Map.groupBy(results, (result) => result.name)) {
    const cells = own.map(
      ({ lead, best, behindPercent, coverage }) =>
        `${lead} h ${behindPercent.toFixed(1)} (${best}) ${coverage.toFixed(0)}`,
    );
    console.log(`  ${name.padEnd(20)} ${cells.join('  ')}  (${own[0]!.windows} windows)`);
  }
}
