// npx tallycast prove-siege --minutes N: every attack that one process on an embedded store can be under, at once and from
// twenty addresses, while another caller asks, posts are made and feeds are watched.

import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { BenchOptions } from './core/bench.ts';
import { readRssMb } from './core/processes.ts';
import { quantile } from './core/statistics.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';
import { readCaptureDelays, watchIngestion } from './overload.ts';

const ADDRESSES = Array.from({ length: 20 }, (_, i) => `127.0.1.${i + 1}`);
const HELD_CONNECTIONS = 40;
const LIMITS = { p99Ms: 250, captureMs: 1_500, memoryMb: 1_024 };
const ASK_EVERY_MS = 50;
const BATCH = JSON.stringify(
  Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })),
);

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '3' } } });
const scratchDir = mkdtempSync(join(tmpdir(), 'tallycast-siege-'));
const options = {
  ...{ isQuick: true, isDay: false, isWritten: false, minutes: null, scratchDir },
  say: (text: string) => console.error(text),
  note: () => {},
  snapshotFile: () => Promise.reject(new Error('none')),
} satisfies BenchOptions;
try {
  process.exitCode = (await besiege(Number(values.minutes))) ? 0 : 1;
} finally {
  rmSync(scratchDir, { recursive: true, force: true });
}

interface Ask {
  method?: string;
  path: string;
  from: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The status, or 0 where there was none. */
function send(port: number, { method = 'GET', path, from, headers = {}, body = '' }: Ask): Promise<number> {
  return new Promise((resolve) => {
    const call = request(
      { host: '127.0.0.1', port, localAddress: from, method, path, headers },
      (response) => {
        response.resume().once('close', () => resolve(response.statusCode ?? 0));
      },
    );
    call.on('error', () => resolve(0));
    call.end(body);
  });
}

async function besiege(minutes: number): Promise<boolean> {
  const service = await startWholeService(options, { proKeys: 2 });
  try {
    const siege = beginSiege(service);
    const watch = watchIngestion(service);
    const seen = await askMeanwhile(service, minutes * 60_000);
    const made = await watch.stop();
    await siege.end();
    await wait(3_000);
    await service.stopService();
    const delaysMs = await readCaptureDelays(service, made.postIds);
    return report(seen, delaysMs, made.postIds.length, siege.sent);
  } finally {
    await service.stop();
  }
}

function beginSiege({ port, keys, worldUrl }: WholeService) {
  const sent: Record<string, number> = {};
  let isOver = false;
  const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const key = { 'X-API-Key': keys.PRO[0]! };

  async function repeat(
    name: string,
    pauseMs: number,
    act: (turn: number) => Promise<unknown>,
  ): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      await act(turn);
      sent[name] = (sent[name] ?? 0) + 1;
      await wait(pauseMs);
    }
  }

  /** Says nothing, hears nothing, never leaves. */
  const hold = async (from: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true });
    socket.on('error', () => {});
    await wait(20_000);
    socket.destroy();
  };
  const attacks = ADDRESSES.flatMap((from) => [
    ...Array.from({ length: HELD_CONNECTIONS }, () => repeat('silent connections', 0, () => hold(from))),
    repeat('batches at /mcp', 10, () =>
      send(port, { method: 'POST', path: '/mcp', from, headers: json, body: BATCH }),
    ),
    repeat('guessed keys', 10, (turn) =>
      send(port, {
        path: '/mcp',
        method: 'POST',
        from,
        headers: { ...json, 'X-API-Key': `tc_pro_${turn}` },
        body: '{}',
      }),
    ),
    repeat('worthless payments', 10, () =>
      send(port, { path: '/api/v1/signals/account_a', from, headers: { x402: 'e30=' } }),
    ),
  ]);
  const greedy = Array.from({ length: 40 }, (_, i) =>
    repeat('calls of one key', 0, (turn) =>
      send(port, {
        path: `/api/v1/ladder/account_a?bankroll=${100 + ((turn * 40 + i) % 9_000)}`,
        from: '127.0.2.1',
        headers: key,
      }),
    ),
  );
  const hooks = ADDRESSES.map((from, i) =>
    send(port, {
      ...{ method: 'POST', path: '/api/v1/webhooks', from, headers: { ...json, ...key } },
      body: JSON.stringify({ url: `https://never-${i}.example/`, topics: 'post.created,counters.changed' }),
    }),
  );
  const lie = fetch(new URL('/admin/faults', worldUrl), {
    method: 'POST',
    body: JSON.stringify({ fault: 'posts-future=2h' }),
  });
  return {
    sent,
    async end() {
      isOver = true;
      await Promise.all([...attacks, ...greedy, ...hooks, lie]);
    },
  };
}

interface Seen {
  tookMs: number[];
  failures: number;
  dark: Set<string>;
  memoryMb: number;
}

/** One honest caller: prepared and computed answers in turn. */
async function askMeanwhile({ port, pid, keys, url }: WholeService, forMs: number): Promise<Seen> {
  const seen: Seen = { tookMs: [], failures: 0, dark: new Set(), memoryMb: 0 };
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
      const health = (await (await fetch(`${url}/api/v1/health`)).json()) as {
        feeds: Record<string, Record<string, { stale?: boolean }>>;
      };
      for (const [segment, feeds] of Object.entries(health.feeds))
        for (const [feed, { stale }] of Object.entries(feeds)) if (stale) seen.dark.add(`${segment} ${feed}`);
    }
    await wait(ASK_EVERY_MS);
  }
  return seen;
}

function report(
  seen: Seen,
  delaysMs: readonly number[],
  posts: number,
  sent: Record<string, number>,
): boolean {
  const p99Ms = quantile(seen.tookMs, 0.99);
  const captureMs = quantile(delaysMs, 0.99);
  console.log(
    Object.entries(sent)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  );
  console.log(
    `another caller: ${seen.tookMs.length} calls, ${seen.failures} not answered 200, p50 ${quantile(seen.tookMs, 0.5).toFixed(0)} ms, ` +
      `p99 ${p99Ms.toFixed(0)} ms (limit ${LIMITS.p99Ms})`,
  );
  console.log(
    `capture: ${delaysMs.length} of ${posts} posts, p99 ${captureMs.toFixed(0)} ms (limit ${LIMITS.captureMs})`,
  );
  console.log(
    `memory: ${seen.memoryMb.toFixed(0)} MB (limit ${LIMITS.memoryMb}); dark: ${[...seen.dark].join(', ') || 'none'}`,
  );
  return (
    p99Ms < LIMITS.p99Ms &&
    captureMs < LIMITS.captureMs &&
    delaysMs.length === posts &&
    seen.memoryMb < LIMITS.memoryMb &&
    seen.dark.size === 0
  );
}
