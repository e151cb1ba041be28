// Monitors this process's event-loop delay and memory, and decides how many requests to refuse.

import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { RouteCost } from './load-judge.ts';
import { LoadJudge, type LoadLevel } from './load-judge.ts';

export interface LoadGuard extends Pick<LoadJudge, 'noteSlice'> {
  start(): void;
  stop(): Promise<void>;
  /** Whether the current event-loop turn has lasted longer than a request should wait. */
  isTurnLong(nowMs: number): boolean;
  /** How much to refuse because memory is low. */
  memoryLevel(): LoadLevel;
  /** How many requests may be ahead of a request before it is refused. */
  countPlaces(cost: RouteCost): number;
  /** Records that this many requests were refused because they could not be served in time. */
  noteRefused(count: number): void;
  /** Current level, for metrics. */
  level(): LoadLevel;
}

const TICK_MS = 20;
const LONG_TURN_MS = 2 * TICK_MS;
const HEAP_EVERY_MS = 250;
/** Refusals further apart than this count as separate shedding periods. */
const QUIET_MS = 1_000;
/** Used heap as a share of its limit. */
const HEAP_HIGH = 0.9;
const HEAP_FULL = 0.96;

export function judgeHeap(share: number): LoadLevel {
  if (share > HEAP_FULL) return 2;
  return share > HEAP_HIGH ? 1 : 0;
}

export interface LoadGuardOptions {
  clock: Clock;
  logger: Logger;
  /** Number of open connections. */
  countConnections: () => number;
}

export function createLoadGuard({ clock, logger, countConnections }: LoadGuardOptions): LoadGuard {
  const judge = new LoadJudge();
  let tickedMs = Infinity;
  let heapLevel: LoadLevel = 0;
  let heapReadMs = -Infinity;
  let refused = 0;
  let refusedMs = -Infinity;

  /** Runs once per event-loop turn. */
  function tick(): void {
    tickedMs = performance.now();
    if (tickedMs - heapReadMs >= HEAP_EVERY_MS) {
      heapReadMs = tickedMs;
      readHeap();
      logWhenOver();
    }
  }

  function readHeap(): void {
    const heap = getHeapStatistics();
    const level = judgeHeap(heap.used_heap_size / heap.heap_size_limit);
    if (level !== heapLevel) logger.warn({ level }, 'low memory: shedding requests');
    heapLevel = level;
  }

  /** Logs only the start and end of shedding, because a line per refusal would add load. */
  function noteRefused(count: number): void {
    if (count === 0) return;
    if (refused === 0) logger.warn({ count }, 'overload: shedding requests');
    refused += count;
    refusedMs = performance.now();
  }

  function logWhenOver(): void {
    if (refused === 0 || tickedMs - refusedMs < QUIET_MS) return;
    logger.warn({ refused }, 'load shedding ended');
    refused = 0;
  }

  const ticking = createRepeat({
    clock,
    pauseMs: TICK_MS,
    run: tick,
    onError: (error) => logger.error({ problem: errorMessage(error) }, 'load measurement failed'),
  });

  return {
    start: () => void ticking.start(),
    stop: ticking.stop,
    isTurnLong: (nowMs) => nowMs - tickedMs > LONG_TURN_MS,
    memoryLevel: () => heapLevel,
    noteSlice: (elapsedMs, served) => judge.noteSlice(elapsedMs, served),
    countPlaces: (cost) => judge.countPlaces(cost, countConnections()),
    noteRefused,
    level: () => (refused > 0 && heapLevel === 0 ? 1 : heapLevel),
  };
}
