// Requests that come while the event loop is late wait here and are served in short slices, oldest first. Otherwise all that
// are ready would be served in one turn, and timers wait for its end. A turn also accepts one connection and no more, so
// while connections come in, turns are given to them before the next slice: else those who call anew would wait longest.
// After each slice the newest who could not be served in time leave the queue; telling them so takes a tenth of the time at
// most, so that however many are refused, the others are served at nine tenths of the full pace or better.
// While the loop is on time nothing waits, and nothing here costs anything.

import type { LoadGuard } from '../load/load-guard.ts';
import type { LoadLevel } from '../load/load-judge.ts';
import { API_PREFIX, type RouteCost } from '../route.ts';
import type { Reply, RequestParts } from './reply.ts';

export type Serve = (req: RequestParts, reply: Reply, arrivedMs: number, load: LoadLevel) => void;

export interface RequestQueueOptions {
  serve: Serve;
  costOf: (req: RequestParts) => RouteCost;
  guard: Pick<LoadGuard, 'isTurnLong' | 'memoryLevel' | 'noteSlice' | 'countPlaces' | 'noteRefused'>;
  stopwatch: () => number;
  /** In another turn, after those who wait for this one. */
  later: (action: () => void) => void;
}

interface Waiting {
  req: RequestParts;
  reply: Reply;
  arrivedMs: number;
}

const SLICE_MS = 4;
const REFUSING_MS = SLICE_MS / 11;
/** Refuses every request but vital ones, which are never among the refused. */
const REFUSED: LoadLevel = 2;
/** Turns in a row that only accept. */
const ACCEPT_TURNS = 32;
const HEALTH = `${API_PREFIX}/health`;

export function createRequestQueue({ serve, costOf, guard, stopwatch, later }: RequestQueueOptions) {
  let waiting: Waiting[] = [];
  let refused: Waiting[] = [];
  /** When the slice before ended; null for the first of a queue. */
  let servedToMs: number | null = null;
  let hasNewConnection = false;
  let acceptTurns = 0;

  function onRequest(req: RequestParts, reply: Reply): void {
    const nowMs = stopwatch();
    const isDirect = (isEmpty() && !guard.isTurnLong(nowMs)) || req.url === HEALTH;
    if (isDirect) serve(req, reply, nowMs, guard.memoryLevel());
    else enqueue({ req, reply, arrivedMs: nowMs });
  }

  const isEmpty = () => waiting.length === 0 && refused.length === 0;

  function enqueue(request: Waiting): void {
    if (isEmpty()) later(takeTurn);
    waiting.push(request);
  }

  function takeTurn(): void {
    const isForConnections = hasNewConnection && acceptTurns < ACCEPT_TURNS;
    acceptTurns = isForConnections ? acceptTurns + 1 : 0;
    hasNewConnection = false;
    if (!isForConnections) serveSlice();
    if (isEmpty()) servedToMs = null;
    else later(takeTurn);
  }

  function serveSlice(): void {
    const fromMs = servedToMs ?? stopwatch();
    const taken = takeFrom(waiting, SLICE_MS, guard.memoryLevel);
    waiting = waiting.slice(taken);
    const refusing = takeFrom(refused, waiting.length > 0 ? REFUSING_MS : SLICE_MS, () => REFUSED);
    refused = refused.slice(refusing);
    const nowMs = stopwatch();
    if (taken > 0) guard.noteSlice(nowMs - fromMs, taken);
    servedToMs = nowMs;
    sendAwayTooMany();
  }

  /** Serves the oldest until the time is over, one at least; how many that were. */
  function takeFrom(queue: readonly Waiting[], forMs: number, loadNow: () => LoadLevel): number {
    const endMs = stopwatch() + forMs;
    let taken = 0;
    while (taken < queue.length && (taken === 0 || stopwatch() < endMs)) {
      const { req, reply, arrivedMs } = queue[taken++]!;
      // Who has gone away needs no answer.
      if (!req.socket.destroyed) serve(req, reply, arrivedMs, loadNow());
    }
    return taken;
  }

  function sendAwayTooMany(): void {
    const places = guard.countPlaces('costly');
    if (waiting.length <= places) return;
    const kept = waiting.slice(0, places);
    for (const request of waiting.slice(places)) {
      if (kept.length < guard.countPlaces(costOf(request.req))) kept.push(request);
      else refused.push(request);
    }
    guard.noteRefused(waiting.length - kept.length);
    waiting = kept;
  }

  return {
    onRequest,
    onConnection: () => {
      hasNewConnection = true;
    },
  };
}
