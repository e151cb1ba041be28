// Measures when a fresh store serves correct counts and forecasts, and when it reaches full speed while
// scoring past events.

import { setTimeout as wait } from 'node:timers/promises';
import type { EventTruth, PostTruth } from '../../simulator/truth.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import type { BenchOptions } from './core/bench.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { median, relativeSpread } from './core/statistics.ts';
import { generateLoad, rawRequest } from './load/generate.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';

export const about = `Starts with a fresh store. Ready means a correct count and a forecast for every running event; full speed is 0.87 of the \`/prediction\` rate in seconds 30 to 40.`;

const ACCOUNTS = ['a', 'b'];
const POLL_MS = 50;
const LONGEST_WINDOW_MS = 35 * DAY_MS;
const RIGHT_WITHIN_MS = 3_000;
const FULL_SPEED_WITHIN_S = 10;
const FULL = 0.87;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const starts = options.isQuick ? 1 : 3;
  const rightMs: number[] = [];
  for (let i = 0; i < starts; i++) {
    options.say(`fresh start ${i + 1} of ${starts}`);
    rightMs.push(await onFreshService(options, waitUntilRight));
  }
  options.say('speed by second');
  const speeds = await onFreshService(options, (service) => measureSpeeds(options, service));
  return [
    limitRow(
      'first-minute: counts and forecasts ready, ms',
      median(rightMs),
      RIGHT_WITHIN_MS,
      spreadOf(rightMs),
    ),
    limitRow('first-minute: full speed reached, s', findFullSpeedS(speeds), FULL_SPEED_WITHIN_S),
  ];
}

function spreadOf(values: readonly number[]): number | undefined {
  return values.length > 1 ? relativeSpread(values) : undefined;
}

async function onFreshService<T>(
  options: BenchOptions,
  use: (service: WholeService) => Promise<T>,
): Promise<T> {
  const service = await startWholeService(options, { proKeys: 0, isAtOnce: true });
  return use(service).finally(() => service.stop());
}

async function waitUntilRight(service: WholeService): Promise<number> {
  while (!(await isRight(service))) await wait(POLL_MS);
  return performance.now() - service.startedMs;
}

interface Truth {
  timestamp: number;
  events: EventTruth[];
  posts: PostTruth[];
}

interface Shown {
  event_id: number;
  real_counter: number | null;
  forecast?: { p50: number } | null;
}

async function isRight(service: WholeService): Promise<boolean> {
  const truth = await fetchTruth(service.simulatorUrl);
  const running = truth.events.filter(({ endTs }) => endTs > truth.timestamp);
  const shown = await Promise.all(ACCOUNTS.map((account) => fetchShown(service, account)));
  const byEvent = new Map(shown.flat().map((record) => [record.event_id, record]));
  return (
    running.length > 0 &&
    running.every((event) => {
      const record = byEvent.get(event.eventId);
      const count = record?.real_counter ?? Number.NaN;
      return count >= countStanding(event, truth.posts) && count <= event.counted && record?.forecast != null;
    })
  );
}

async function fetchTruth(simulatorUrl: string): Promise<Truth> {
  const ask = async (path: string) => (await fetch(`${simulatorUrl}/admin${path}`)).json();
  const { timestamp } = (await ask('/speed')) as Truth;
  return (await ask(`/truth?from=${timestamp - LONGEST_WINDOW_MS}&posts=true`)) as Truth;
}

/** Excludes deleted posts: if a post is deleted before we poll, only the oracle may have counted it. */
function countStanding(event: EventTruth, posts: readonly PostTruth[]): number {
  return posts.filter(
    ({ accountId, createdTs, isCounted, deletedTs }) =>
      accountId === event.accountId && createdTs >= event.startTs && isCounted && deletedTs === null,
  ).length;
}

async function fetchShown({ url, keys }: WholeService, account: string): Promise<Shown[]> {
  const response = await fetch(`${url}/api/v1/prediction/account_${account}`, {
    headers: { 'X-API-Key': keys.INTERNAL },
  });
  return ((await response.json()) as { data?: Shown[] }).data ?? [];
}

/** Requests in each second since the start; zero before the first response. */
async function measureSpeeds(options: BenchOptions, service: WholeService): Promise<number[]> {
  const requests = [rawRequest('/api/v1/prediction/account_a', { 'X-API-Key': service.keys.INTERNAL })];
  const load = { port: service.port, requests, connections: 8, seconds: 1 };
  while ((await fetchShown(service, 'a')).length === 0) await wait(POLL_MS);
  const speeds = Array<number>(Math.ceil((performance.now() - service.startedMs) / 1000)).fill(0);
  const untilS = options.isQuick ? 6 : 40;
  while (speeds.length < untilS) speeds.push((await generateLoad(options.scratchDir, load)).perSecond);
  options.note(
    `first minute, thousand requests per second: ${speeds.map((speed) => (speed / 1000).toFixed(1)).join(' ')}`,
  );
  return speeds;
}

/** Seconds from the start until the speed stays above the minimum, as the median of three. */
function findFullSpeedS(speeds: readonly number[]): number {
  const full = FULL * median(speeds.slice(-10));
  const slow = speeds.findLastIndex(
    (_, i) => i <= speeds.length - 3 && median(speeds.slice(i, i + 3)) < full,
  );
  return slow + 1;
}
