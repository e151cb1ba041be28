// Three clients follow one account across a service restart (this process, Python, Python with asyncio). Each
// must receive every post once and end with the right counts.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createTallycast } from '../../packages/client-js/src/index.ts';
import { ROOT } from '../../scripts/packages/places.ts';
import type { TestService } from '../browser/service.ts';
import { waitUntil } from '../support/boot.ts';

const ACCOUNT = 'account_a';
/** More than a snapshot lists, so the rest must be fetched. */
const POSTS_WHILE_AWAY = 20;

interface Reader {
  name: string;
  /** Ids in order of arrival. */
  posts: string[];
  snapshots: number;
  /** Latest own count by event. */
  counts: Map<number, number | null>;
  end(): void;
}

export async function checkRestart(
  service: TestService,
  python: string | null,
  env: Record<string, string>,
): Promise<string> {
  const readers = [
    readHere(service.url, env.TALLYCAST_KEY!),
    ...(python ? ['sync', 'async'].map((kind) => readInPython(python, kind, env)) : []),
  ];
  try {
    await waitUntil(() => readers.every(({ snapshots }) => snapshots === 1));
    const expected = [inject(service), inject(service)];
    await waitUntil(() => readers.every((reader) => hasAll(reader, expected)));
    await service.stop();
    for (let i = 0; i < POSTS_WHILE_AWAY; i++) expected.push(inject(service));
    await service.start();
    await waitUntil(() => readers.every((reader) => hasAll(reader, expected)));
    expected.push(inject(service));
    await waitUntil(() => readers.every((reader) => hasAll(reader, expected)));
    for (const reader of readers) await judge(reader, service);
    return `${readers.length} clients, ${expected.length} posts, ${POSTS_WHILE_AWAY} of them while the service was down`;
  } finally {
    for (const reader of readers) reader.end();
  }
}

function inject({ simulator }: TestService): string {
  return simulator.injectPost({ accountId: 'a' }).id;
}

function hasAll({ posts }: Reader, expected: readonly string[]): boolean {
  return expected.every((id) => posts.includes(id));
}

async function judge({ name, posts, snapshots, counts }: Reader, { app }: TestService): Promise<void> {
  assert.equal(snapshots, 1, `${name} received one snapshot`);
  assert.equal(new Set(posts).size, posts.length, `${name} received no post twice`);
  // No post captured since the first message may be missing.
  const recent = app.board.find('a')!.recentPosts.map(({ postId }) => postId);
  const since = recent.slice(0, recent.indexOf(posts[0]!) + 1);
  assert.deepEqual(
    since.filter((id) => !posts.includes(id)),
    [],
    name,
  );
  // The counters follow the posts slightly later.
  await waitUntil(() =>
    app.board
      .find('a')!
      .events.every(
        ({ event, counters }) => !counts.has(event.eventId) || counts.get(event.eventId) === counters.real,
      ),
  );
}

function createReader(name: string, end: () => void): Reader {
  return { name, posts: [], snapshots: 0, counts: new Map(), end };
}

function readHere(url: string, apiKey: string): Reader {
  const done = new AbortController();
  const reader = createReader('JavaScript', () => done.abort());
  const follow = async () => {
    const changes = createTallycast({ url, apiKey }).follow(ACCOUNT, { signal: done.signal });
    for await (const change of changes) {
      if (change.event === 'snapshot') reader.snapshots += 1;
      if (change.event === 'post') reader.posts.push(change.data.tweet_id);
      if (change.event === 'counters') reader.counts.set(change.data.event_id, change.data.real_counter);
    }
  };
  void follow();
  return reader;
}

function readInPython(python: string, kind: string, env: Record<string, string>): Reader {
  const child: ChildProcess = spawn(python, [join(ROOT, 'test/packages/follow_account.py'), kind], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const reader = createReader(`Python, ${kind}`, () => child.kill('SIGKILL'));
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const change = JSON.parse(line) as { event: string; post?: string; counters?: [number, number | null] };
    if (change.event === 'snapshot') reader.snapshots += 1;
    if (change.post !== undefined) reader.posts.push(change.post);
    if (change.counters) reader.counts.set(...change.counters);
  });
  return reader;
}
