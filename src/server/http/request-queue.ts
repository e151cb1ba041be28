// Requests that come while the event loop is late wait here and are served in short slices, callers in turn and each
// one's oldest first. Otherwise all that are ready would be served in one turn, and timers wait for its end. A turn also
// accepts one connection and no more, so while connections come in, turns are given to them before the next slice: else
// those who call anew would wait longest. After each slice those at the end of the line who could not be served in time
// leave it, the greediest's newest first. Telling them so takes a fifth of the time at most, so that however many are
// refused, the others are served at two thirds of the full pace or better; and no less, because whoever is not told waits
// without need, and keeps a connection that somebody else could be served on. At three times the load a fifth of the time
// was not enough to tell them all (`npm run bench -- overload`).
// While the loop is on time nothing waits, and nothing here costs anything.

import type { LoadGuard } from '../load/load-guard.ts';
import type { LoadLevel } from '../load/load-judge.ts';
import type { RouteCost } from '../load/route-cost.ts';
import { FairLine } from './fair-line.ts';
import type { Reply, RequestParts } from './reply.ts';
import { API_PREFIX } from './route.ts';
import type { Refuse } from './too-busy.ts';

export type Serve = (req: RequestParts, reply: Reply, arrivedMs: number, load: LoadLevel) => void;

export interface RequestQueueOptions {
  serve: Serve;
  refuse: Refuse;
  costOf: (req: RequestParts) => RouteCost;
  /** Who gets one turn among the callers: a key that is known, or an address. */
  callerOf: (req: RequestParts) => string;
  guard: Pick<LoadGuard, 'isTurnLong' | 'memoryLevel' | 'noteSlice' | 'countPlaces' | 'noteRefused'>;
  stopwatch: () => number;
  /** In another turn, after those who wait for this one. */
  later: (action: () => void) => void;
}

interface Waiting {
  req: RequestParts;
  reply: Reply;
  arrivedMs: number;
  caller: string;
}

const SLICE_MS = 4;
const REFUSING_MS = SLICE_MS / 4;
/** Turns in a row that only accept. */
const ACCEPT_TURNS = 32;
const HEALTH = `${API_PREFIX}/health`;

export function createRequestQueue({
  serve,
  refuse,
  costOf,
  callerOf,
  guard,
  stopwatch,
  later,
}: RequestQueueOptions) {
  const waiting = new FairLine<Waiting>();
  let refused: Waiting[] = [];
  /** When the slice before ended; null for the first of a queue. */
  let servedToMs: number | null = null;
  let hasNewConnection = false;
  let acceptTurns = 0;

  function onRequest(req: RequestParts, reply: Reply): void {
    const nowMs = stopwatch();
    const isDirect = (isEmpty() && !guard.isTurnLong(nowMs)) || req.url === HEALTH;
    if (isDirect) serve(req, reply, nowMs, guard.memoryLevel());
    else enqueue({ req, reply, arrivedMs: nowMs, caller: callerOf(req) });
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
    const taken = takeUntil(
      stopwatch() + SLICE_MS,
      () => waiting.shift(),
      ({ req, reply, arrivedMs }) => serve(req, reply, arrivedMs, guard.memoryLevel()),
    );
    refuseSome(waiting.length > 0 ? REFUSING_MS : SLICE_MS);
    const nowMs = stopwatch();
    if (taken > 0) guard.noteSlice(nowMs - fromMs, taken);
    servedToMs = nowMs;
    sendAwayTooMany();
  }

  function refuseSome(forMs: number): void {
    let at = 0;
    takeUntil(
      stopwatch() + forMs,
      () => refused[at++],
      ({ req, reply, arrivedMs }) => refuse(req, reply, arrivedMs),
    );
    refused = refused.slice(at);
  }

  /** One after the other until the time is over, one at least; how many that were. */
  function takeUntil(
    endMs: number,
    next: () => Waiting | undefined,
    answer: (request: Waiting) => void,
  ): number {
    let taken = 0;
    while (taken === 0 || stopwatch() < endMs) {
      const request = next();
      if (request === undefined) break;
      taken += 1;
      // Who has gone away needs no answer.
      if (!request.req.socket.destroyed) answer(request);
    }
    return taken;
  }

  function sendAwayTooMany(): void {
    const places = guard.countPlaces('costly');
    if (waiting.length <= places) return;
    const dismissed = waiting.dismiss(places, ({ req }, ahead) => ahead < guard.countPlaces(costOf(req)));
    refused.push(...dismissed);
    guard.noteRefused(dismissed.length);
  }

  return {
    onRequest,
    onConnection: () => {
      hasNewConnection = true;
    },
  };
}
