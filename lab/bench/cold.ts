// Endpoints that compute or read per caller: signals, portfolio, usage, performance, a later page of posts.

import type { BenchOptions } from './core/bench.ts';
import { ask, type Running } from './core/processes.ts';
import { type BenchRow, limitRow, ofPart } from './core/row.ts';
import { quantile } from './core/statistics.ts';
import { generateLoad, rawRequest } from './load/generate.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';
import type { OursHello } from './servers/ours.ts';
import { PART, startInterface } from './servers/start-interface.ts';

export const about = `The program of \`npm start\` at rest, with 4 connections that send the next request on each answer. The baseline is a p99 limit of 30 ms. The last row runs the interface alone and counts market requests when 100 callers request one wallet at once.`;

const WALLET = `0x${'ab'.repeat(20)}`;
const LIMIT_MS = 30;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const service = await startWholeService(options, { proKeys: 0 });
  const rows = await measureEndpoints(options, service).finally(() => service.stop());
  const alone = await startInterface(options);
  const shared = await measureSharing(alone).finally(() => alone.stop());
  return [...rows, ...ofPart(PART, [shared])];
}

async function measureEndpoints(options: BenchOptions, service: WholeService): Promise<BenchRow[]> {
  const now = Math.floor(Date.now() / 1000);
  const cases = [
    ['/signals, A', '/signals/account_a?bankroll=5000'],
    ['/signals, B', '/signals/account_b'],
    ['/portfolio, cache hit', `/portfolio/account_a?wallet=${WALLET}`],
    ['/portfolio/rebalancing, cache hit', `/portfolio/account_a/rebalancing?wallet=${WALLET}&bankroll=5000`],
    ['/usage/summary', '/usage/summary'],
    ['/usage/by-endpoint', `/usage/by-endpoint?start=${now - 3600}&end=${now}`],
    ['/performance/overview', '/performance/overview'],
  ];
  const rows: BenchRow[] = [];
  for (const [name, path] of cases) {
    options.say(name!);
    const requests = [rawRequest(`/api/v1${path}`, { 'X-API-Key': service.keys.INTERNAL })];
    const p99s: number[] = [];
    const load = { port: service.port, requests, connections: 4, seconds: options.isQuick ? 0.3 : 2 };
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
  return limitRow('/portfolio: market requests for 100 concurrent callers', after - before, 1);
}
