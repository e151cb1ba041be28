// Requests that come while the event loop is late wait here and are served in short slices, oldest first. Otherwise all that
// are ready would be served in one turn, and timers wait for its end. A turn also accepts one connection and no more, so
// while connections come in, turns are given to them before the next slice: else those who call anew would wait longest.
// While the loop is on time nothing waits, and nothing here costs anything.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoadGuard } from '../load/load-guard.ts';
import type { LoadLevel } from '../load/load-judge.ts';
import { API_PREFIX } from '../route.ts';

export type Serve = (req: IncomingMessage, res: ServerResponse, arrivedMs: number, load: LoadLevel) => void;

export interface RequestQueueOptions {
  serve: Serve;
  guard: Pick<LoadGuard, 'isTurnLong' | 'beginQueue' | 'readCpuMs' | 'judge' | 'judgeWaited'>;
  stopwatch: () => number;
  /** In another turn, after those who wait for this one. */
  later: (action: () => void) => void;
}

interface Waiting {
  req: IncomingMessage;
  res: ServerResponse;
  arrivedMs: number;
  arrivedCpuMs: number;
}

const SLICE_MS = 4;
/** Turns in a row that only accept. */
const ACCEPT_TURNS = 32;
const HEALTH = `${API_PREFIX}/health`;

export function createRequestQueue({ serve, guard, stopwatch, later }: RequestQueueOptions) {
  let waiting: Waiting[] = [];
  let next = 0;
  let hasNewConnection = false;
  let acceptTurns = 0;

  function onRequest(req: IncomingMessage, res: ServerResponse): void {
    const nowMs = stopwatch();
    const isDirect = (waiting.length === 0 && !guard.isTurnLong(nowMs)) || req.url === HEALTH;
    if (isDirect) serve(req, res, nowMs, guard.judge(nowMs));
    else enqueue(req, res, nowMs);
  }

  function enqueue(req: IncomingMessage, res: ServerResponse, arrivedMs: number): void {
    if (waiting.length === 0) {
      guard.beginQueue();
      later(takeTurn);
    }
    waiting.push({ req, res, arrivedMs, arrivedCpuMs: guard.readCpuMs() });
  }

  function takeTurn(): void {
    const isForConnections = hasNewConnection && acceptTurns < ACCEPT_TURNS;
    acceptTurns = isForConnections ? acceptTurns + 1 : 0;
    hasNewConnection = false;
    if (!isForConnections) serveSlice();
    if (waiting.length > 0) later(takeTurn);
  }

  function serveSlice(): void {
    const endMs = stopwatch() + SLICE_MS;
    let nowMs = 0;
    do {
      const { req, res, arrivedMs, arrivedCpuMs } = waiting[next++]!;
      // Who has gone away needs no answer.
      if (!req.socket.destroyed) {
        const load = guard.judgeWaited(stopwatch(), arrivedCpuMs, waiting.length - next);
        serve(req, res, arrivedMs, load);
      }
      nowMs = stopwatch();
    } while (next < waiting.length && nowMs < endMs);
    forgetServed();
  }

  function forgetServed(): void {
    if (next < waiting.length && next < 1_024) return;
    waiting = waiting.slice(next);
    next = 0;
  }

  return {
    onRequest,
    onConnection: () => {
      hasNewConnection = true;
    },
  };
}
