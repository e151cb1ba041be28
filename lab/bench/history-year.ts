// Measures a year of history for two accounts on each engine: disk space, page latency, capture latency, and
// whether thinning delays captures.

import { mkdtempSync, statSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { loadConfig } from '../../src/config/config.ts';
import type { MarketEvent } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { createPruneJob, DEFAULT_RETENTION } from '../../src/jobs/prune.ts';
import { createManualClock, systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';
import { createDatabase } from '../../test/support/postgres.ts';
import type { BenchOptions } from './core/bench.ts';
import { type BenchRow, limitRow, pairedRow } from './core/row.ts';
import { serveStore } from './core/serve-store.ts';
import { quantile } from './core/statistics.ts';
import { drawHour, makeBooks } from './history/make-books.ts';
import { createPost, makeYear } from './history/make-year.ts';

export const isLong = true;
export const about = `A year of two accounts with four open weekly events each, thinned by the retention rules; order books are projected from one day. \`BENCH_ENGINE=sqlite\` skips PostgreSQL; \`BENCH_PART=books\` runs only the books.`;

const DISK_LIMIT_MB = 500;
const PAGE_LIMIT_MS = 30;
/** Maximum ratio of two capture times, measured alternately on the same disk. */
const SLOWER_AT_MOST = 1.2;
const PAUSE_LIMIT_MS = 250;
const BOOKS_LIMIT_MB = 1_000;
const BOOKS_EVERY_MS = 1_000;
const CONFIG = loadConfig([], {});

interface Place {
  store: Store;
  openOther(): Promise<Measured>;
  readMegabytes(): Promise<number>;
  close(): Promise<void>;
}

interface Measured {
  store: Store;
  readMegabytes(): Promise<number>;
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const engine of ['sqlite', 'postgres'] as const) {
    if ((process.env.BENCH_ENGINE ?? engine) !== engine) continue;
    const place = await (engine === 'sqlite' ? openSqlite(options) : openPostgres());
    try {
      rows.push(...(await measure(options, engine, place)));
    } finally {
      await place.close();
    }
  }
  return rows;
}

async function measure(options: BenchOptions, engine: string, place: Place): Promise<BenchRow[]> {
  const whole = process.env.BENCH_PART === 'books' ? [] : await measureYear(options, engine, place);
  const other = await place.openOther();
  try {
    return [...whole, ...(await measureBooks(other, engine, options))];
  } finally {
    await other.store.close();
  }
}

async function measureYear(options: BenchOptions, engine: string, place: Place): Promise<BenchRow[]> {
  const { store } = place;
  const nowTs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const { quoteRetentionDays } = CONFIG;
  const plan = {
    nowTs,
    days: options.isQuick ? 10 : 365,
    quotesDays: options.isQuick ? 1 : quoteRetentionDays,
  };
  options.say(`${engine}: generating ${plan.days} days`);
  const events = await makeYear(store, { ...plan, say: options.say });
  const megabytes = await place.readMegabytes();
  const pages = await measurePages(store, events, nowTs, options.isQuick ? 100 : 1_000);
  const other = await place.openOther();
  const captures = await measureCaptures(store, other.store, options.isQuick ? 2 : 7);
  await other.store.close();
  const pauseMs = await measurePause(store, nowTs, options.say);
  const name = (what: string) => `${plan.days} days on ${engine}: ${what}`;
  return [
    limitRow(name('disk MB'), megabytes, DISK_LIMIT_MB),
    limitRow(name('page p50 ms'), quantile(pages, 0.5), PAGE_LIMIT_MS),
    limitRow(name('page p99 ms'), quantile(pages, 0.99), PAGE_LIMIT_MS),
    pairedRow(
      name('ms per captured post vs. empty store'),
      captures.full,
      captures.empty,
      'less',
      SLOWER_AT_MOST,
    ),
    limitRow(name('slowest capture during thinning, ms'), pauseMs, PAUSE_LIMIT_MS),
  ];
}

async function openSqlite({ scratchDir }: BenchOptions): Promise<Place> {
  const open = (dataDir: string) => openStore({ dataDir, clock: systemClock, logger: silentLogger });
  const dataDir = mkdtempSync(join(scratchDir, 'year-'));
  const store = await open(dataDir);
  return {
    store,
    async openOther() {
      const otherDir = mkdtempSync(join(scratchDir, 'empty-'));
      return { store: await open(otherDir), readMegabytes: () => readFile(otherDir) };
    },
    readMegabytes: () => readFile(dataDir),
    close: () => store.close(),
  };
}

/** Database size including the write-ahead log. */
async function readFile(dataDir: string): Promise<number> {
  const path = join(dataDir, 'tallycast.sqlite');
  const database = new DatabaseSync(path);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
  return statSync(path).size / 1e6;
}

async function openPostgres(): Promise<Place> {
  const [full, empty] = [await createDatabase(), await createDatabase()];
  const open = (databaseUrl: string) =>
    openStore({ dataDir: '', databaseUrl, clock: systemClock, logger: silentLogger });
  const store = await open(full.url);
  return {
    store,
    openOther: async () => ({
      store: await open(empty.url),
      readMegabytes: () => readDatabase(empty.url, 'book_blocks'),
    }),
    readMegabytes: () => readDatabase(full.url),
    async close() {
      await store.close();
      await Promise.all([full.drop(), empty.drop()]);
    },
  };
}

/** PostgreSQL normally reuses the space of replaced blocks; here it is released first. */
async function readDatabase(connectionString: string, vacuumed?: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  if (vacuumed !== undefined) await client.query(`vacuum full ${vacuumed}`);
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
  await client.end();
  return Number(rows[0].bytes) / 1e6;
}

/** Reads pages through the API with a PRO key: random events of the year, starting at random times. */
async function measurePages(
  store: Store,
  events: readonly MarketEvent[],
  nowTs: number,
  pages: number,
): Promise<number[]> {
  const clock = createManualClock(nowTs);
  const { port, key, close } = await serveStore(store, clock);
  const random = createRandom(7);
  const agent = new Agent({ keepAlive: true });
  const delays: number[] = [];
  for (let i = 0; i < pages; i++) {
    const { eventId, accountId, window } = events[Math.floor(random.uniform() * events.length)]!;
    const fromTs = Math.round(window.startTs + random.uniform() * 5 * DAY_MS);
    const query = i % 5 === 0 ? `events?to=${window.endTs}` : `${eventId}?step=all&from=${fromTs}`;
    const startedMs = performance.now();
    await ask({ port, agent, path: `/api/v1/history/account_${accountId}/${query}`, key });
    if (i >= 20) delays.push(performance.now() - startedMs);
  }
  agent.destroy();
  await close();
  return delays;
}

function ask({
  port,
  agent,
  path,
  key,
}: {
  port: number;
  agent: Agent;
  path: string;
  key: string;
}): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent, headers: { 'X-API-Key': key } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} returned ${response.statusCode}`));
      response.resume().on('end', resolve).on('error', reject);
    }).on('error', reject);
  });
}

let lastPostTs = Date.now();

async function capture(store: Store): Promise<number> {
  lastPostTs += 1;
  const startedMs = performance.now();
  await store.posts.recordCaptures([createPost('a', lastPostTs)]);
  return performance.now() - startedMs;
}

async function captureRound(store: Store): Promise<number> {
  const delays: number[] = [];
  for (let i = 0; i < 200; i++) delays.push(await capture(store));
  return quantile(delays, 0.5);
}

async function measureCaptures(full: Store, empty: Store, rounds: number) {
  const captures = { full: [] as number[], empty: [] as number[] };
  for (let i = 0; i < rounds; i++) {
    captures.full.push(await captureRound(full));
    captures.empty.push(await captureRound(empty));
  }
  return captures;
}

/**
 * Stores one day of books in an otherwise empty store, projects the size to a year, and measures captures
 * while books are written.
 */
async function measureBooks(
  { store, readMegabytes }: Measured,
  engine: string,
  options: BenchOptions,
): Promise<BenchRow[]> {
  const nowTs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const hours = options.isQuick ? 6 : 24;
  const random = createRandom(3);
  options.say(`${hours} hours of order books`);
  const before = await readMegabytes();
  await makeBooks(store, nowTs - DAY_MS, hours, random);
  const megabytes = ((await readMegabytes()) - before) * ((365 * DAY_MS) / (hours * HOUR_MS));
  const captures = { full: [] as number[], empty: [] as number[] };
  for (let i = 0; i < (options.isQuick ? 2 : 7); i++) {
    captures.full.push(await captureBesideBooks(store, nowTs));
    captures.empty.push(await captureRound(store));
  }
  return [
    limitRow(`order books on ${engine}: MB/year`, megabytes, BOOKS_LIMIT_MB),
    pairedRow(
      `ms per captured post on ${engine}, book writes on vs. off`,
      captures.full,
      captures.empty,
      'less',
      SLOWER_AT_MOST,
    ),
  ];
}

async function captureBesideBooks(store: Store, nowTs: number): Promise<number> {
  const random = createRandom(5);
  const places = new Array<number>(200).fill(30);
  // Ten seconds of books: a 360th of an hour.
  const pieces = Array.from({ length: 8 }, (_, i) => {
    const hour = drawHour(i + 1, nowTs, places, random);
    return { ...hour, changes: hour.changes.slice(0, Math.ceil(hour.changes.length / 360)) };
  });
  let recordedTs = nowTs;
  let written: Promise<void> = Promise.resolve();
  const writing = setInterval(() => {
    written = written.then(() => store.books.record(pieces, ++recordedTs));
  }, BOOKS_EVERY_MS);
  try {
    return await captureRound(store);
  } finally {
    clearInterval(writing);
    await written;
  }
}

/** Runs a day later, when a day of distributions, forecasts and quotes is due for thinning at once. */
async function measurePause(store: Store, nowTs: number, say: (text: string) => void): Promise<number> {
  const clock = createManualClock(nowTs + DAY_MS);
  const retention = { ...DEFAULT_RETENTION, quotesDays: CONFIG.quoteRetentionDays };
  const job = createPruneJob({ store, retention, clock, logger: silentLogger });
  const startedMs = performance.now();
  let isOver = false;
  const pruned = job.runOnce().finally(() => {
    isOver = true;
  });
  let longestMs = 0;
  while (!isOver) {
    longestMs = Math.max(longestMs, await capture(store));
    await wait(5);
  }
  await pruned;
  say(`thinned a day in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  return longestMs;
}
