// Times the forecaster: one event, all events of both accounts, a refit from two years, a post's refresh, a year's
// backtest; and the core simulation against the same one in C where a compiler is present.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { walkForward } from '../../src/forecast/backtest/walk-forward.ts';
import { listWindows } from '../../src/forecast/backtest/windows.ts';
import { createForecaster } from '../../src/forecast/forecaster.ts';
import { type CoreState, PRIOR_PARAMETERS } from '../../src/forecast/model/core-state.ts';
import { createRatePaths } from '../../src/forecast/model/rate-paths.ts';
import { drawCommonNormals, mixLoads } from '../../src/forecast/model/state-simulation.ts';
import { getAccountParameters } from '../../src/forecast/parameters.ts';
import { getMarketZone } from '../../src/forecast/time/market-zone.ts';
import type { PostHistory } from '../../src/forecast/types.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { SIMULATION_IN_C } from './forecast-simulation-c.ts';

const END_TS = Date.UTC(2025, 8, 29, 16);
const PATHS = 1024;
const STATE: CoreState = { mean: [0.1, -0.2, 0.5], cov: [0.03, -0.01, 0, 0.05, -0.005, 0.01], spread: 1 };

/** A busy account: about 80 posts a day, half of them counted, drifting by a factor of 3. */
function syntheticHistory(days: number): PostHistory {
  const random = createRandom(41);
  const times: number[] = [];
  for (let h = days * 24; h > 0; h--) {
    const perHour = 3.3 * Math.exp(0.5 * Math.sin(h / 700) + 0.3 * random.normal());
    for (let left = perHour; random.uniform() < left; left--) {
      times.push(END_TS - h * HOUR_MS + Math.floor(random.uniform() * HOUR_MS));
    }
  }
  times.sort((a, b) => a - b);
  return { createdTs: Float64Array.from(times), isCounted: Uint8Array.from(times, (ts) => ts & 1) };
}

function medianMs(repeats: number, work: (i: number) => void): number {
  const times = Array.from({ length: repeats }, (_, i) => {
    const startMs = performance.now();
    work(i);
    return performance.now() - startMs;
  });
  return times.sort((a, b) => a - b)[repeats >> 1]!;
}

function activeWindows() {
  const at = (days: number, length: number) => ({
    startTs: END_TS - days * DAY_MS,
    endTs: END_TS + (length - days) * DAY_MS,
  });
  return [at(1, 2), at(2, 7), at(5, 7), at(28, 31)];
}

function benchRefresh(history: PostHistory): BenchRow[] {
  const a = createForecaster(history, getAccountParameters(profileOfLetter('a')), 1);
  const b = createForecaster(history, getAccountParameters(profileOfLetter('b')), 1);
  const windows = activeWindows();
  const refresh = (forecaster: typeof a, asofTs: number, count = windows.length) => {
    for (const window of windows.slice(0, count)) forecaster.forecast({ window, asofTs, countSoFar: 100 });
  };
  refresh(a, END_TS);
  refresh(b, END_TS);
  const one = medianMs(40, (i) => refresh(a, END_TS + i * 1000, 2)) / 2;
  const all = medianMs(20, (i) => {
    refresh(a, END_TS + 60_000 + i * 1000);
    refresh(b, END_TS + 60_000 + i * 1000);
  });
  const post = medianMs(20, (i) => {
    a.observe(END_TS + 120_000 + i * 1000, true);
    refresh(a, END_TS + 120_000 + i * 1000);
  });
  // Neighbouring anchors, so that each call refits.
  const refit = medianMs(9, (i) => void b.refit(END_TS - (i % 2) * 7 * DAY_MS));
  return [
    limitRow('forecast: one event, ms', one, 15),
    limitRow('forecast: all events of both accounts, ms', all, 60),
    limitRow('forecast: all events of an account after a post, ms', post, 5),
    limitRow('forecast: refit from two years, ms', refit, 200),
  ];
}

/** A month of daily windows at eight leads with every member and baseline, scaled to a year. */
function benchBacktest(history: PostHistory): BenchRow {
  const zone = getMarketZone('America/New_York');
  const windows = listWindows(
    {
      length: { days: 7 },
      startWeekdays: [0, 1, 2, 3, 4, 5, 6],
      fromTs: END_TS - 44 * DAY_MS,
      toTs: END_TS - 7 * DAY_MS,
    },
    zone,
  );
  const startMs = performance.now();
  const leadsHours = [6, 12, 24, 48, 72, 96, 120, 168];
  const plan = {
    history,
    parameters: getAccountParameters(profileOfLetter('a')),
    windows,
    leadsHours,
    withOthers: true,
  };
  let rows = 0;
  for (const step of walkForward(plan)) rows += step.final >= 0 ? 1 : 0;
  const perYear = ((performance.now() - startMs) / rows) * 365 * leadsHours.length;
  return limitRow('backtest: one year, one account, 8 leads, all members, s', perYear / 1000, 60);
}

function simulationMs(): number {
  const paths = createRatePaths(drawCommonNormals(1, PATHS));
  const blocks = {
    exposures: new Float64Array(7).fill(24),
    shares: new Float64Array(7).fill(1),
  };
  // A different state each time, to defeat caches.
  return medianMs(60, () => void mixLoads(paths.loads({ ...STATE }, PRIOR_PARAMETERS, blocks), 160));
}

/** Milliseconds of the same simulation in C, or null without a compiler. */
function simulationInCMs(): number | null {
  const compiler = ['cc', 'gcc', 'clang'].find((name) => spawnSync('which', [name]).status === 0);
  if (!compiler) return null;
  const folder = mkdtempSync(join(tmpdir(), 'forecast-bench-'));
  try {
    writeFileSync(join(folder, 'simulation.c'), SIMULATION_IN_C);
    execFileSync(compiler, ['-O2', '-o', join(folder, 'simulation'), join(folder, 'simulation.c'), '-lm']);
    return Number(execFileSync(join(folder, 'simulation'), { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function run(): Promise<BenchRow[]> {
  const history = syntheticHistory(730);
  const rows = [...benchRefresh(history), benchBacktest(history)];
  const inC = simulationInCMs();
  if (inC !== null) {
    const ours = simulationMs();
    rows.push({
      name: 'simulation of a week against C, ms',
      ours,
      baseline: inC,
      ratio: ours / inC,
      target: 4,
      pass: ours <= 4 * inC,
    });
  }
  return rows;
}

if (import.meta.main) console.table(await run());
