// Endpoints that compute or read for each caller: signals, portfolio, usage, performance, a later page of posts.

import type { BenchOptions } from './core/bench.ts';
import { ask, type Running } from './core/processes.ts';
import { type BenchRow, limitRow, ofPart } from './core/row.ts';
import { quantile } from './core/statistics.ts';
import { generateLoad, rawRequest } from './load/generate.ts';
import type { OursHello } from './servers/ours.ts';
import { PART, startInterface } from './servers/start-interface.ts';

export const about = `The interface alone on a fixed board of the pretend world, without ingestion: for insight, no claim about the started
program. 4 connections. The baseline is p99 of 30 ms, and one question to the market when 100 callers
ask for one wallet at once (the market answers after 25 ms here).`;

const WALLET = `0x${'ab'.repeat(20)}`;
const LIMIT_MS = 30;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const ours = await startInterface(options);
  try {
    return ofPart(PART, [...(await measureEndpoints(options, ours)), await measureSharing(ours)]);
  } finally {
    await ours.stop();
  }
}

async function measureEndpoints(options: BenchOptions, ours: Running<OursHello>): Promise<BenchRow[]> {
  const now = Math.floor(Date.now() / 1000);
  const cases: [string, string, 'PRO' | 'INTERNAL'][] = [
    ['/signals, A', '/api/v1/signals/account_a?bankroll=5000', 'PRO'],
    ['/signals, B', '/api/v1/signals/account_b', 'PRO'],
    ['/portfolio, cache hit', `/api/v1/portfolio/account_a?wallet=${WALLET}`, 'PRO'],
    [
      '/portfolio/rebalancing, cache hit',
      `/api/v1/portfolio/account_a/rebalancing?wallet=${WALLET}&bankroll=5000`,
      'PRO',
    ],
    ['/usage/summary', '/api/v1/usage/summary', 'INTERNAL'],
    ['/usage/by-endpoint', `/api/v1/usage/by-endpoint?start=${now - 3600}&end=${now}`, 'INTERNAL'],
    ['/performance/overview', '/api/v1/performance/overview', 'PRO'],
  ];
  const rows: BenchRow[] = [];
  for (const [name, path, tier] of cases) {
    options.say(name);
    const requests = [rawRequest(path, { 'X-API-Key': ours.hello.keys[tier] })];
    const p99s: number[] = [];
    const load = { port: ours.hello.port, requests, connections: 4, seconds: options.isQuick ? 0.3 : 2 };
    await generateLoad(options.scratchDir, { ...load, seconds: 0.3 });
    for (let round = 0; round < (options.isQuick ? 1 : 3); round++) {
      p99s.push((await generateLoad(options.scratchDir, load)).p99Ms);
    }
    rows.push(limitRow(`${name}: p99 ms`, quantile(p99s, 0.5), LIMIT_MS));
  }
  return rows;
}

async function measureSharing(ours: Running<OursHello>): Promise<BenchRow> {
  const before = (await ask<{ calls: number }>(ours, { kind: 'upstream-calls' })).calls;
  const wallet = `0x${'cd'.repeat(20)}`;
  const url = `http://127.0.0.1:${ours.hello.port}/api/v1/portfolio/account_a?wallet=${wallet}`;
  const headers = { 'X-API-Key': ours.hello.keys.PRO };
  await Promise.all(Array.from({ length: 100 }, async () => (await fetch(url, { headers })).arrayBuffer()));
  const after = (await ask<{ calls: number }>(ours, { kind: 'upstream-calls' })).calls;
  return limitRow('/portfolio: questions to the market for 100 callers at once', after - before, 1);
}
