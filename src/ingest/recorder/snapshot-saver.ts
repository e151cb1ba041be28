// Saves the snapshots that changed, for other processes and the next start. A slow store skips versions rather
// than queueing them. Replicas get what changed; a whole snapshot follows when the changes have grown as large.

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { Board } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import { createSnapshotWriter, findPatch } from '../../state/snapshot-patch.ts';
import type { SavedChange, SavedSnapshot, SnapshotStore } from '../../store/ports.ts';
import type { Service } from '../service.ts';

export interface SnapshotSaverOptions {
  board: Board;
  snapshots: SnapshotStore;
  accountIds: readonly string[];
  /** Replicas need it soon; a single process needs it only at its next start. */
  periodMs: number;
  /** Whether replicas follow, so that only what changed is written; otherwise each save is whole. */
  hasReplicas: boolean;
  clock: Clock;
  logger: Logger;
}

export const CRYPTO_SNAPSHOT_NAME = 'crypto';

/** One transaction per batch; larger ones would delay the posts' own writes. */
const BATCH_BYTES = 1_000_000;

/** What readers have of an account. */
interface Saved {
  snapshot: AccountSnapshot;
  wholeBytes: number;
  /** Since the whole snapshot. */
  changeBytes: number;
}

interface Draft extends Saved {
  change?: SavedChange;
  whole?: SavedSnapshot;
}

export function createSnapshotSaver(options: SnapshotSaverOptions): Service {
  const { board, snapshots, clock, logger } = options;
  const own = new Set(options.accountIds);
  const changed = new Set(own);
  const saved = new Map<string, Saved>();
  let cryptoVersion: number | null = null;
  let stopListening = () => {};
  // Where only changes are written, whole snapshots are too rare to keep their text in memory.
  const write = options.hasReplicas ? JSON.stringify : createSnapshotWriter();

  async function saveAll(): Promise<void> {
    if (options.hasReplicas) await saveChanges();
    else for (const accountId of [...changed]) await saveWhole(accountId);
    await saveCrypto();
  }

  async function saveWhole(accountId: string): Promise<void> {
    const snapshot = board.find(accountId);
    changed.delete(accountId);
    if (!snapshot) return;
    await snapshots.put(accountId, snapshot.version, write(snapshot)).catch((error: unknown) => {
      changed.add(accountId);
      throw error;
    });
  }

  async function saveChanges(): Promise<void> {
    let batch: Draft[] = [];
    let bytes = 0;
    for (const accountId of [...changed]) {
      changed.delete(accountId);
      const draft = draftSave(accountId);
      if (!draft) continue;
      batch.push(draft);
      bytes += (draft.change?.body.length ?? 0) + (draft.whole?.body.length ?? 0);
      if (bytes < BATCH_BYTES) continue;
      await append(batch);
      batch = [];
      bytes = 0;
    }
    if (batch.length > 0) await append(batch);
  }

  function draftSave(accountId: string): Draft | null {
    const snapshot = board.find(accountId);
    const before = saved.get(accountId);
    if (!snapshot || before?.snapshot.version === snapshot.version) return null;
    const { version } = snapshot;
    const body = before && JSON.stringify(findPatch(before.snapshot, snapshot));
    const change = body && { name: accountId, version, previous: before.snapshot.version, body };
    const changeBytes = before && body ? before.changeBytes + body.length : 0;
    if (change && changeBytes <= before.wholeBytes)
      return { snapshot, change, changeBytes, wholeBytes: before.wholeBytes };
    const whole = { name: accountId, version, body: write(snapshot) };
    return { snapshot, ...(change && { change }), whole, changeBytes: 0, wholeBytes: whole.body.length };
  }

  /** After a failure readers may or may not have the batch, so each account's next save is whole. */
  async function append(batch: readonly Draft[]): Promise<void> {
    const changes = batch.flatMap(({ change }) => change ?? []);
    const wholes = batch.flatMap(({ whole }) => whole ?? []);
    try {
      await snapshots.append(changes, wholes);
    } catch (error) {
      for (const { snapshot } of batch) {
        saved.delete(snapshot.accountId);
        changed.add(snapshot.accountId);
      }
      throw error;
    }
    for (const { snapshot, wholeBytes, changeBytes } of batch)
      saved.set(snapshot.accountId, { snapshot, wholeBytes, changeBytes });
  }

  async function saveCrypto(): Promise<void> {
    const crypto = board.findCrypto();
    if (!crypto || crypto.version === cryptoVersion) return;
    await snapshots.put(CRYPTO_SNAPSHOT_NAME, crypto.version, JSON.stringify(crypto));
    cryptoVersion = crypto.version;
  }

  function report(error: unknown): void {
    logger.warn({ error: errorMessage(error) }, 'snapshot save failed; retrying with the next one');
  }

  const saving = createRepeat({ clock, pauseMs: options.periodMs, run: saveAll, onError: report });

  return {
    start() {
      stopListening = board.listen(({ accountId }) => {
        if (own.has(accountId)) changed.add(accountId);
      });
      void saving.start();
    },
    async stop() {
      await saving.stop();
      stopListening();
      await saveAll().catch(report);
    },
  };
}
