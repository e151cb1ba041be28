// Measures the time from process start to first response, with an empty store and with two years of posts,
// and memory afterwards.

import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { HOUR_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { BenchOptions } from './core/bench.ts';
import { readRssMb, startCommand } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { median, relativeSpread } from './core/statistics.ts';
import { type StartedService, watchFirstMinutes } from './first-minutes.ts';

/** A first start computes the track record for several seconds, then frees the memory. */
const FIRST_STAY_MS = 45_000;
const RESTING_MB = 256;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const rounds = options.isQuick ? 1 : 7;
  const empty: number[] = [];
  const warm: number[] = [];
  const warmDir = mkdtempSync(join(options.scratchDir, 'warm-'));
  const posts = options.isQuick ? 4_000 : 60_000;
  options.say(`filling a store with ${posts} posts per account`);
  await fill(warmDir, posts);
  const first = await startOnce(options, warmDir, options.isQuick ? 4_000 : FIRST_STAY_MS);
  let rssMb = 0;
  for (let round = 0; round < rounds; round++) {
    options.say(`start ${round + 1} of ${rounds}`);
    empty.push((await startOnce(options, mkdtempSync(join(options.scratchDir, 'empty-')), 0)).readyMs);
    const last = await startOnce(options, warmDir, round === rounds - 1 ? 10_000 : 0);
    warm.push(last.readyMs);
    rssMb = last.rssMb;
  }
  const firstMinutes = options.isQuick ? [] : await startFresh(options);
  return [
    limitRow('start-up, empty store: first response ms', median(empty), 2_000, relativeSpread(empty)),
    limitRow(
      `start-up, ${(2 * posts).toLocaleString('en-US')} posts: first response ms`,
      median(warm),
      1_000,
      relativeSpread(warm),
    ),
    limitRow(`start-up, idle with ${(2 * posts).toLocaleString('en-US')} posts: RSS MB`, rssMb, RESTING_MB),
    limitRow('start-up, after scoring past events on first start: RSS MB', first.rssMb, RESTING_MB),
    ...firstMinutes,
  ];
}

async function startFresh(options: BenchOptions): Promise<BenchRow[]> {
  const started = await start(options, mkdtempSync(join(options.scratchDir, 'fresh-')));
  try {
    return await watchFirstMinutes(options, started);
  } finally {
    await started.service.stop();
  }
}

async function startOnce(
  options: BenchOptions,
  dataDir: string,
  stayMs: number,
): Promise<{ readyMs: number; rssMb: number }> {
  const { service, readyMs } = await start(options, dataDir);
  await wait(stayMs);
  const rssMb = readRssMb(service.pid);
  await service.stop();
  return { readyMs, rssMb };
}

async function start(options: BenchOptions, dataDir: string): Promise<StartedService> {
  // Below the range the system assigns to outgoing connections.
  const port = 20_000 + (Math.floor(performance.now() * 7) % 12_000);
  const cache = { NODE_COMPILE_CACHE: join(options.scratchDir, 'compiled') };
  const startedMs = performance.now();
  const starting = startCommand(process.execPath, ['bin/tallycast.mjs', 'start'], {
    env: { ...cache, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    until: /^tallycast is running/,
  });
  const polling = new AbortController();
  starting.catch(() => polling.abort());
  await waitForAnswer(port, polling.signal);
  const readyMs = performance.now() - startedMs;
  return { service: await starting, url: `http://127.0.0.1:${port}`, readyMs };
}

async function waitForAnswer(port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isAnswering(port))) await wait(5);
}

function isAnswering(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const req = request({ port, host: '127.0.0.1', path: '/api/v1/meta/account_a' }, (res) => {
      res.resume();
      resolve(res.statusCode === 200);
    });
    req.on('error', () => resolve(false));
    req.end();
  });
}

async function fill(dataDir: string, posts: number): Promise<void> {
  const store = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
  const nowTs = systemClock.now();
  const stepMs = (2 * 365 * 24 * HOUR_MS) / posts;
  for (const accountId of ['a', 'b']) {
    for (let from = 0; from < posts; from += 2_000) {
      await store.posts.recordCaptures(
        Array.from({ length: 2_000 }, (_, i) => {
          const createdTs = Math.floor(nowTs - (from + i + 1) * stepMs);
          const postId = String(1_000_000_000 + posts - from - i);
          return {
            accountId,
            postId,
            rootPostId: postId,
            createdTs,
            text: `A post like any other, number ${from + i}, long enough to be one.`,
            isReply: i % 3 === 0,
            isQuote: false,
            isRetweet: false,
            isSelfReply: false,
            isCommunity: false,
            firstSeenTs: createdTs + 500,
            deletedTs: null,
            isCounted: i % 3 !== 0,
          };
        }),
      );
    }
  }
  await store.close();
}
