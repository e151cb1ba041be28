// 100,000 simulated paths of a week, beside the same in C and numpy; and the distribution of a whole week
// ahead.

import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { createForecaster } from '../../src/forecast/forecaster.ts';
import { type CoreState, PRIOR_PARAMETERS } from '../../src/forecast/model/core-state.ts';
import { createRatePaths } from '../../src/forecast/model/rate-paths.ts';
import { drawCommonNormals, mixLoads } from '../../src/forecast/model/state-simulation.ts';
import { getAccountParameters } from '../../src/forecast/parameters.ts';
import { createRandom } from '../../src/runtime/random.ts';
import type { BenchOptions } from './core/bench.ts';
import { hasCommand } from './core/processes.ts';
import { type BenchRow, limitRow, pairedRow } from './core/row.ts';
import { median } from './core/statistics.ts';
import { SIMULATION_IN_C } from './forecast-simulation-c.ts';

export const about = `100,000 rate paths over seven days in three languages: sorted, thinned and mixed with counting noise into one mass function. C is compiled with -O2; numpy is the installed version and uses vector instructions. The week-ahead distribution is one forecast of a 168-hour window at its start. The last row is thread-seconds per second for 100 accounts with 5 events each, one post per account and second.`;

const PATHS = 100_000;
const STATE: CoreState = { mean: [0.1, -0.2, 0.5], cov: [0.03, -0.01, 0, 0.05, -0.005, 0.01], spread: 1 };
const END_TS = Date.UTC(2025, 8, 29, 16);

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const rounds = options.isQuick ? 1 : 9;
  const runC = compile(options);
  const runNumpy = findNumpy(options);
  const ours: number[] = [];
  const inC: number[] = [];
  const inNumpy: number[] = [];
  const simulate = createSimulation();
  for (let i = 0; i < 3; i++) simulate();
  for (let round = 0; round < rounds; round++) {
    options.say(`round ${round + 1} of ${rounds}`);
    ours.push(median([simulate(), simulate(), simulate()]));
    if (runC) inC.push(runC());
    if (runNumpy) inNumpy.push(runNumpy());
  }
  const rows: BenchRow[] = [];
  if (runC) rows.push(pairedRow('simulation, 100,000 paths of 168 h: ms vs C', ours, inC, 'less', 1.5));
  if (runNumpy)
    rows.push(pairedRow('simulation, 100,000 paths of 168 h: ms vs numpy', ours, inNumpy, 'less', 2.5));
  return [...rows, ...measureDistribution(options)];
}

function createSimulation(): () => number {
  const paths = createRatePaths(drawCommonNormals(1, PATHS, 7));
  const blocks = { exposures: new Float64Array(7).fill(24), shares: new Float64Array(7).fill(1) };
  const loads = new Float64Array(PATHS);
  return () => {
    const startMs = performance.now();
    // A different state each time, to defeat caches.
    mixLoads(paths.loads({ ...STATE }, PRIOR_PARAMETERS, blocks, { loads }), 160);
    return performance.now() - startMs;
  };
}

function compile(options: BenchOptions): (() => number) | null {
  const compiler = ['cc', 'gcc', 'clang'].find(hasCommand);
  if (!compiler) {
    options.note('no C compiler here: the simulation in C is left out');
    return null;
  }
  const source = join(options.scratchDir, 'simulation.c');
  const program = join(options.scratchDir, 'simulation');
  const text = SIMULATION_IN_C.replace('#define PATHS 1024', `#define PATHS ${PATHS}`);
  // 60 repeats are for short runs; g * PATHS must not overflow.
  writeFileSync(
    source,
    text.replace('r < 60', 'r < 5').replace('times, 60', 'times, 5').replace('times[30]', 'times[2]'),
  );
  execFileSync(compiler, ['-O2', '-o', program, source, '-lm']);
  return () => Number(execFileSync(program, { encoding: 'utf8' }));
}

const NUMPY = `
import time, numpy as np
paths, blocks, groups, size = ${PATHS}, 7, 160, 80.0
rng = np.random.default_rng(1)
start, steps = rng.standard_normal((3, paths)), rng.standard_normal((blocks, 4, paths))
def simulate():
    f1, f2 = np.exp(-1 / 1.8), np.exp(-1 / 40.0)
    q1, q2 = 0.28 * np.sqrt(1 - f1 * f1), 0.5 * np.sqrt(1 - f2 * f2)
    l = np.linalg.cholesky(np.array([[0.03, -0.01, 0], [-0.01, 0.05, -0.005], [0, -0.005, 0.01]]))
    x1, x2, level = np.array([[0.1], [-0.2], [0.5]]) + l @ start
    load = np.zeros(paths)
    for z in steps:
        moving = np.exp(-0.25 * np.clip(x1 + x2, -1.5, 1.5))
        x1 = f1 * x1 + moving * q1 * z[0]
        x2 = f2 * x2 + moving * q2 * z[1]
        level = level + 0.015 * z[3]
        load += 24 * np.exp(x1 + x2 + level + moving * 0.3 * z[2])
    load.sort()
    centres = np.array([part.mean() for part in np.array_split(load, groups)])
    top = centres[-1]
    x = np.arange(int(top + 8 * np.sqrt(top + top * top / size) + 22 * (1 + top / size) + 9))
    logs = np.concatenate([[0.0], np.cumsum(np.log((x[1:] - 1 + size) / x[1:]))])
    q = centres / (centres + size)
    return np.exp(logs + np.outer(np.log(q), x) - size * np.log1p(centres / size)[:, None]).mean(0)
times = []
for _ in range(5):
    at = time.perf_counter(); simulate(); times.append(time.perf_counter() - at)
print(sorted(times)[2] * 1000)
`;

function findNumpy(options: BenchOptions): (() => number) | null {
  const python = ['/usr/bin/python3', 'python3'].find(
    (name) => spawnSync(name, ['-c', 'import numpy'], { stdio: 'ignore' }).status === 0,
  );
  if (!python) {
    options.note('numpy is not installed here: the simulation in numpy is left out');
    return null;
  }
  return () => Number(execFileSync(python, ['-c', NUMPY], { encoding: 'utf8' }));
}

function measureDistribution(options: BenchOptions): BenchRow[] {
  const forecaster = createForecaster(busyHistory(), getAccountParameters(profileOfLetter('a')), 1);
  const repeats = options.isQuick ? 5 : 41;
  const distributionMs: number[] = [];
  const postMs: number[] = [];
  const window = { startTs: END_TS, endTs: END_TS + 7 * DAY_MS };
  const events = [1, 2, 3, 5, 6].map((days) => ({
    startTs: END_TS - days * DAY_MS,
    endTs: END_TS + (7 - days) * DAY_MS,
  }));
  for (let i = 0; i < repeats; i++) {
    const asofTs = END_TS + i * 1_000;
    let startMs = performance.now();
    forecaster.forecast({ window: { ...window, startTs: asofTs }, asofTs, countSoFar: 0 });
    distributionMs.push(performance.now() - startMs);
    startMs = performance.now();
    forecaster.observe(asofTs, true);
    for (const event of events) forecaster.forecast({ window: event, asofTs, countSoFar: 100 + i });
    postMs.push(performance.now() - startMs);
  }
  const perSecond = (100 * median(postMs)) / 1_000;
  return [
    limitRow('distribution of the final count 168 h ahead: thread ms', median(distributionMs), 12),
    limitRow('refresh after a post, five events of an account: ms of one thread', median(postMs), 5),
    limitRow('100 accounts, 5 events each, a post a second each: cores needed', perSecond, 2),
  ];
}

function busyHistory() {
  const random = createRandom(41);
  const times: number[] = [];
  for (let h = 730 * 24; h > 0; h--) {
    for (let left = 3.3 * Math.exp(0.4 * random.normal()); random.uniform() < left; left--) {
      times.push(END_TS - h * HOUR_MS + Math.floor(random.uniform() * HOUR_MS));
    }
  }
  times.sort((a, b) => a - b);
  return { createdTs: Float64Array.from(times), isCounted: Uint8Array.from(times, (ts) => ts & 1) };
}
