// Measures hot endpoints through the real API against a bare server with the same body.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './core/bench.ts';
import { readRssMb, startScript } from './core/processes.ts';
import { type BenchRow, limitRow, pairedRow } from './core/row.ts';
import { generateLoad, type LoadRequest, type LoadResult } from './load/generate.ts';
import type { IssuedKeys } from './load/issue-keys.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';

interface Case {
  name: string;
  path: string;
  tier: 'FREE' | 'PRO' | null;
  target: number;
}

interface Rival {
  name: string;
  port: number;
  pid: number;
}

/** A server under test and the headers of its callers. */
interface Asked {
  port: number;
  pid: number;
  callers: readonly Readonly<Record<string, string>>[];
}

/** Enough keys for the load generator to stay within every rate limit. */
const HOT_CALLERS = { proKeys: 1_000, freeKeys: 4_000, env: { TRUSTED_PROXY_HOPS: '1' } };
const ADDRESSES = 12_000;
const LOADED_MB = 350;

const CASES: Case[] = [
  { name: '/meta, PRO key', path: '/api/v1/meta/account_a', tier: 'PRO', target: 0.87 },
  { name: '/meta, public', path: '/api/v1/meta/account_a', tier: null, target: 0.87 },
  { name: '/prediction, PRO', path: '/api/v1/prediction/account_a', tier: 'PRO', target: 0.87 },
  { name: '/prediction, FREE', path: '/api/v1/prediction/account_a', tier: 'FREE', target: 0.87 },
  { name: '/prediction, public', path: '/api/v1/prediction/account_a', tier: null, target: 0.87 },
  { name: '/tweets, PRO', path: '/api/v1/meta/account_a/tweets', tier: 'PRO', target: 0.87 },
  { name: '/tweets, public', path: '/api/v1/meta/account_a/tweets', tier: null, target: 0.87 },
];

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const service = await startWholeService(options, HOT_CALLERS);
  try {
    for (const each of CASES) rows.push(...(await measureCase(options, askedBy(service, each.tier), each)));
    rows.push(...(await measureUnchanged(options, askedBy(service, 'PRO'))));
    rows.push(limitRow('RSS after all rows, MB', readRssMb(service.pid), LOADED_MB));
  } finally {
    await service.stop();
  }
  return rows;
}

function askedBy({ port, pid, keys }: WholeService, tier: Case['tier']): Asked {
  return { port, pid, callers: listCallers(keys, tier) };
}

/** Request headers, one set per caller. */
function listCallers(keys: IssuedKeys, tier: Case['tier']): Asked['callers'] {
  if (tier !== null) return keys[tier].map((key) => ({ 'X-API-Key': key }));
  return Array.from({ length: ADDRESSES }, (_, i) => ({ 'X-Forwarded-For': `10.0.${i >> 8}.${i & 255}` }));
}

async function measureCase(options: BenchOptions, asked: Asked, each: Case): Promise<BenchRow[]> {
  const { callers } = asked;
  const bodyFile = join(options.scratchDir, `body-${each.name.replaceAll(/\W+/g, '-')}.json`);
  const response = await fetch(`http://127.0.0.1:${asked.port}${each.path}`, {
    headers: { ...callers[0], 'Accept-Encoding': 'identity' },
  });
  const body = Buffer.from(await response.arrayBuffer());
  writeFileSync(bodyFile, body);
  const bare = await startScript<{ port: number }>('lab/bench/servers/bare.ts', [bodyFile]);
  try {
    const rivals = [
      { name: 'ours', port: asked.port, pid: asked.pid },
      { name: 'bare', port: bare.hello.port, pid: bare.pid },
    ];
    const seen = await playRounds(options, `${each.name} (${body.length} bytes)`, rivals, ({ name }) =>
      (name === 'ours' ? callers : callers.slice(0, 1)).map((headers) => ({ path: each.path, headers })),
    );
    return toRows(each, seen);
  } finally {
    await bare.stop();
  }
}

/** Each round measures every server once, in rotating order. */
async function playRounds(
  options: BenchOptions,
  title: string,
  rivals: readonly Rival[],
  requestsFor: (rival: Rival) => LoadRequest[],
): Promise<Map<string, LoadResult[]>> {
  const rounds = options.isQuick ? 1 : 5;
  const seconds = options.isQuick ? 0.3 : 2;
  const results = new Map<string, LoadResult[]>(rivals.map(({ name }) => [name, []]));
  const load = (rival: Rival, forS: number) =>
    generateLoad({
      port: rival.port,
      pids: [rival.pid],
      requests: requestsFor(rival),
      seconds: forS,
    });
  for (const rival of rivals) await load(rival, options.isQuick ? 0.2 : 1.5);
  for (let round = 0; round < rounds; round++) {
    options.say(`${title}: round ${round + 1} of ${rounds}`);
    for (let i = 0; i < rivals.length; i++) {
      const rival = rivals[(i + round) % rivals.length]!;
      results.get(rival.name)!.push(await load(rival, seconds));
    }
  }
  return results;
}

type Figure = 'perSecond' | 'p99Ms' | 'cpuUs';

/** Makes rows of one rival's results beside the other's. */
function compare(title: string, seen: Map<string, LoadResult[]>, own: string, baseline: string) {
  const pick = (name: string, field: Figure) => seen.get(name)!.map((result) => result[field]);
  return (field: Figure, what: string, better: 'more' | 'less', goal: number) =>
    pairedRow(`${title}: ${what}`, pick(own, field), pick(baseline, field), better, goal);
}

function toRows({ name, target }: Case, seen: Map<string, LoadResult[]>): BenchRow[] {
  const against = compare(name, seen, 'ours', 'bare');
  return [
    against('perSecond', 'req/s', 'more', target),
    against('p99Ms', 'p99 ms', 'less', 1.5),
    against('cpuUs', 'CPU µs', 'less', Number((1 / target).toFixed(3))),
  ];
}

/**
 * Compares a conditional request with the same request answered in full. Any ETag works, because ours changes
 * with every poll of a feed.
 */
async function measureUnchanged(options: BenchOptions, asked: Asked): Promise<BenchRow[]> {
  const path = '/api/v1/meta/account_a';
  const { port, pid, callers } = asked;
  const rivals = ['unchanged', 'full'].map((name) => ({ name, port, pid }));
  const seen = await playRounds(options, '/meta, 304', rivals, ({ name }) =>
    callers.map((key) => ({ path, headers: name === 'full' ? key : { ...key, 'If-None-Match': '*' } })),
  );
  const against = compare('/meta, 304 vs. 200', seen, 'unchanged', 'full');
  return [against('perSecond', 'req/s', 'more', 1), against('cpuUs', 'CPU µs', 'less', 1)];
}
