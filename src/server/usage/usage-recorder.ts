// Takes usage rows off the request path and writes them in batches. A store that stalls or fails keeps rows
// waiting in the ring; no request ever waits for them.

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { UsageStore } from '../../store/ports.ts';
import { UsageRing } from './usage-ring.ts';

export interface UsageSettings {
  isEnabled: boolean;
  capacity: number;
  flushIntervalMs: number;
  retentionDays: number;
}

export const DEFAULT_USAGE: UsageSettings = {
  isEnabled: true,
  capacity: 65_536,
  flushIntervalMs: 5_000,
  retentionDays: 90,
};

export interface UsageRecorder {
  readonly ring: UsageRing;
  readonly settings: UsageSettings;
  readonly lastFlushTs: number | null;
  start(): void;
  /** Writes everything recorded before the call; rejects when the store does. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** All of an interval in one write where it can be: sums of an hour and pages of the index are then written once for all of it. */
const BATCH_ROWS = 32_768;
/** How often the ring is looked at; one that fills is not left until the interval is over. */
const BEAT_MS = 1_000;
const FULL_SHARE = 1 / 2;

export function createUsageRecorder(
  store: UsageStore,
  settings: UsageSettings,
  clock: Clock,
  logger: Logger,
): UsageRecorder {
  const ring = new UsageRing(settings.capacity);
  let lastFlushTs: number | null = null;
  let running: Promise<void> | null = null;

  async function writeBatch(): Promise<void> {
    const rows = ring.peek(BATCH_ROWS);
    if (rows.length > 0) await store.append(rows);
    ring.discard(rows.length);
    lastFlushTs = clock.now();
  }

  /** One writer at a time, or rows would be written twice. */
  function writeOnce(): Promise<void> {
    running ??= writeBatch().finally(() => {
      running = null;
    });
    return running;
  }

  async function flush(): Promise<void> {
    const target = ring.accepted;
    while (ring.accepted - ring.size < target) await writeOnce();
  }

  /** On the beat of the clock: a second that is written when it is over is not cut into two rows for each key. */
  const beatMs = Math.min(BEAT_MS, settings.flushIntervalMs);
  const untilNextBeatMs = () => beatMs - (clock.now() % beatMs);
  const currentBeatTs = () => clock.now() - (clock.now() % beatMs);
  let flushedTs = currentBeatTs();

  async function flushWhenDue(): Promise<void> {
    const passedMs = currentBeatTs() - flushedTs;
    // A clock that was set back says nothing of how much waits.
    const isDue = passedMs >= settings.flushIntervalMs || passedMs < 0;
    if (!isDue && ring.size < FULL_SHARE * ring.capacity) return;
    flushedTs = currentBeatTs();
    await flush();
  }

  const flushing = createRepeat({
    clock,
    firstPauseMs: untilNextBeatMs(),
    pauseMs: untilNextBeatMs,
    run: flushWhenDue,
    onError: (error) => logger.warn({ problem: errorMessage(error) }, 'usage write failed'),
  });

  return {
    ring,
    settings,
    get lastFlushTs() {
      return lastFlushTs;
    },
    start: () => void flushing.start(),
    flush,
    async stop() {
      await flushing.stop();
      await flush();
    },
  };
}
