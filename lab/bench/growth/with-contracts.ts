// Twenty accounts with six contracts each, two of them under a rule that excludes deleted posts: measures the
// time from a post until its account's forecasts are updated, and from a post by every account until all
// forecasts are updated. CPU time on one core.

import { idAtPlace, profileOfLetter } from '../../../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../../src/domain/units.ts';
import { getAccountParameters } from '../../../src/forecast/parameters.ts';
import { createForecastEngine, type EventTask } from '../../../src/jobs/forecasting/forecast-engine.ts';
import { createRandom } from '../../../src/runtime/random.ts';
import type { BenchOptions } from '../core/bench.ts';
import { type BenchRow, limitRow } from '../core/row.ts';

const ACCOUNTS = 20;
const HISTORY_DAYS = 120;
/** A post's forecasts must be updated within a second. */
const LIMIT_MS = 1_000;
const NOW_TS = Date.UTC(2026, 10, 11, 19);
/** Days since each contract started, and days until it ends. */
const WINDOWS = [
  [1, 1],
  [3, 4],
  [6, 1],
  [10, 20],
  [0.5, 0.5],
  [3, 4],
] as const;

export async function measureContracts({ say }: BenchOptions): Promise<BenchRow[]> {
  say(`${ACCOUNTS} accounts with ${WINDOWS.length} contracts each`);
  const engine = createForecastEngine();
  const ids = Array.from({ length: ACCOUNTS }, (_, place) => idAtPlace(place));
  for (const [place, id] of ids.entries()) {
    engine.load(id, drawHistory(place), getAccountParameters(profileOfLetter('b')));
    // The first forecast fits the model; a forecast after a post does not.
    engine.forecast(id, listTasks(0), NOW_TS);
  }
  const eachMs = ids.map((id, i) => {
    const before = process.cpuUsage();
    const asofTs = NOW_TS + (i + 1) * 1_000;
    engine.observe(id, [{ createdTs: asofTs, isCounted: true }]);
    engine.forecast(id, listTasks(1), asofTs);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  const allMs = eachMs.reduce((sum, ms) => sum + ms, 0);
  return [
    limitRow('contracts: post to its 6 forecasts, worst of 20 accounts, ms', Math.max(...eachMs), LIMIT_MS),
    limitRow('contracts: all forecasts of 20 accounts with 6 contracts, one core, ms', allMs, LIMIT_MS),
  ];
}

function drawHistory(place: number) {
  const random = createRandom(place + 1);
  const perDay = 15 + 5 * place;
  const times: number[] = [];
  for (let ts = NOW_TS - HISTORY_DAYS * DAY_MS; ts < NOW_TS; ) {
    const hour = (ts / HOUR_MS) % 24;
    const pace = perDay * (1 + 0.8 * Math.sin((hour * Math.PI) / 12));
    ts += -Math.log(1 - random.uniform()) * (DAY_MS / pace);
    times.push(ts);
  }
  return { createdTs: Float64Array.from(times), isCounted: new Uint8Array(times.length).fill(1) };
}

function listTasks(news: number): EventTask[] {
  const ranges = Array.from({ length: 11 }, (_, i) => ({ lo: 20 * i, hi: i === 10 ? null : 20 * i + 19 }));
  return WINDOWS.map(([agoDays, leftDays], i) => ({
    eventId: i + 1,
    window: { startTs: NOW_TS - agoDays * DAY_MS, endTs: NOW_TS + leftDays * DAY_MS },
    countSoFar: Math.round(20 * agoDays) + news,
    ranges,
    wantsBaselines: false,
    contract: {
      changeRate: 0.03,
      ...(i >= 4 && {
        thinning: { comingKept: 0.95, standing: [{ posts: Math.round(20 * agoDays), kept: 0.98 }] },
      }),
    },
  }));
}
