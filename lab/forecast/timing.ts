// Measures the CPU time of a refresh after a post, and of a refit on two years of posts.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { createForecaster } from '../../src/forecast/forecaster.ts';
import { createRandom } from '../../src/runtime/random.ts';

const END_TS = Date.UTC(2025, 8, 29, 16);
const EVENTS = 5;
const REPEATS = 41;

export function printTiming(): void {
  const forecaster = createForecaster(
    busyHistory(730),
    { marketTimeZone: 'America/New_York', sleepPrior: 0.3, initialPostsPerDay: 20 },
    1,
  );
  const windows = Array.from({ length: EVENTS }, (_, i) => ({
    startTs: END_TS - (i + 1) * DAY_MS,
    endTs: END_TS + (6 - i) * DAY_MS,
  }));
  const refresh = timeWork(REPEATS, (i) => {
    const asofTs = END_TS + i * 1000;
    forecaster.observe(asofTs, true);
    for (const window of windows) forecaster.forecast({ window, asofTs, countSoFar: 100 + i });
  });
  const refit = timeWork(9, (i) => void forecaster.refit(END_TS - ((i + 1) % 2) * 7 * DAY_MS));
  console.log(
    `\nCPU time, median (fastest): refresh after a post, ${EVENTS} events ${refresh.median.toFixed(1)} (${refresh.fastest.toFixed(1)}) ms, limit 5; refit on two years ${refit.median.toFixed(0)} (${refit.fastest.toFixed(0)}) ms, limit 200`,
  );
}

/** About 80 posts a day, half of them counted. */
function busyHistory(days: number) {
  const random = createRandom(41);
  const times: number[] = [];
  for (let h = days * 24; h > 0; h--) {
    for (let left = 3.3 * Math.exp(0.4 * random.normal()); random.uniform() < left; left--) {
      times.push(END_TS - h * HOUR_MS + Math.floor(random.uniform() * HOUR_MS));
    }
  }
  times.sort((a, b) => a - b);
  return { createdTs: Float64Array.from(times), isCounted: Uint8Array.from(times, (ts) => ts & 1) };
}

/**
 * CPU time of this process. A busy machine still slows it through shared caches, so the fastest run is
 * closest to a quiet machine.
 */
function timeWork(repeats: number, work: (i: number) => void): { median: number; fastest: number } {
  const times = Array.from({ length: repeats }, (_, i) => {
    const before = process.cpuUsage();
    work(i);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  times.sort((a, b) => a - b);
  return { median: times[repeats >> 1]!, fastest: times[0]! };
}
