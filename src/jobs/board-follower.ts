// An API replica's board, updated from what the leaders write. Notifications trigger reads of what changed; a
// gap is closed by reading the whole snapshot. Polling versions every second or two catches missed notifications.

import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat } from '../runtime/repeat.ts';
import type { Board } from '../state/board.ts';
import type { AccountSnapshot, CryptoSnapshot } from '../state/snapshot.ts';
import { applyChanges, keepUnchanged } from '../state/snapshot-patch.ts';
import type { SavedChange, SnapshotStore } from '../store/ports.ts';

export interface BoardFollower {
  /** Resolves after the first read attempt, whether or not it succeeded. */
  start(): Promise<void>;
  /** What the board lacks; null while the leaders' snapshots keep coming. */
  findProblem(): string | null;
  stop(): Promise<void>;
}

export interface BoardFollowerOptions {
  board: Board;
  snapshots: SnapshotStore;
  /** Accounts that this process leads itself; none by default. */
  isOwn?: (name: string) => boolean;
  clock: Clock;
  logger: Logger;
}

const REPAIR_EVERY_MS = 1_000;
/** Beyond that, versions are polled less often: a missed notification is rare, and the poll reads every account. */
const NAMES_AT_FULL_PACE = 200;
const MAX_REPAIR_MS = 2_000;
/** A leader saves every second; this allows for slow reads. */
const OUTDATED_AFTER_MS = 5_000;
const CRYPTO_NAME = 'crypto';

export function createBoardFollower({
  board,
  snapshots,
  isOwn = () => false,
  clock,
  logger,
}: BoardFollowerOptions): BoardFollower {
  const known = new Map<string, AccountSnapshot>();
  let cryptoVersion = -1;
  /** Names that may have a newer version. */
  const waiting = new Set<string>();
  let reading: Promise<void> | null = null;
  let freshTs = clock.now();
  let listed = 0;
  let stopListening: (() => Promise<void>) | null = null;

  function versionOf(name: string): number {
    return name === CRYPTO_NAME ? cryptoVersion : (known.get(name)?.version ?? -1);
  }

  function note(name: string, version: number): void {
    if (name !== CRYPTO_NAME && isOwn(name)) freshTs = clock.now();
    else if (versionOf(name) < version) waiting.add(name);
  }

  /** One read at a time, of everything that came in during the read before. */
  function readWaiting(): Promise<void> {
    reading ??= drain().finally(() => {
      reading = null;
    });
    return reading;
  }

  async function drain(): Promise<void> {
    while (waiting.size > 0) {
      const names = [...waiting];
      waiting.clear();
      await readChanges(names.filter((name) => known.has(name)));
      if (names.includes(CRYPTO_NAME)) await readCrypto();
      for (const name of names) if (name !== CRYPTO_NAME && !known.has(name)) await readWhole(name);
    }
  }

  async function readChanges(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const rows = await snapshots.changesAfter(names.map((name) => ({ name, version: versionOf(name) })));
    const changes = Map.groupBy(rows, ({ name }) => name);
    for (const name of names) if (!follow(name, changes.get(name) ?? [])) await readWhole(name);
  }

  /** Returns whether the changes lead to the newest of them. */
  function follow(name: string, changes: readonly SavedChange[]): boolean {
    const before = known.get(name)!;
    const next = applyChanges(before, changes);
    if (next !== before) publish(name, next);
    return changes.length > 0 && next.version === changes.at(-1)!.version;
  }

  async function readWhole(name: string): Promise<void> {
    const row = await snapshots.find(name);
    if (!row) return;
    const changes = await snapshots.changesAfter([{ name, version: row.version }]);
    const newest = applyChanges(JSON.parse(row.body) as AccountSnapshot, changes);
    if (newest.version > versionOf(name)) publish(name, keepUnchanged(known.get(name), newest));
  }

  async function readCrypto(): Promise<void> {
    const row = await snapshots.find(CRYPTO_NAME);
    if (!row || row.version <= cryptoVersion) return;
    cryptoVersion = row.version;
    freshTs = clock.now();
    board.publishCrypto(JSON.parse(row.body) as CryptoSnapshot);
  }

  function publish(name: string, snapshot: AccountSnapshot): void {
    known.set(name, snapshot);
    freshTs = clock.now();
    board.publish(snapshot);
  }

  async function look(): Promise<void> {
    stopListening ??= await snapshots.listen((name, version) => {
      note(name, version);
      void readWaiting().catch(report);
    });
    const versions = await snapshots.versions();
    listed = versions.length;
    for (const { name, version } of versions) note(name, version);
    await readWaiting();
  }

  function report(error: unknown): void {
    logger.warn({ error: errorMessage(error) }, 'snapshot read failed; serving the last snapshots');
  }

  const pauseMs = () => Math.min(MAX_REPAIR_MS, REPAIR_EVERY_MS * Math.max(1, listed / NAMES_AT_FULL_PACE));
  const looking = createRepeat({ clock, pauseMs, run: look, onError: report });

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
      await reading?.catch(() => {});
    },
  };
}
