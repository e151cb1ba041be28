// Follows the push stream of a source that has one, while allowed, and reopens it when it ends.

import { MINUTE_MS } from '../../domain/units.ts';
import { sleep } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import type { PostSource } from '../../sources/source.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';
import type { Service } from '../service.ts';
import type { IngestTools } from './feed-loop.ts';

export interface PushFeedOptions extends IngestTools {
  source: PostSource;
  recorder: AccountRecorder;
  onRead?: () => Promise<void>;
}

export interface PushFeed extends Service {
  isAlive(): boolean;
  /** Why it is of no use although it connects; null if it delivers or cannot connect. */
  problem(): string | null;
}

/** Long enough for keep-alives and first snapshots, short enough to be in health within a minute. */
const MUTE_AFTER_MS = 40_000;

/** Describes a stream that opened at `sinceTs` and has delivered nothing; null while it may still deliver. */
export function describeSilence(
  what: string,
  sinceTs: number | null,
  nowTs: number,
  timeScale: number,
): string | null {
  if (sinceTs === null || nowTs - sinceTs < MUTE_AFTER_MS * timeScale) return null;
  return `${what}: it connects but delivers nothing; polling instead`;
}

const PUSH_SILENT_AFTER_MS = 30_000;
const RECONNECT_MS = 2_000;
/** Pause when only the operator can fix the problem; it is rechecked locally, without a call. */
const STOPPED_PAUSE_MS = 5 * MINUTE_MS;

export function createPushFeed(options: PushFeedOptions): PushFeed {
  const { source, recorder, clock, logger } = options;
  const stopping = new AbortController();
  let aliveTs = Number.NEGATIVE_INFINITY;
  let muteSinceTs: number | null = null;
  let running: Promise<void> | null = null;

  const keep = (work: Promise<unknown>) => {
    work.catch((error: unknown) =>
      logger.error({ error: errorMessage(error) }, 'pushed post not stored; deferred to the next poll'),
    );
  };

  async function follow(): Promise<void> {
    await source.openStream!(
      {
        onOpen: () => {
          muteSinceTs ??= clock.now();
        },
        onPost: (post) => keep(recorder.capture([post], 'live', source.name).then(() => options.onRead?.())),
        onDeletion: ({ postId, deletedTs }) => keep(recorder.markDeleted([postId], deletedTs)),
        onAlive: () => {
          aliveTs = clock.now();
          muteSinceTs = null;
        },
      },
      stopping.signal,
    );
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let pauseMs = RECONNECT_MS;
      try {
        await follow();
      } catch (error) {
        if (error instanceof SourceError)
          pauseMs = error.needsOperator ? STOPPED_PAUSE_MS : Math.max(RECONNECT_MS, error.retryAfterMs ?? 0);
        logger.warn(
          { account: recorder.account.segment, error: errorMessage(error) },
          'push stream ended; polling',
        );
      }
      aliveTs = Number.NEGATIVE_INFINITY;
      await sleep(clock, pauseMs, stopping.signal);
    }
  }

  return {
    isAlive: () => clock.now() - aliveTs < PUSH_SILENT_AFTER_MS,
    problem: () =>
      describeSilence(`push stream of ${source.name}`, muteSinceTs, clock.now(), options.timeScale),
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
