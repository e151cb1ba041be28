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
  flushIntervalMs: 1_000,
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

const BATCH_ROWS = 4_096;

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
  const untilNextBeatMs = () => settings.flushIntervalMs - (clock.now() % settings.flushIntervalMs);
  const flushing = createRepeat({
    clock,
    firstPauseMs: untilNextBeatMs(),
    pauseMs: untilNextBeatMs,
    run: flush,
    onError: (error) => logger.warn({ problem: errorMessage(error) }, 'usage rows could not be written'),
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
