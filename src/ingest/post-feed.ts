// Our own count: the account's posts, pushed where the platform can, polled always.

import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import { createRepeat } from '../runtime/repeat.ts';
import type { PostSource } from '../sources/source.ts';
import type { CursorStore } from '../store/ports.ts';
import type { AccountRecorder } from './account-recorder.ts';
import { createFeedLoop, type IngestTools } from './feed-loop.ts';
import type { Service } from './service.ts';

export interface PostFeedOptions extends IngestTools {
  source: PostSource;
  recorder: AccountRecorder;
  cursors: CursorStore;
  usePush: boolean;
}

/** While push is alive, polling only repairs what push may have dropped. */
const REPAIR_PERIOD_MS = 10_000;
const PUSH_SILENT_AFTER_MS = 30_000;
const RECONNECT_MS = 2_000;

export function createPostFeed(options: PostFeedOptions): Service {
  const { source, recorder, cursors, clock } = options;
  const cursorName = `posts:${recorder.account.accountId}:${source.kind}`;
  const push = options.usePush && source.openStream ? createPushFeed(options) : null;
  let cursor: string | null | undefined;
  let lastPollTs = Number.NEGATIVE_INFINITY;

  const loop = createFeedLoop({
    ...options,
    feed: 'own',
    shownAs: ['own'],
    async runOnce(signal) {
      // Push alone keeps the feed fresh only while it truly is alive.
      if (push?.isAlive(clock) && clock.now() - lastPollTs < REPAIR_PERIOD_MS) return null;
      cursor ??= (await cursors.find(cursorName)) ?? null;
      const page = await source.fetchLatest(cursor, signal);
      // Without a position the newest page is history: how late it is says nothing of how fast we are.
      await recorder.capture(page.posts, cursor === null ? 'history' : 'live');
      // Saved after the posts are durable: a crash in between asks again, and duplicates are harmless.
      if (page.cursor !== null && page.cursor !== cursor) {
        await cursors.put(cursorName, page.cursor);
        cursor = page.cursor;
      }
      lastPollTs = clock.now();
      return page.problem ?? page.skipped[0]?.reason ?? null;
    },
  });

  return {
    start() {
      loop.start();
      push?.start();
    },
    async stop() {
      await Promise.all([loop.stop(), push?.stop()]);
    },
  };
}

interface PushFeed extends Service {
  isAlive(clock: Clock): boolean;
}

function createPushFeed(options: PostFeedOptions): PushFeed {
  const { source, recorder, clock, logger } = options;
  let aliveTs = Number.NEGATIVE_INFINITY;

  const keep = (work: Promise<unknown>) => {
    work.catch((error: unknown) =>
      logger.error({ error: errorMessage(error) }, 'pushed post was not kept; polling will bring it'),
    );
  };

  const listening = createRepeat({
    clock,
    pauseMs: RECONNECT_MS,
    async run(signal) {
      try {
        await source.openStream!(
          {
            onPost: (post) => keep(recorder.capture([post], 'live')),
            onDeletion: ({ postId, deletedTs }) => keep(recorder.markDeleted([postId], deletedTs)),
            onAlive: () => {
              aliveTs = clock.now();
            },
          },
          signal,
        );
      } finally {
        aliveTs = Number.NEGATIVE_INFINITY;
      }
    },
    onError: (error) =>
      logger.warn(
        { account: recorder.account.segment, error: errorMessage(error) },
        'push stream ended; polling meanwhile',
      ),
  });

  return {
    isAlive: (now) => now.now() - aliveTs < PUSH_SILENT_AFTER_MS,
    start: () => void listening.start(),
    stop: listening.stop,
  };
}
