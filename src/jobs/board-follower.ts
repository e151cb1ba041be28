// An API replica's board: replays what the leader observed, through the same function. A gap is closed by reading a
// whole snapshot. Polling versions every second or two catches missed notifications.

import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat } from '../runtime/repeat.ts';
import type { Board } from '../state/board.ts';
import { replay } from '../state/replay.ts';
import type { AccountSnapshot, CryptoSnapshot } from '../state/snapshot.ts';
import type { SnapshotStore } from '../store/ports.ts';

export interface BoardFollower {
  /** Resolves after the first read attempt, whether or not it succeeded. */
  start(): Promise<void>;
  /** What the board lacks; null while the leader's observations keep coming. */
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
  let cryptoVersion = -1;
  /** The newest version of each name that was announced. */
  const announced = new Map<string, number>();
  /** Versions to read up to. */
  const waiting = new Map<string, number>();
  let reading: Promise<void> | null = null;
  let freshTs = clock.now();
  let stopListening: (() => Promise<void>) | null = null;

  function versionOf(name: string): number {
    return name === CRYPTO_NAME ? cryptoVersion : (board.find(name)?.version ?? -1);
  }

  /** A process that leads hears of its own versions, which its board has. */
  function note(name: string, version: number): void {
    if (version > (announced.get(name) ?? -1)) freshTs = clock.now();
    announced.set(name, Math.max(version, announced.get(name) ?? -1));
    if (versionOf(name) < version) waiting.set(name, Math.max(version, waiting.get(name) ?? -1));
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
      const newer = [...waiting].filter(([name, version]) => versionOf(name) < version);
      waiting.clear();
      if (newer.some(([name]) => name === CRYPTO_NAME)) await readCrypto();
      await readAccounts(new Map(newer.filter(([name]) => name !== CRYPTO_NAME)));
    }
  }

  async function readAccounts(newer: ReadonlyMap<string, number>): Promise<void> {
    const known = [...newer.keys()].filter((name) => board.find(name));
    const rows = await snapshots.observationsAfter(known.map((name) => ({ name, version: versionOf(name) })));
    const logged = Map.groupBy(rows, ({ name }) => name);
    for (const [name, version] of newer) {
      const snapshot = board.find(name);
      for (const step of snapshot ? replay(snapshot, logged.get(name) ?? []) : []) board.publish(step);
      if (versionOf(name) < version) await readWhole(name);
    }
  }

  async function readWhole(name: string): Promise<void> {
    const row = await snapshots.find(name);
    if (!row || row.version <= versionOf(name)) return;
    const whole = JSON.parse(row.body) as AccountSnapshot;
    const logged = await snapshots.observationsAfter([{ name, version: row.version }]);
    board.replace(replay(whole, logged).at(-1)?.snapshot ?? whole);
  }

  async function readCrypto(): Promise<void> {
    const row = await snapshots.find(CRYPTO_NAME);
    if (!row || row.version <= cryptoVersion) return;
    cryptoVersion = row.version;
    board.publishCrypto(JSON.parse(row.body) as CryptoSnapshot);
  }

  async function look(): Promise<void> {
    stopListening ??= await snapshots.listen((name, version) => {
      note(name, version);
      void readWaiting().catch(report);
    });
    for (const { name, version } of await snapshots.versions()) note(name, version);
    await readWaiting();
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
      await reading?.catch(() => {});
    },
  };
}
