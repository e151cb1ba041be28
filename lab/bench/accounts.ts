// npx tallycast lab bench accounts --accounts 2,20: the cost of one more account. Each account records a post
// and publishes forecasts of four events from 150 days of history, as the leader does.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { getAccountParameters } from '../../src/forecast/parameters.ts';
import { createForecastEngine } from '../../src/jobs/forecasting/forecast-engine.ts';
import { createManualClock, systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { samplePost } from '../../test/store/samples.ts';
import { createSimulator } from '../simulator/simulator.ts';

const NOW_TS = Date.UTC(2026, 8, 18, 15);
const HISTORY_DAYS = 150;
const EVENT_DAYS = [2, 7, 7, 30];

const { values } = parseArgs({ options: { accounts: { type: 'string', default: '2,20' } } });
const counts = values.accounts.split(',').map(Number);

console.log(
  '| accounts | fit, once (s) | one publication of all (ms) | one post of each, durable (ms) | memory (MB) |',
);
console.log('|---|---|---|---|---|');
for (const count of counts) console.log(await measure(count));

async function measure(count: number): Promise<string> {
  const history = readHistory();
  const engine = createForecastEngine();
  const parameters = getAccountParameters(profileOfLetter('a'));
  const ids = Array.from({ length: count }, (_, index) => `account-${index}`);
  const tasks = EVENT_DAYS.map((days, index) => ({
    eventId: index + 1,
    window: { startTs: NOW_TS - DAY_MS, endTs: NOW_TS + days * DAY_MS },
    countSoFar: 40,
    ranges: Array.from({ length: 20 }, (_, bucket) => ({
      lo: bucket * 20,
      hi: bucket === 19 ? null : bucket * 20 + 19,
    })),
    wantsBaselines: false,
  }));
  const fitMs = time(() => {
    for (const id of ids) {
      engine.load(id, history, parameters);
      engine.forecast(id, tasks, NOW_TS);
    }
  });
  const publishMs = time(() => {
    for (const id of ids) {
      engine.observe(id, [{ createdTs: NOW_TS + HOUR_MS, isCounted: true }]);
      engine.forecast(id, tasks, NOW_TS + HOUR_MS);
    }
  });
  const storeMs = await timeStore(ids);
  const memoryMb = process.memoryUsage().rss / 2 ** 20;
  return `| ${count} | ${(fitMs / 1000).toFixed(1)} | ${publishMs.toFixed(0)} | ${storeMs.toFixed(0)} | ${memoryMb.toFixed(0)} |`;
}

function readHistory() {
  const clock = createManualClock(NOW_TS);
  const simulator = createSimulator({
    seed: 5,
    anchorTs: NOW_TS - (NOW_TS % DAY_MS) - HISTORY_DAYS * DAY_MS,
    clock,
  });
  const posts = simulator.truePosts(0, NOW_TS, 'a');
  return {
    createdTs: Float64Array.from(posts, ({ createdTs }) => createdTs),
    isCounted: Uint8Array.from(posts, ({ isCounted }) => Number(isCounted)),
  };
}

/** Concurrent, as with real polls: commits are grouped. */
async function timeStore(ids: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-accounts-'));
  const store = await openStore({ dataDir: folder, clock: systemClock, logger: silentLogger });
  try {
    await store.posts.recordCaptures([samplePost({ postId: 'first' })]);
    const startedMs = performance.now();
    await Promise.all(
      ids.map((accountId) => store.posts.recordCaptures([samplePost({ accountId, postId: accountId })])),
    );
    return performance.now() - startedMs;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** CPU time of this thread, independent of other load. */
function time(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
