// npx tallycast lab siege --minutes N: runs every attack at once from twenty addresses against one process
// with an embedded store, while an honest caller sends requests, posts arrive and feeds are watched. --only
// NAME runs one attack; --only none runs none.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, loadavg, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchOptions } from './core/bench.ts';
import { ROOT, type Running, readCpuNs, readRssMb, readWaitedNs, startScript } from './core/processes.ts';
import { quantile } from './core/statistics.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';
import { readCaptureDelays, watchIngestion } from './overload.ts';
import { ATTACKS, type Deeds, listIdle } from './siege/attacks.ts';
import { send } from './siege/send.ts';

const LIMITS = { p99Ms: 250, captureMs: 1_500, memoryMb: 1_024 };
const ASK_EVERY_MS = 50;
/** Enough for ten minutes of attacks that exhaust keys. */
const PRO_KEYS = 20;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
});
const scratchDir = mkdtempSync(join(tmpdir(), 'tallycast-siege-'));
const options = {
  ...{ isQuick: true, isWritten: false, minutes: null, perSecond: null, scratchDir },
  say: (text: string) => console.error(text),
  note: () => {},
} satisfies BenchOptions;
const attacks = Object.keys(ATTACKS).filter((name) => values.only === '' || name === values.only);
try {
  process.exitCode = (await besiege(Number(values.minutes))) ? 0 : 1;
} finally {
  rmSync(scratchDir, { recursive: true, force: true });
}

async function besiege(minutes: number): Promise<boolean> {
  const attackers = await startScript<{ nameServer: string }>('lab/bench/siege/attackers.ts');
  // Real attackers have their own cores; here they get what the service leaves over.
  setPriority(attackers.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const service = await startService(attackers.hello.nameServer);
  try {
    while ((await listStaleFeeds(service.url)).length > 0) await wait(250);
    attackers.child.send({ begin: { ...service, proKeys: service.keys.PRO }, attacks });
    const watch = watchIngestion(service);
    const usedNs = { cpu: readCpuNs(service.pid), waited: readWaitedNs(service.pid) };
    const seen = await askMeanwhile(service, minutes * 60_000);
    const shareOf = (ns: number) => `${Math.round(ns / minutes / 60e7)}%`;
    console.log(
      `the service used ${shareOf(readCpuNs(service.pid) - usedNs.cpu)} of a core and waited for one ` +
        `${shareOf(readWaitedNs(service.pid) - usedNs.waited)} of the time; load ${loadavg()[0]!.toFixed(1)}`,
    );
    const made = await watch.stop();
    const deeds = await endSiege(attackers);
    await wait(3_000);
    await service.stopService();
    const delaysMs = await readCaptureDelays(service, made.postIds);
    return report(seen, delaysMs, made.postIds.length, deeds);
  } finally {
    await attackers.stop();
    await service.stop();
  }
}

function startService(nameServer: string): Promise<WholeService> {
  const preload = pathToFileURL(join(ROOT, 'lab/bench/siege/silent-names.mjs')).href;
  return startWholeService(options, {
    proKeys: PRO_KEYS,
    env: { PAYMENTS: 'demo', SILENT_NAME_SERVER: nameServer, NODE_OPTIONS: `--import ${preload}` },
  });
}

async function endSiege(attackers: Running<unknown>): Promise<Deeds> {
  const answer = once(attackers.child, 'message');
  attackers.child.send('end');
  return (await answer)[0] as Deeds;
}

interface Seen {
  tookMs: number[];
  failures: number;
  stale: Set<string>;
  memoryMb: number;
}

/** One honest caller that alternates between prepared and computed responses. */
async function askMeanwhile({ port, pid, keys, url }: WholeService, forMs: number): Promise<Seen> {
  const seen: Seen = { tookMs: [], failures: 0, stale: new Set(), memoryMb: 0 };
  const headers = { 'X-API-Key': keys.INTERNAL };
  const paths = [
    '/api/v1/prediction/account_a',
    '/api/v1/meta/account_a',
    '/api/v1/signals/account_a?bankroll=777',
  ];
  const untilMs = performance.now() + forMs;
  for (let turn = 0; performance.now() < untilMs; turn++) {
    const startedMs = performance.now();
    const status = await send(port, { path: paths[turn % paths.length]!, from: '127.0.0.1', headers });
    seen.tookMs.push(performance.now() - startedMs);
    if (status !== 200) seen.failures += 1;
    if (turn % 40 === 0) {
      seen.memoryMb = Math.max(seen.memoryMb, readRssMb(pid));
      for (const feed of await listStaleFeeds(url)) seen.stale.add(feed);
    }
    await wait(ASK_EVERY_MS);
  }
  return seen;
}

async function listStaleFeeds(url: string): Promise<string[]> {
  const health = (await (await fetch(`${url}/api/v1/health`)).json()) as {
    feeds: Record<string, Record<string, { stale?: boolean }>>;
  };
  return Object.entries(health.feeds).flatMap(([segment, feeds]) =>
    Object.entries(feeds).flatMap(([feed, { stale }]) => (stale ? [`${segment} ${feed}`] : [])),
  );
}

function report(seen: Seen, delaysMs: readonly number[], posts: number, deeds: Deeds): boolean {
  const p99Ms = quantile(seen.tookMs, 0.99);
  const captureMs = quantile(delaysMs, 0.99);
  for (const [name, outcomes] of Object.entries(deeds))
    console.log(
      `${name}: ${Object.entries(outcomes)
        .map(([status, count]) => (status === '0' ? `${count}` : `${count} returned ${status}`))
        .join(', ')}`,
    );
  console.log(
    `honest caller: ${seen.tookMs.length} calls, ${seen.failures} not 200, p50 ${quantile(seen.tookMs, 0.5).toFixed(0)} ms, ` +
      `p99 ${p99Ms.toFixed(0)} ms (limit ${LIMITS.p99Ms}), max ${Math.max(...seen.tookMs).toFixed(0)} ms`,
  );
  console.log(
    `captured: ${delaysMs.length} of ${posts} posts, p99 ${captureMs.toFixed(0)} ms (limit ${LIMITS.captureMs})`,
  );
  console.log(
    `memory: ${seen.memoryMb.toFixed(0)} MB (limit ${LIMITS.memoryMb}); stale feeds: ${[...seen.stale].join(', ') || 'none'}`,
  );
  const idle = listIdle(deeds);
  if (idle.length > 0) console.log(`attacks without effect: ${idle.join(', ')}`);
  return (
    idle.length === 0 &&
    p99Ms < LIMITS.p99Ms &&
    seen.failures === 0 &&
    captureMs < LIMITS.captureMs &&
    delaysMs.length === posts &&
    seen.memoryMb < LIMITS.memoryMb &&
    seen.stale.size === 0
  );
}
