// Whether this process has more to do than it can: then it refuses what costs most, before everything becomes slow.
// Slowness alone is not enough. A machine kept busy by others is not helped by refusing callers: only a process that
// is itself under a flood of requests sheds them.

import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../runtime/clock.ts';

/** 0: all is answered; 1: what is not prepared in advance is refused; 2: all but health is. */
export type LoadLevel = 0 | 1 | 2;

export interface LoadSample {
  /** Share of the period in which the event loop worked. */
  utilization: number;
  /** Median time by which the event loop was late. */
  delayMs: number;
  requestsPerSecond: number;
  /** Used heap as a share of the most it may grow to. */
  heapShare: number;
}

export interface LoadGuard {
  start(): void;
  stop(): void;
  level(): LoadLevel;
}

const PERIOD_MS = 250;
const BUSY_UTILIZATION = 0.97;
const FLOOD_PER_SECOND = 1_000;
const LATE_MS = 60;
const VERY_LATE_MS = 150;
const HEAP_HIGH = 0.9;
const HEAP_FULL = 0.96;

export function judgeLoad(sample: LoadSample): LoadLevel {
  if (sample.heapShare > HEAP_FULL) return 2;
  const isFlooded = sample.utilization > BUSY_UTILIZATION && sample.requestsPerSecond > FLOOD_PER_SECOND;
  if (isFlooded && sample.delayMs > VERY_LATE_MS) return 2;
  if (sample.heapShare > HEAP_HIGH || (isFlooded && sample.delayMs > LATE_MS)) return 1;
  return 0;
}

export interface LoadGuardOptions {
  clock: Clock;
  countRequests: () => number;
}

export function createLoadGuard({ clock, countRequests }: LoadGuardOptions): LoadGuard {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  let utilization: EventLoopUtilization = performance.eventLoopUtilization();
  let requests = countRequests();
  let sampledMs = performance.now();
  let level: LoadLevel = 0;
  let cancel = () => {};

  function look(): void {
    const nowMs = performance.now();
    const current = performance.eventLoopUtilization();
    const heap = getHeapStatistics();
    level = judgeLoad({
      utilization: performance.eventLoopUtilization(current, utilization).utilization,
      delayMs: delay.percentile(50) / 1e6,
      requestsPerSecond: ((countRequests() - requests) * 1_000) / Math.max(1, nowMs - sampledMs),
      heapShare: heap.used_heap_size / heap.heap_size_limit,
    });
    delay.reset();
    utilization = current;
    requests = countRequests();
    sampledMs = nowMs;
    cancel = clock.after(PERIOD_MS, look);
  }

  return {
    start() {
      delay.enable();
      look();
    },
    stop() {
      cancel();
      delay.disable();
    },
    level: () => level,
  };
}
