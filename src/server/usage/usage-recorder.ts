// Writes usage rows in batches, off the request path. If the store stalls or fails, rows wait in the ring;
// requests never wait.

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
  /** Writes everything recorded before the call; rejects if the store does. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Large enough for one write per interval, so that hourly sums and index pages are written once. */
const BATCH_ROWS = 32_768;
/** How often the ring is checked; a nearly full ring is flushed before the interval ends. */
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

  /** Only one writer at a time; otherwise rows would be written twice. */
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

  /**
   * Aligned with the clock, so that each second is complete when written, not split into two rows per key.
   */
  const beatMs = Math.min(BEAT_MS, settings.flushIntervalMs);
  const untilNextBeatMs = () => beatMs - (clock.now() % beatMs);
  const currentBeatTs = () => clock.now() - (clock.now() % beatMs);
  let flushedTs = currentBeatTs();

  async function flushWhenDue(): Promise<void> {
    const passedMs = currentBeatTs() - flushedTs;
    // If the clock moved back, the elapsed time is meaningless, so flush.
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
