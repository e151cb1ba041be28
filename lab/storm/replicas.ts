// An API replica, on a store that can also fail: it follows the leader's board.

import { createBoardFollower } from '../../src/jobs/board-follower.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { type Board, createBoard } from '../../src/state/board.ts';
import type { Store } from '../../src/store/ports.ts';
import { createFaultyStore, type StoreTrouble } from './faulty-store.ts';
import { createGate } from './gate.ts';
import { createProcessClock } from './process-clock.ts';
import type { Stage } from './stage.ts';

export interface Replicas {
  board: Board;
  /** How their store fails from now on. */
  setTrouble(trouble: StoreTrouble): void;
  stop(): Promise<void>;
}

/** Only the leader's writes are judged, not the replicas'. */
const UNWATCHED = { newestEpoch: () => 0, onEpoch() {}, onFencedWrite() {}, onCaptured() {}, onSettled() {} };

export function openReplicas(stage: Stage, store: Store): Replicas {
  const { random, quiet } = stage;
  const clock = createProcessClock(stage.clock);
  let trouble: StoreTrouble = { kind: 'none' };
  const faulty = createFaultyStore({
    ...{ store, clock, quiet, watcher: UNWATCHED, serverClock: stage.clock, gate: createGate() },
    random: random.fork('replicas'),
    log: (line) => stage.log.write(`replica: ${line}`),
    trouble: () => trouble,
    isRetired: () => true,
  });
  const board = createBoard();
  void createBoardFollower({ board, snapshots: faulty.snapshots, clock, logger: silentLogger }).start();
  return {
    board,
    setTrouble: (next) => void (trouble = next),
    stop: () => store.close(),
  };
}
