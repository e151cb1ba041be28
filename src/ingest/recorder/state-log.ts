// Logs what was observed, for replicas and the next start, and a whole snapshot every few minutes to replay it on. A
// slow store delays the log; after a failure each account's log begins again with a whole snapshot.

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { Board } from '../../state/board.ts';
import type { Step } from '../../state/changes.ts';
import type { SavedObservation, SavedSnapshot, SnapshotStore } from '../../store/ports.ts';
import type { Service } from '../service.ts';

export interface StateLogOptions {
  board: Board;
  snapshots: SnapshotStore;
  accountIds: readonly string[];
  /** Replicas need it soon; a single process needs it only at its next start. */
  periodMs: number;
  /** Between whole snapshots, about; accounts take turns. */
  wholeEveryMs: number;
  clock: Clock;
  logger: Logger;
}

export const CRYPTO_SNAPSHOT_NAME = 'crypto';

/** One transaction per batch; larger ones would delay the posts' own writes. */
const BATCH_BYTES = 1_000_000;

interface AccountLog {
  accountId: string;
  periodMs: number;
  waiting: SavedObservation[];
  /** When the next whole snapshot is due. */
  wholeTs: number;
  /** Whether readers have a snapshot that the waiting observations follow on. */
  isBegun: boolean;
}

interface Batch {
  observations: SavedObservation[];
  wholes: SavedSnapshot[];
  bytes: number;
}

export function createStateLog(options: StateLogOptions): Service {
  const { board, snapshots, clock, logger, accountIds } = options;
  const logs = new Map(accountIds.map((accountId, i) => [accountId, openLog(accountId, i)]));
  let cryptoVersion: number | null = null;
  let stopListening = () => {};

  /** Different periods, because writing all whole snapshots at once would take a second. */
  function openLog(accountId: string, i: number): AccountLog {
    const periodMs = options.wholeEveryMs * (0.5 + i / accountIds.length);
    return { accountId, periodMs, waiting: [], wholeTs: 0, isBegun: false };
  }

  function note({ snapshot, observation }: Step): void {
    const log = logs.get(snapshot.accountId);
    if (!log) return;
    if (!observation) log.isBegun = false;
    const { accountId: name, version, takenTs: ts } = snapshot;
    if (observation && log.isBegun)
      log.waiting.push({ name, version, ts, body: JSON.stringify(observation) });
  }

  async function saveAll(): Promise<void> {
    let batch: Batch = { observations: [], wholes: [], bytes: 0 };
    for (const log of logs.values()) {
      draft(log, batch);
      if (batch.bytes < BATCH_BYTES) continue;
      await append(batch);
      batch = { observations: [], wholes: [], bytes: 0 };
    }
    if (batch.bytes > 0) await append(batch);
    await saveCrypto();
  }

  function draft(log: AccountLog, batch: Batch): void {
    const { waiting, accountId } = log;
    log.waiting = [];
    batch.observations.push(...waiting);
    batch.bytes += waiting.reduce((sum, { body }) => sum + body.length, 0);
    const snapshot = board.find(accountId);
    const isDue = !log.isBegun || (waiting.length > 0 && clock.now() >= log.wholeTs);
    if (!snapshot || !isDue) return;
    const whole = { name: accountId, version: snapshot.version, body: JSON.stringify(snapshot) };
    batch.wholes.push(whole);
    batch.bytes += whole.body.length;
    log.isBegun = true;
    log.wholeTs = clock.now() + log.periodMs;
  }

  /** After a failure readers may or may not have the batch. */
  async function append({ observations, wholes }: Batch): Promise<void> {
    try {
      await snapshots.append(observations, wholes);
    } catch (error) {
      for (const { name } of [...observations, ...wholes]) forget(logs.get(name)!);
      throw error;
    }
  }

  function forget(log: AccountLog): void {
    log.isBegun = false;
    log.waiting = [];
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
      stopListening = board.listen(note);
      void saving.start();
    },
    async stop() {
      await saving.stop();
      stopListening();
      await saveAll().catch(report);
    },
  };
}
