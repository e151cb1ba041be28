// Saves the latest snapshot of each account for other processes and the next start. A slow store skips
// versions rather than queueing them.

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { Board } from '../../state/board.ts';
import { createSnapshotWriter } from '../../state/snapshot-text.ts';
import type { SnapshotStore } from '../../store/ports.ts';
import type { Service } from '../service.ts';

export interface SnapshotSaverOptions {
  board: Board;
  snapshots: SnapshotStore;
  accountIds: readonly string[];
  /** Replicas need it soon; a single process needs it only at its next start. */
  periodMs: number;
  clock: Clock;
  logger: Logger;
}

export const CRYPTO_SNAPSHOT_NAME = 'crypto';

export function createSnapshotSaver(options: SnapshotSaverOptions): Service {
  const { board, snapshots, clock, logger } = options;
  const savedVersions = new Map<string, number>();

  const write = createSnapshotWriter();

  async function save<T extends { version: number }>(
    name: string,
    snapshot: T | undefined,
    toText: (value: T) => string,
  ): Promise<void> {
    if (!snapshot || savedVersions.get(name) === snapshot.version) return;
    await snapshots.put(name, snapshot.version, toText(snapshot));
    savedVersions.set(name, snapshot.version);
  }

  async function saveAll(): Promise<void> {
    for (const accountId of options.accountIds) await save(accountId, board.find(accountId), write);
    await save(CRYPTO_SNAPSHOT_NAME, board.findCrypto(), JSON.stringify);
  }

  function report(error: unknown): void {
    logger.warn({ error: errorMessage(error) }, 'snapshot save failed; retrying with the next one');
  }

  const saving = createRepeat({ clock, pauseMs: options.periodMs, run: saveAll, onError: report });

  return {
    start: () => void saving.start(),
    async stop() {
      await saving.stop();
      await saveAll().catch(report);
    },
  };
}
