// A first start on an empty folder: what the service shows two minutes after it prints its address, and
// whether reading the past delays its responses meanwhile.

import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS } from '../../src/domain/units.ts';
import type { BenchOptions } from './core/bench.ts';
import { readRssMb } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { type StartedService, start } from './core/started-service.ts';
import { quantile } from './core/statistics.ts';

const LOOK_AFTER_MS = 120_000;
const PAUSE_MS = 20;
const REST_MS = 30_000;
/** The past is read when a round of this length changes nothing. */
const QUIET_MS = 20_000;
const MAX_WAIT_MS = 10 * 60_000;
const MAX_SLOWER = 3;
const MAX_START_S = 60;
const RESTING_MB = 256;

interface Shown {
  comparedEvents: number;
  chartPoints: number;
  replayPoints: number;
  ledgerRows: number;
  alerts: number;
}

const MINIMUM: Readonly<Record<keyof Shown, [what: string, least: number]>> = {
  comparedEvents: ['events with a market comparison', 100],
  chartPoints: ['prices on the chart of an open week', 50],
  replayPoints: ['points with price and oracle in a replay', 50],
  ledgerRows: ['rows in the paper ledger', 1],
  alerts: ['alerts', 1],
};

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const started = await start(options, mkdtempSync(join(options.scratchDir, 'fresh-')));
  try {
    return await watchFirstMinutes(options, started);
  } finally {
    await started.service.stop();
  }
}

async function watchFirstMinutes(
  options: BenchOptions,
  { service, url, readyMs }: StartedService,
): Promise<BenchRow[]> {
  const meta = `${url}/api/v1/meta/account_a`;
  options.say('watching the first two minutes');
  const busy = await sample(meta, LOOK_AFTER_MS);
  const shown = await look(url);
  await untilQuiet(url);
  options.say('measuring at rest');
  const rest = await sample(meta, REST_MS);
  const [busyMs, restMs] = [quantile(busy, 0.99), quantile(rest, 0.99)];
  const counts = (Object.keys(MINIMUM) as (keyof Shown)[]).map((name) => {
    const [what, least] = MINIMUM[name];
    return atLeastRow(`first start, after 2 min: ${what}`, shown[name], least);
  });
  return [
    limitRow('first start: seconds until the address', readyMs / 1_000, MAX_START_S),
    ...counts,
    limitRow(
      'first start: /meta p99 ms in the first 2 min (limit: 3 times at rest)',
      busyMs,
      MAX_SLOWER * restMs,
    ),
    limitRow('first start, past read: RSS MB', readRssMb(service.pid), RESTING_MB),
  ];
}

function atLeastRow(name: string, ours: number, least: number): BenchRow {
  const ratio = ours / least;
  return { name, ours, baseline: least, ratio, target: 1, pass: ratio >= 1, better: 'more', isLimit: true };
}

/** Response times in milliseconds, one request at a time. */
async function sample(url: string, lengthMs: number): Promise<number[]> {
  const times: number[] = [];
  const endMs = performance.now() + lengthMs;
  while (performance.now() < endMs) {
    const startedMs = performance.now();
    await ping(url);
    times.push(performance.now() - startedMs);
    await wait(PAUSE_MS);
  }
  return times;
}

function ping(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
}

export async function untilQuiet(url: string): Promise<void> {
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  let before = '';
  while (performance.now() < deadlineMs) {
    const now = JSON.stringify(await look(url));
    if (now === before) return;
    before = now;
    await wait(QUIET_MS);
  }
}

interface CourseWire {
  past_prices?: unknown[];
  points: { market_prices: (number | null)[]; market_oracle_counter: number | null }[];
}

interface EventWire {
  event_id: number;
  start_ts: number;
  end_ts: number;
  settlement: unknown;
}

/** As the pages read it, with the key that the demonstration hands out. */
async function look(base: string): Promise<Shown> {
  const api = `${base}/api/v1`;
  const handed = (await readJson(`${base}/demo-key`, { origin: base }, 'POST')) as { data: { key: string } };
  const get = (path: string) => readJson(`${api}/${path}`, { 'X-API-Key': handed.data.key });
  const record = (await get('performance/record.json?horizon=24')) as {
    recomputed: { forecasters: { name: string; log_score: { events: number } }[] };
  };
  const compared = record.recomputed.forecasters.find(({ name }) => name === 'market');
  const { data: events } = (await get('history/account_a/events?limit=100')) as { data: EventWire[] };
  const weeks = events.filter(({ start_ts, end_ts }) => Math.round((end_ts - start_ts) / DAY_MS) === 7);
  const open = weeks.findLast(({ settlement, start_ts }) => settlement === null && start_ts < Date.now());
  const settled = weeks.find(({ settlement }) => settlement !== null);
  const course = async (event: EventWire | undefined) =>
    event && ((await get(`history/account_a/${event.event_id}?limit=1000`)) as { data: CourseWire }).data;
  const [chart, replay] = [await course(open), await course(settled)];
  const isPriced = ({ market_prices }: CourseWire['points'][number]) =>
    market_prices.some((price) => price !== null);
  const ledger = (await get('performance/ledger')) as { data: unknown[]; recomputed: { data: unknown[] } };
  const notices = (await get('notices?limit=100')) as { data: unknown[] };
  return {
    comparedEvents: compared?.log_score.events ?? 0,
    chartPoints: (chart?.past_prices?.length ?? 0) + (chart?.points.filter(isPriced).length ?? 0),
    replayPoints:
      replay?.points.filter((point) => isPriced(point) && point.market_oracle_counter !== null).length ?? 0,
    ledgerRows: ledger.data.length + ledger.recomputed.data.length,
    alerts: notices.data.length,
  };
}

async function readJson(url: string, headers: Record<string, string>, method = 'GET'): Promise<unknown> {
  const response = await fetch(url, { method, headers });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}
