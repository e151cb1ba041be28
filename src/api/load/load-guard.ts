// Watches this process: whether its event loop is late, whether memory runs out, and how much has to be refused.

import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import { LoadJudge, type LoadLevel } from './load-judge.ts';

export interface LoadGuard {
  start(): void;
  stop(): Promise<void>;
  /** The loop has been at the same turn for longer than a request should wait for its turn. */
  isTurnLong(nowMs: number): boolean;
  /** The first request that has to wait. */
  beginQueue(): void;
  /** CPU time of this thread. */
  readCpuMs(): number;
  /** How much to refuse: of requests that did not wait, and of one that did. */
  judge(nowMs: number): LoadLevel;
  judgeWaited(nowMs: number, arrivedCpuMs: number, behind: number): LoadLevel;
  /** For those who only look. */
  level(): LoadLevel;
}

const TICK_MS = 20;
const LONG_TURN_MS = 2 * TICK_MS;
const HEAP_EVERY_MS = 250;
/** Used heap as a share of the most it may grow to. */
const HEAP_HIGH = 0.9;
const HEAP_FULL = 0.96;

export function judgeHeap(share: number): LoadLevel {
  if (share > HEAP_FULL) return 2;
  return share > HEAP_HIGH ? 1 : 0;
}

export function createLoadGuard({ clock, logger }: { clock: Clock; logger: Logger }): LoadGuard {
  const judge = new LoadJudge();
  let tickedMs = Infinity;
  let heapLevel: LoadLevel = 0;
  let heapReadMs = -Infinity;
  let lastLevel: LoadLevel = 0;
  let refused = 0;

  /** Runs once in a turn however long that is. */
  function tick(): void {
    tickedMs = performance.now();
    if (tickedMs - heapReadMs >= HEAP_EVERY_MS) {
      heapReadMs = tickedMs;
      const heap = getHeapStatistics();
      heapLevel = judgeHeap(heap.used_heap_size / heap.heap_size_limit);
      tellWhenOver();
    }
  }

  /** One line when it begins and one when it is over: a line for each refusal would be load of its own. */
  function tellWhenOver(): void {
    if (refused === 0 || heapLevel > 0 || judge.isRefusing(tickedMs)) return;
    logger.warn({ refused }, 'all requests are served again');
    refused = 0;
  }

  function note(level: LoadLevel): LoadLevel {
    if (level === 0) return 0;
    if (refused === 0) logger.warn({ level }, 'more requests than can be served: costly ones are refused');
    refused += 1;
    lastLevel = level;
    return level;
  }

  const ticking = createRepeat({
    clock,
    pauseMs: TICK_MS,
    run: tick,
    onError: (error) => logger.error({ problem: errorMessage(error) }, 'the load could not be measured'),
  });

  return {
    start: () => void ticking.start(),
    stop: ticking.stop,
    isTurnLong: (nowMs) => nowMs - tickedMs > LONG_TURN_MS,
    beginQueue: () => judge.beginQueue(readCpuMs()),
    readCpuMs,
    judge: () => note(heapLevel),
    judgeWaited(nowMs, arrivedCpuMs, behind) {
      const level = judge.judge({ nowMs, cpuMs: readCpuMs(), arrivedCpuMs, behind });
      return note(level > heapLevel ? level : heapLevel);
    },
    level: () => (refused === 0 ? heapLevel : lastLevel),
  };
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
