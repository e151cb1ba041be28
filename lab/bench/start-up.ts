// Measures the time from process start to first response, with an empty store and with two years of posts,
// and memory afterwards.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { HOUR_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { BenchOptions } from './core/bench.ts';
import { readRssMb } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { start } from './core/started-service.ts';
import { median, relativeSpread } from './core/statistics.ts';

/** A first start computes the track record for several seconds, then frees the memory. */
const FIRST_STAY_MS = 45_000;
const RESTING_MB = 350;

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
  ];
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
