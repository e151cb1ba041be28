// Measures capture delay: from when a post is visible upstream until /meta and /tweets show it.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import type { BenchOptions } from './core/bench.ts';
import { startCommand } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { median, quantile } from './core/statistics.ts';
import { issueKeys } from './load/issue-keys.ts';
import { makePost } from './load/whole-service.ts';

interface Made {
  id: string;
  atMs: number;
  /** Known once the list shows the post. */
  isCounted?: boolean;
  tweetsMs?: number;
  metaMs?: number;
}

const EVERY_MS = 150;
const LOOK_EVERY_MS = 4;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const posts = options.isQuick ? 30 : 400;
  const rows: BenchRow[] = [];
  for (const kind of options.isQuick ? KINDS.slice(0, QUICK_KINDS) : KINDS) {
    options.say(kind.name);
    const made = await measure(options, Math.min(posts, kind.maxPosts), kind);
    rows.push(...toRows(kind.name, made, kind));
  }
  return rows;
}

interface Kind {
  name: string;
  account: 'a' | 'b';
  env: Record<string, string>;
  /** Simulator speed; times below and in the rows are simulated milliseconds. */
  speed: number;
  median: number;
  p99: number;
  /** Sources with delays of minutes get fewer posts. */
  maxPosts: number;
  giveUpMs: number;
  /** The oracle imports 1% of posts days late. */
  mayBeMissing?: number;
}

/** Quick runs measure only the first kinds; the others are minutes late by design. */
const QUICK_KINDS = 3;
const AT_ONCE = { speed: 1, maxPosts: 400, giveUpMs: 15 * SECOND_MS };
const LATE = { speed: 10, maxPosts: 40 };

/** Runs each kind of source as the only source. The simulator adds the delay of slow sources. */
const KINDS: readonly Kind[] = [
  {
    ...{ ...AT_ONCE, name: 'capture, polling', account: 'a', median: 600, p99: 1_200 },
    env: { ACCOUNT_A_POST_SOURCES: 'x' },
  },
  {
    ...{ ...AT_ONCE, name: 'capture, push', account: 'a', median: 50, p99: 1_200 },
    env: { ACCOUNT_A_POST_SOURCES: 'x', X_PUSH: 'true' },
  },
  {
    ...{ ...AT_ONCE, name: 'capture, Mastodon', account: 'b', median: 1_500, p99: 3_000 },
    ...{ env: { ACCOUNT_B_POST_SOURCES: 'mastodon' }, maxPosts: 60 },
  },
  {
    ...{ ...LATE, name: 'capture, RSS', account: 'b', median: 6 * MINUTE_MS, p99: 8 * MINUTE_MS },
    ...{ env: { ACCOUNT_B_POST_SOURCES: 'rss' }, giveUpMs: 8 * MINUTE_MS },
  },
  {
    ...{ ...LATE, name: 'capture, oracle list', account: 'a' },
    ...{ median: 8 * MINUTE_MS, p99: 20 * MINUTE_MS, giveUpMs: 20 * MINUTE_MS, mayBeMissing: 2.5 },
    env: { ACCOUNT_A_POST_SOURCES: 'oracle' },
  },
];

function toRows(name: string, made: readonly Made[], limits: Kind): BenchRow[] {
  const delays = (['metaMs', 'tweetsMs'] as const).map((field) =>
    made
      .filter(({ isCounted }) => field === 'tweetsMs' || isCounted !== false)
      .map(({ atMs, [field]: shownMs }) =>
        shownMs === undefined ? limits.giveUpMs : (shownMs - atMs) * limits.speed,
      ),
  );
  const slower = (of: (delaysMs: number[]) => number) => Math.max(...delays.map(of));
  const missing = made.filter((post) => !isShown(post)).length;
  return [
    limitRow(`${name}: median ms`, slower(median), limits.median),
    limitRow(
      `${name}: p99 ms`,
      slower((delaysMs) => quantile(delaysMs, 0.99)),
      limits.p99,
    ),
    limitRow(`${name}: missed posts`, missing, limits.mayBeMissing ?? 0.5),
  ];
}

function isShown({ tweetsMs, metaMs, isCounted }: Made): boolean {
  return tweetsMs !== undefined && (isCounted === false || metaMs !== undefined);
}

async function measure(options: BenchOptions, posts: number, kind: Kind): Promise<Made[]> {
  const dataDir = mkdtempSync(join(options.scratchDir, 'capture-'));
  const { INTERNAL: key } = await issueKeys({ dataDir });
  const pace = ['--seed', '5', '--speed', String(kind.speed)];
  const simulator = await startCommand(process.execPath, ['bin/tallycast.mjs', 'simulator', ...pace], {
    until: /"base":"([^"]+)"/,
  });
  try {
    const service = await startCommand(process.execPath, ['bin/tallycast.mjs', 'start'], {
      env: {
        PORT: '0',
        DATA_DIR: dataDir,
        SIMULATOR_URL: simulator.hello,
        ...kind.env,
        LOG_LEVEL: 'silent',
      },
      until: /^tallycast is running: (\S+)/,
    });
    try {
      return await watch(options, {
        serviceUrl: service.hello,
        simulatorUrl: simulator.hello,
        key,
        posts,
        kind,
      });
    } finally {
      await service.stop();
    }
  } finally {
    await simulator.stop();
  }
}

interface Watched {
  serviceUrl: string;
  simulatorUrl: string;
  key: string;
  posts: number;
  kind: Kind;
}

interface MetaBody {
  data: { event_id: number; real_counter: number | null; end_ts: number }[];
}
interface TweetsBody {
  data: { tweet_id: string; is_counted: boolean }[];
}

async function watch(
  options: BenchOptions,
  { serviceUrl, simulatorUrl, key, posts, kind }: Watched,
): Promise<Made[]> {
  const look = createReader(serviceUrl, key, `account_${kind.account}`);
  await waitForHistory(look);
  const { known, first } = await readStart(look);
  const made: Made[] = [];
  let isDone = false;
  const making = makePosts(options, simulatorUrl, posts, made, kind.account).then(() => {
    isDone = true;
  });
  /** Counted posts in list order; the counter must pass them in this order. */
  const counted: string[] = [];
  const waitingFor = new Map<string, number>();
  let lastMs = performance.now();
  while (!isDone || made.some((post) => !isShown(post))) {
    const [tweets, meta] = [await look.tweets(), await look.meta()];
    const nowMs = performance.now();
    for (const { tweet_id, is_counted } of tweets.data.toReversed()) {
      if (known.has(tweet_id)) continue;
      known.add(tweet_id);
      if (is_counted) waitingFor.set(tweet_id, counted.push(tweet_id));
      const post = made.find(({ id }) => id === tweet_id);
      if (post) Object.assign(post, { tweetsMs: nowMs, isCounted: is_counted });
    }
    const grown = countOf(meta) - first;
    for (const [id, place] of waitingFor) {
      if (grown < place) break;
      waitingFor.delete(id);
      const post = made.find((candidate) => candidate.id === id);
      if (post) post.metaMs = nowMs;
    }
    if (!isDone) lastMs = nowMs;
    if (nowMs - lastMs > kind.giveUpMs / kind.speed) break;
    await wait(LOOK_EVERY_MS);
  }
  await making;
  return made;
}

/** Reads list and counter consistently: retries until the list is the same before and after the counter. */
async function readStart(
  look: ReturnType<typeof createReader>,
): Promise<{ known: Set<string>; first: number }> {
  for (;;) {
    const before = await look.tweets();
    const first = countOf(await look.meta());
    const after = await look.tweets();
    if (before.data[0]?.tweet_id === after.data[0]?.tweet_id) {
      return { known: new Set(after.data.map(({ tweet_id }) => tweet_id)), first };
    }
  }
}

/** An account's active events grow together; the one that ends last outlasts the run. */
function countOf({ data }: MetaBody): number {
  return data.at(-1)?.real_counter ?? 0;
}

/** Bodies are parsed only when their ETag has changed. */
function createReader(serviceUrl: string, key: string, segment: string) {
  function reader<T>(path: string): () => Promise<T> {
    let etag = '';
    let body: T | undefined;
    return async () => {
      const headers = { 'X-API-Key': key, 'If-None-Match': etag };
      const response = await fetch(`${serviceUrl}/api/v1${path}`, { headers });
      if (response.status === 304) return body!;
      etag = response.headers.get('etag') ?? '';
      body = (await response.json()) as T;
      return body;
    };
  }
  return {
    meta: reader<MetaBody>(`/meta/${segment}`),
    tweets: reader<TweetsBody>(`/meta/${segment}/tweets?limit=100`),
  };
}

async function waitForHistory(look: ReturnType<typeof createReader>): Promise<void> {
  let before = -1;
  for (;;) {
    const meta = await look.meta();
    const tweets = await look.tweets();
    const count = meta.data.length > 0 && tweets.data.length > 0 ? countOf(meta) : -1;
    if (count > 0 && count === before) return;
    before = count;
    await wait(3_000);
  }
}

async function makePosts(
  options: BenchOptions,
  simulatorUrl: string,
  posts: number,
  made: Made[],
  accountId: string,
): Promise<void> {
  for (let i = 0; i < posts; i++) {
    const atMs = performance.now();
    made.push({ id: await makePost(simulatorUrl, accountId), atMs });
    if (i % 50 === 0) options.say(`post ${i + 1} of ${posts}`);
    // Varies the interval so that posts fall at every phase of the one-second poll.
    await wait(EVERY_MS + ((i * 37) % 100) - 50);
  }
}
