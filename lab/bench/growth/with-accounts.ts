// Measures the running service with an increasing number of accounts: restarted on a store with their
// history, idle, and under load.

import { setTimeout as wait } from 'node:timers/promises';
import { idAtPlace } from '../../../src/domain/account-profile.ts';
import { createRandom } from '../../../src/runtime/random.ts';
import type { BenchOptions } from '../core/bench.ts';
import { readRssMb } from '../core/processes.ts';
import { type BenchRow, limitRow } from '../core/row.ts';
import { startWholeService, type WholeService } from '../load/whole-service.ts';
import { measureCpuShare, measureRequestCpuUs, settleMs } from './at-rest.ts';
import { bornTs, fillPosts, type Past } from './fill-posts.ts';
import { seriesRow } from './series.ts';

const HISTORY_POSTS = 5_000;
/** Posts per day of the calmest and the busiest account. */
const PER_DAY = [15, 150] as const;
const FORECASTS_WITHIN_MS = 180_000;
/** Every account is forecast once within this time. */
const REFRESH_S = 60;

interface Cost {
  firstAnswerMs: number;
  firstForecastMs: number;
  allForecastsMs: number;
  /** Share of account pairs in which the busier one is forecast first. */
  inOrder: number;
  cpuShare: number;
  requestUs: number;
  rssMb: number;
}

export async function measureAccounts(options: BenchOptions): Promise<BenchRow[]> {
  const sizes = options.isQuick ? [2, 12] : [2, 20, 200];
  const costs: Cost[] = [];
  for (const accounts of sizes) costs.push(await measure(options, accounts));
  const row = (what: string, pick: (cost: Cost) => number, grows: 'not' | 'linearly') =>
    seriesRow({ of: 'accounts', what, sizes, costs: costs.map(pick), grows });
  return [
    row('restart to first response, ms', ({ firstAnswerMs }) => firstAnswerMs, 'linearly'),
    row('restart to first new forecast, ms', ({ firstForecastMs }) => firstForecastMs, 'linearly'),
    row('restart to all forecasts, ms', ({ allForecastsMs }) => allForecastsMs, 'linearly'),
    limitRow(
      `growth, accounts: share of pairs where the calmer account is forecast first, at ${sizes.at(-1)}`,
      1 - costs.at(-1)!.inOrder,
      0.25,
    ),
    row('idle CPU, cores', ({ cpuShare }) => cpuShare, 'linearly'),
    row('idle memory, MB', ({ rssMb }) => rssMb, 'linearly'),
    row('/meta CPU µs/request', ({ requestUs }) => requestUs, 'not'),
  ];
}

async function measure(options: BenchOptions, accounts: number): Promise<Cost> {
  options.say(`${accounts} accounts: filling a store, then starting for the first time`);
  const ids = Array.from({ length: accounts }, (_, place) => idAtPlace(place));
  const pasts = listPasts(ids);
  const service = await startWholeService(options, {
    args: ['--accounts', String(accounts)],
    simulatorArgs: ['--accounts', String(accounts), '--anchor', String(bornTs())],
    fill: async (dataDir) => fillPosts(dataDir, pasts),
    isAtOnce: true,
  });
  try {
    await waitForForecasts(service, ids);
    options.say(`${accounts} accounts: restarting`);
    const again = await service.restart();
    await fetch(`${again.url}/api/v1/meta/account_a`).then((response) => response.arrayBuffer());
    const firstAnswerMs = performance.now() - again.startedMs;
    const forecastMs = await waitForForecasts(again, ids);
    await wait(settleMs(options));
    const requestUs = await measureRequestCpuUs(options, again, '/api/v1/meta/account_a');
    const cpuShare = await measureCpuShare(again.pid, options.isQuick ? 2 : REFRESH_S);
    const times = ids.map((id) => forecastMs.get(id)!);
    return {
      firstAnswerMs,
      firstForecastMs: Math.min(...times),
      allForecastsMs: Math.max(...times),
      inOrder: shareInOrder(pasts, times),
      cpuShare,
      requestUs,
      rssMb: readRssMb(again.pid),
    };
  } finally {
    await service.stop();
  }
}

/** Rates between calm and busy, in random order. */
function listPasts(ids: readonly string[]): Past[] {
  const random = createRandom(3);
  const [calm, busy] = PER_DAY;
  return ids.map((accountId) => ({
    accountId,
    posts: HISTORY_POSTS,
    untilTs: bornTs() - 1,
    perDay: calm * (busy / calm) ** random.uniform(),
  }));
}

/** Milliseconds from spawning the command until each account has a new forecast. */
async function waitForForecasts(service: WholeService, ids: readonly string[]): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  const giveUpMs = service.startedMs + FORECASTS_WITHIN_MS;
  while (seen.size < ids.length) {
    const response = await fetch(`${service.url}/api/v1/health`);
    const { feeds } = (await response.json()) as { feeds: Record<string, Feeds> };
    if (performance.now() > giveUpMs) throw new Error(describeMissing(ids, seen, feeds));
    for (const id of ids) {
      const updatedTs = feeds[`account_${id}`]?.forecast?.updated_ts ?? 0;
      if (!seen.has(id) && updatedTs >= service.startedTs)
        seen.set(id, performance.now() - service.startedMs);
    }
    await wait(50);
  }
  return seen;
}

type Feeds = Record<string, { updated_ts: number | null } | undefined>;

function describeMissing(
  ids: readonly string[],
  seen: ReadonlyMap<string, number>,
  feeds: Record<string, Feeds>,
): string {
  const missing = ids.filter((id) => !seen.has(id));
  const example = JSON.stringify(feeds[`account_${missing[0]}`]);
  return `${seen.size} of ${ids.length} accounts have forecasts; account_${missing[0]} has none: ${example}`;
}

function shareInOrder(pasts: readonly Past[], times: readonly number[]): number {
  let [inOrder, pairs] = [0, 0];
  for (const [i, one] of pasts.entries()) {
    for (const [j, other] of pasts.entries()) {
      if (one.perDay <= other.perDay) continue;
      pairs += 1;
      if (times[i]! <= times[j]!) inOrder += 1;
    }
  }
  return pairs === 0 ? 1 : inOrder / pairs;
}
