// An API replica's board, updated from the leader's snapshot rows. Notifications trigger reads; polling
// versions every second catches missed notifications.

import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat } from '../runtime/repeat.ts';
import type { Board } from '../state/board.ts';
import type { CryptoSnapshot } from '../state/snapshot.ts';
import { createSnapshotReader } from '../state/snapshot-text.ts';
import type { SnapshotStore } from '../store/ports.ts';

export interface BoardFollower {
  /** Resolves after the first read attempt, whether or not it succeeded. */
  start(): Promise<void>;
  /** What the board lacks; null while the leader's snapshots keep coming. */
  findProblem(): string | null;
  stop(): Promise<void>;
}

export interface BoardFollowerOptions {
  board: Board;
  snapshots: SnapshotStore;
  clock: Clock;
  logger: Logger;
}

const REPAIR_EVERY_MS = 1_000;
/** A leader saves every second; this allows for slow reads. */
const OUTDATED_AFTER_MS = 5_000;
const CRYPTO_NAME = 'crypto';

export function createBoardFollower({
  board,
  snapshots,
  clock,
  logger,
}: BoardFollowerOptions): BoardFollower {
  const seenVersions = new Map<string, number>();
  const readers = new Map<string, ReturnType<typeof createSnapshotReader>>();
  let freshTs = clock.now();
  let stopListening: (() => Promise<void>) | null = null;

  async function fetchSnapshot(name: string): Promise<void> {
    const row = await snapshots.find(name);
    if (!row || (seenVersions.get(name) ?? -1) >= row.version) return;
    seenVersions.set(name, row.version);
    freshTs = clock.now();
    if (name === CRYPTO_NAME) board.publishCrypto(JSON.parse(row.body) as CryptoSnapshot);
    else board.publish(readerOf(name)(row.body));
  }

  function readerOf(name: string): ReturnType<typeof createSnapshotReader> {
    const reader = readers.get(name) ?? createSnapshotReader();
    readers.set(name, reader);
    return reader;
  }

  async function look(): Promise<void> {
    stopListening ??= await snapshots.listen((name) => void fetchSnapshot(name).catch(report));
    for (const { name, version } of await snapshots.versions()) {
      if ((seenVersions.get(name) ?? -1) < version) await fetchSnapshot(name);
    }
  }

  function report(error: unknown): void {
    logger.warn({ error: errorMessage(error) }, 'snapshot read failed; serving the last snapshots');
  }

  const looking = createRepeat({ clock, pauseMs: REPAIR_EVERY_MS, run: look, onError: report });

  return {
    start: looking.start,
    findProblem() {
      const ageMs = clock.now() - freshTs;
      if (ageMs <= OUTDATED_AFTER_MS) return null;
      return `no new data from the ingest process for ${Math.floor(ageMs / 1_000)} s`;
    },
    async stop() {
      await looking.stop();
      await stopListening?.();
    },
  };
}
