// The API replicas, on a store that can also fail: they follow the leader's board and serve callers,
// subscribers and payers.

import { createBoardFollower } from '../../src/jobs/board-follower.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { type Board, createBoard } from '../../src/state/board.ts';
import type { Store } from '../../src/store/ports.ts';
import { type Callers, createCallers } from './callers.ts';
import { createFaultyStore, type StoreTrouble } from './faulty-store.ts';
import { createGate } from './gate.ts';
import { createPayers, type Payers } from './payers.ts';
import { createProcessClock } from './process-clock.ts';
import type { Stage } from './stage.ts';
import { createSubscribers, type Subscribers } from './subscribers.ts';

export interface Replicas {
  board: Board;
  callers: Callers;
  subscribers: Subscribers;
  payers: Payers;
  /** How their store fails from now on. */
  setTrouble(trouble: StoreTrouble): void;
  stop(): Promise<void>;
}

/** Only the leader's writes are judged, not the replicas'. */
const UNWATCHED = { newestEpoch: () => 0, onEpoch() {}, onFencedWrite() {}, onCaptured() {}, onSettled() {} };

export function openReplicas(stage: Stage, store: Store): Replicas {
  const { simulator, random, ledger, quiet, config } = stage;
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
  const fail = (what: string) => ledger.fail(simulator.now(), what);
  const trueNow = () => simulator.now();
  const pair = [0, 1].map(() => ({ store: faulty, clock }));
  const callers = createCallers(pair, trueNow, fail);
  const troubleTs = () => (trouble.kind === 'none' ? callers.troubleTs() : simulator.now());
  const accounts = config.accounts;
  const subscribers = createSubscribers({
    ...{ accounts, store, troubled: faulty, board, clock, troubleTs, trueNow, fail },
  });
  const { payments } = faulty;
  const payers = createPayers({ payments, clock, random: random.fork('payers'), troubleTs });
  return {
    ...{ board, callers, subscribers, payers },
    setTrouble(next) {
      if (next.kind !== trouble.kind) callers.noteTrouble();
      trouble = next;
    },
    async stop() {
      await Promise.all([subscribers.stop(), payers.stop()]);
      await store.close();
    },
  };
}
