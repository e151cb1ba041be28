// Accounts divided among 1, 2 and 4 ingest processes on PostgreSQL: time until all have forecasts, memory of each
// process, delay from a post to a replica's stream, bytes written and read, and what killing a process costs.

import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { shardOf } from '../../src/domain/shard.ts';
import { compareCounts, compareManyCounts } from '../../test/roles/chaos.ts';
import type { ChildService } from '../../test/roles/child-service.ts';
import { type Fleet, startFleet } from '../../test/roles/fleet.ts';
import type { BenchOptions } from './core/bench.ts';
import { readCpuNs, readRssMb } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { quantile } from './core/statistics.ts';

export const isLong = true;

const PROCESSES = [1, 2, 4];
/** With `--minutes`, which asks for a long run of kills. */
const KILLED_PROCESSES = [2];
const DEFAULT_ACCOUNTS = 200;
const FORECASTS_WITHIN_MS = 30 * 60_000;
/** Of the latest posts of all accounts on X, one half: X allows 11 a second, and reading the past takes some. */
const MAX_X_READS_PER_S = 9;
/** Likewise of the other half, which is spread over Mastodon servers. */
const MAX_MASTODON_READS_PER_S = 50;
const REST_MS = 20_000;
const POST_EVERY_MS = 1_500;
/** On Mastodon, and among the active and heavily traded. */
const POSTED_ACCOUNTS = ['b', 'd', 'f', 'h', 'j'];
const POST_ROUNDS = 4;
const ARRIVES_WITHIN_MS = 180_000;
const LEADERLESS_LIMIT_MS = 10_000;
const COUNTS_WITHIN_MS = 120_000;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const accounts = options.accounts ?? (options.isQuick ? 4 : DEFAULT_ACCOUNTS);
  const rows: BenchRow[] = [];
  for (const processes of options.isQuick || options.minutes ? KILLED_PROCESSES : PROCESSES) {
    const measured = await measure(options, accounts, processes);
    for (const { name, ours } of measured) options.say(`${name}: ${ours.toFixed(1)}`);
    rows.push(...measured);
  }
  return rows;
}

async function measure(options: BenchOptions, accounts: number, processes: number): Promise<BenchRow[]> {
  const { isQuick, say } = options;
  const fleet = await startFleet({
    ingests: processes,
    apis: 1,
    simulatorArgs: ['--accounts', String(accounts)],
    env: { ACCOUNTS: String(accounts), READ_PAST: 'false', ...paceOf(accounts) },
  });
  try {
    const readyMs = await waitForForecasts(fleet, accounts);
    say(
      `${accounts} accounts, ${processes} processes: all have forecasts after ${(readyMs / 1000).toFixed(1)} s`,
    );
    const readCpuS = () => sumOf(fleet.ingests.map(({ child }) => readCpuNs(child.pid!) / 1e9));
    const cpuS = readCpuS();
    const mb = fleet.ingests.map(({ child }) => readRssMb(child.pid!));
    const rest = await countBytes(fleet, () => wait(isQuick ? 3_000 : REST_MS));
    const restCpuS = readCpuS() - cpuS;
    const delaysMs: number[] = [];
    const posted = POSTED_ACCOUNTS.slice(0, Math.floor(accounts / 2));
    const busy = await countBytes(fleet, async () => {
      for (let round = 0; round < (isQuick ? 1 : POST_ROUNDS); round++)
        delaysMs.push(...(await Promise.all(posted.map((accountId) => timePost(fleet, accountId)))));
    });
    const posts = delaysMs.length;
    const perPost = (of: 'written' | 'read') =>
      Math.max(0, (busy[of] - (rest[of] / rest.ms) * busy.ms) / posts);
    const isKilled = processes > 1 && accounts <= MAX_KILLED_ACCOUNTS;
    const kills = isKilled ? await killAtRandom(fleet, options) : 0;
    const gapMs = Math.max(0, ...listGaps(fleet));
    const compare = accounts > MAX_KILLED_ACCOUNTS ? compareManyCounts : compareCounts;
    const wrong = await compare(fleet, COUNTS_WITHIN_MS);
    const title = (what: string) => `shards, ${accounts} accounts, ${processes} processes: ${what}`;
    const value = (what: string, ours: number) => limitRow(title(what), ours, Number.POSITIVE_INFINITY);
    return [
      value('s until all have forecasts', readyMs / 1000),
      value('CPU s of all ingest processes until then', cpuS),
      value('CPU ms per s and account without a post', (restCpuS / rest.ms / accounts) * 1e6),
      value('MB, largest process', Math.max(...mb)),
      value('MB, all processes', sumOf(mb)),
      value('post to stream p50 ms', quantile(delaysMs, 0.5)),
      value('post to stream p99 ms', quantile(delaysMs, 0.99)),
      value('kB/s written without a post', rest.written / rest.ms),
      value('kB/s read by the replica without a post', rest.read / rest.ms),
      value('kB written per post', perPost('written') / 1000),
      value('kB read by the replica per post', perPost('read') / 1000),
      limitRow(title(`ms without a leader, ${kills} kills`), gapMs, LEADERLESS_LIMIT_MS),
      limitRow(title('wrong counts'), wrong.length, 0.5),
      limitRow(title('epochs given out twice'), countReused(fleet), 0.5),
    ];
  } catch (error) {
    for (const { name, warnings } of fleet.ingests) say(`${name}: ${warnings.slice(-20).join('\n    ')}`);
    throw error;
  } finally {
    await fleet.stop();
  }
}

/** Many accounts are read less often than a few. */
function paceOf(accounts: number): Record<string, string> {
  const periodS = (perS: number) => String(Math.max(1, accounts / 2 / perS));
  return { X_PERIOD_S: periodS(MAX_X_READS_PER_S), MASTODON_PERIOD_S: periodS(MAX_MASTODON_READS_PER_S) };
}

/** From the start of the ingest processes, as a replica shows it. */
async function waitForForecasts(fleet: Fleet, accounts: number): Promise<number> {
  const deadline = performance.now() + FORECASTS_WITHIN_MS;
  for (;;) {
    const response = await fetch(`${fleet.apis[0]!.url}/api/v1/health`);
    const { feeds = {} } = (await response.json()) as {
      feeds?: Record<string, { forecast?: { updated_ts: number | null } }>;
    };
    const ready = Object.values(feeds).filter(({ forecast }) => forecast?.updated_ts != null).length;
    if (ready === accounts) return performance.now() - fleet.ingestsStartedAtMs;
    if (performance.now() > deadline) throw new Error(`only ${ready} of ${accounts} accounts have forecasts`);
    await wait(250);
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

interface Bytes {
  /** To the database's log, by all processes. */
  written: number;
  /** Through the replica's sockets and files. */
  read: number;
  ms: number;
}

async function countBytes(fleet: Fleet, action: () => Promise<unknown>): Promise<Bytes> {
  const client = new pg.Client({ connectionString: fleet.postgres.url });
  await client.connect();
  const readWritten = async () => {
    const { rows } = await client.query<{ bytes: string }>("select pg_current_wal_lsn() - '0/0' as bytes");
    return Number(rows[0]!.bytes);
  };
  try {
    const [written, read, startedMs] = [await readWritten(), readIn(fleet.apis[0]!), performance.now()];
    await action();
    const ms = performance.now() - startedMs;
    return { written: (await readWritten()) - written, read: readIn(fleet.apis[0]!) - read, ms };
  } finally {
    await client.end();
  }
}

function readIn({ child }: ChildService): number {
  return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8'))![1]);
}

/** From the post on Mastodon to the replica's message; the pause between two reads is part of it. */
async function timePost(fleet: Fleet, accountId: string): Promise<number> {
  const ended = new AbortController();
  const stream = await fetch(`${fleet.apis[0]!.url}/api/v1/stream/account_${accountId}`, {
    headers: { 'X-API-Key': fleet.key },
    signal: AbortSignal.any([ended.signal, AbortSignal.timeout(ARRIVES_WITHIN_MS)]),
  });
  try {
    await fleet.post({ accountId, kind: 'original' });
    const startedMs = performance.now();
    let text = '';
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes('event: post')) break;
    }
    return performance.now() - startedMs;
  } finally {
    ended.abort();
    await wait(POST_EVERY_MS);
  }
}

const KILLS = 6;
/** With more, two cores do not carry the simulator while a thousand connections are opened again. */
const MAX_KILLED_ACCOUNTS = 500;
const LED_AGAIN_WITHIN_MS = 60_000;
/** In a long run some kills follow at once, others after the survivor has settled. */
const MAX_PAUSE_MS = 20_000;

/** Kills one process after another with -9: a few times, or for as many minutes as asked. */
async function killAtRandom(fleet: Fleet, { isQuick, minutes, say }: BenchOptions): Promise<number> {
  const untilMs = performance.now() + (minutes ?? 0) * 60_000;
  const atLeast = isQuick ? 1 : KILLS;
  let kills = 0;
  for (; kills < atLeast || performance.now() < untilMs; kills++) {
    const victim = fleet.ingests[Math.floor(Math.random() * fleet.ingests.length)]!;
    await fleet.post({ accountId: 'a', kind: 'original' });
    const killedAtMs = performance.now();
    victim.kill('SIGKILL');
    await fleet.post({ accountId: 'b', kind: 'original' });
    await fleet.replaceIngest(victim);
    const gone = () => fleet.shardEnds.filter(({ name }) => name === victim.name);
    const isLedAgain = () => gone().every((end) => endOfGap(fleet, end) !== undefined);
    while (!isLedAgain() && performance.now() < killedAtMs + LED_AGAIN_WITHIN_MS) await wait(20);
    if (minutes) await wait(Math.random() * MAX_PAUSE_MS);
    if (kills % KILLS === KILLS - 1) say(`${kills + 1} kills, ${describeGaps(fleet)}`);
  }
  return kills;
}

type ShardEnd = Fleet['shardEnds'][number];

function endOfGap({ shardLeadings }: Fleet, { shard, atMs }: ShardEnd): number | undefined {
  return shardLeadings.find((each) => each.shard === shard && each.atMs > atMs)?.atMs;
}

/** From the end of one leadership of a shard to the next, after a kill as well as after a process joined. */
function listGaps(fleet: Fleet): number[] {
  const nowMs = performance.now();
  return fleet.shardEnds.map((end) => (endOfGap(fleet, end) ?? nowMs) - end.atMs);
}

function describeGaps(fleet: Fleet): string {
  const gaps = listGaps(fleet);
  const long = gaps.filter((ms) => ms > LEADERLESS_LIMIT_MS).length;
  return `a shard without a leader for at most ${Math.max(...gaps).toFixed(0)} ms, p99 ${quantile(gaps, 0.99).toFixed(0)} ms; ${long} of ${gaps.length} times for more than ${LEADERLESS_LIMIT_MS} ms`;
}

function countReused({ shardLeadings }: Fleet): number {
  const seen = new Set(shardLeadings.map(({ shard, epoch }) => `${shard} ${epoch}`));
  if (!shardLeadings.some(({ shard }) => shard === shardOf('a'))) throw new Error('no process led account a');
  return shardLeadings.length - seen.size;
}
