// Durable writes through the store's writer thread, beside a plain loop on the same engine; and reading back.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CapturedPost } from '../../src/domain/post.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';
import type { BenchOptions } from './core/bench.ts';
import { type BenchRow, limitRow, pairedRow } from './core/row.ts';
import { median } from './core/statistics.ts';

export const about = `The embedded store, syncing its log at every commit. The baseline is a loop on \`node:sqlite\` with one prepared statement and the same pragmas and columns. Ours also checks for edits, keeps the event loop free and joins concurrent writes into one commit.`;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(options.scratchDir, 'store-'));
  const store = await openStore({ dataDir: folder, clock: systemClock, logger: silentLogger });
  const raw = openRaw(join(folder, 'raw.sqlite'));
  const rounds = options.isQuick ? 1 : 7;
  const single = options.isQuick ? 50 : 1_000;
  const batch = options.isQuick ? 500 : 5_000;
  const ours = { single: [] as number[], many: [] as number[], batch: [] as number[] };
  const plain = { single: [] as number[], batch: [] as number[] };
  try {
    for (let round = 0; round < rounds; round++) {
      options.say(`round ${round + 1} of ${rounds}`);
      ours.single.push(await perSecond(single, () => writeSingly(store, take(single))));
      plain.single.push(await perSecond(single, () => raw.writeSingly(take(single))));
      ours.many.push(await perSecond(single, () => writeAtOnce(store, take(single))));
      ours.batch.push(
        await perSecond(batch, async () => void (await store.posts.recordCaptures(take(batch)))),
      );
      plain.batch.push(await perSecond(batch, () => raw.writeBatch(take(batch))));
    }
    const pageMs: number[] = [];
    for (let i = 0; i < (options.isQuick ? 20 : 300); i++) {
      const startMs = performance.now();
      await store.posts.listRecent('a', 100, i * 10);
      pageMs.push(performance.now() - startMs);
    }
    return [
      pairedRow(
        'store: single durable writes per second vs plain loop',
        ours.single,
        plain.single,
        'more',
        0.25,
      ),
      pairedRow(
        'store: 1,000 writers at once, writes per second vs plain loop',
        ours.many,
        plain.single,
        'more',
        1,
      ),
      pairedRow(
        'store: rows per second in batches of 5,000 vs plain loop',
        ours.batch,
        plain.batch,
        'more',
        0.1,
      ),
      limitRow('store: a page of 100 posts, median ms', median(pageMs), 5),
    ];
  } finally {
    await store.close();
    raw.close();
  }
}

async function perSecond(count: number, work: () => void | Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return count / ((performance.now() - startMs) / 1000);
}

async function writeSingly(store: Store, posts: readonly CapturedPost[]): Promise<void> {
  for (const post of posts) await store.posts.recordCaptures([post]);
}

async function writeAtOnce(store: Store, posts: readonly CapturedPost[]): Promise<void> {
  await Promise.all(posts.map((post) => store.posts.recordCaptures([post])));
}

let lastId = 0;

function take(count: number): CapturedPost[] {
  return Array.from({ length: count }, () => {
    const postId = String(1_000_000_000 + ++lastId);
    const flags = {
      isReply: false,
      isQuote: false,
      isRetweet: false,
      isSelfReply: false,
      isCommunity: false,
    };
    const text = 'A post like any other, long enough to be one.';
    const times = { createdTs: lastId * 1_000, firstSeenTs: lastId * 1_000 + 500, deletedTs: null };
    return { accountId: 'a', postId, rootPostId: postId, text, ...flags, ...times, isCounted: true };
  });
}

function openRaw(path: string) {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec(`create table posts (account_id, post_id primary key, root_id, created_ts, text, is_reply, is_quote,
    is_retweet, is_self_reply, is_community, first_seen_ts, deleted_ts, is_counted)`);
  const insert = database.prepare('insert into posts values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const put = (post: CapturedPost) =>
    insert.run(
      post.accountId,
      post.postId,
      post.rootPostId,
      post.createdTs,
      post.text,
      0,
      0,
      0,
      0,
      0,
      post.firstSeenTs,
      null,
      1,
    );
  return {
    writeSingly: (posts: readonly CapturedPost[]) => posts.forEach((post) => void put(post)),
    writeBatch(posts: readonly CapturedPost[]) {
      database.exec('begin immediate');
      for (const post of posts) put(post);
      database.exec('commit');
    },
    close: () => database.close(),
  };
}
