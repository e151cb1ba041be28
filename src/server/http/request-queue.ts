// Queues requests while the event loop is late and serves them in short slices, round-robin over callers and
// each caller's oldest first. Otherwise all ready requests would run in one event-loop turn and delay timers.
// Nothing is queued while the loop is on time.
//
// A turn accepts only one connection, so some turns between slices are left for new connections; otherwise
// new callers would wait longest. After each slice, requests that would be late are refused from the end of
// the queue, the busiest caller's newest first. Refusals take up to a fifth of the time: more would
// slow down accepted requests, less would leave refused callers waiting (`npm run bench -- overload`).

import type { LoadGuard } from '../load/load-guard.ts';
import type { LoadLevel, RouteCost } from '../load/load-judge.ts';
import { FairLine } from './fair-line.ts';
import { API_LINES, JSON_LINES, NO_STORE_LINES } from './fixed-headers.ts';
import type { Reply, RequestParts } from './reply.ts';
import type { RequestMeter } from './request-meter.ts';
import { API_PREFIX } from './route.ts';
import type { Router } from './router.ts';
import type { Trace } from './sender.ts';

export type Serve = (req: RequestParts, reply: Reply, arrivedMs: number, load: LoadLevel) => void;

export interface RequestQueueOptions {
  serve: Serve;
  refuse: Refuse;
  costOf: (req: RequestParts) => RouteCost;
  /** The caller's identity for fair queueing: a known key, or an address. */
  callerOf: (req: RequestParts) => string;
  guard: Pick<LoadGuard, 'isTurnLong' | 'memoryLevel' | 'noteSlice' | 'countPlaces' | 'noteRefused'>;
  stopwatch: () => number;
  /** Runs the action in a later event-loop turn, after the requests that are already waiting. */
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
/** Maximum number of consecutive turns that only accept connections. */
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
  /** When the previous slice ended; null before the first slice of a queue. */
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

  /** Handles at least one request, continues until the time is up, and returns how many. */
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
      // A caller that has disconnected needs no response.
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

// Refuses a request at minimal cost, because refusals peak under overload. The caller is not identified, so a
// refusal uses no allowance, appears in no usage report, and is not logged.

interface TooBusyOptions {
  router: Pick<Router, 'findAddress'>;
  meter: Pick<RequestMeter, 'record'>;
  stopwatch: () => number;
  wallNow: () => number;
  nextRequestId: () => string;
  trace: Trace | null;
}

export type Refuse = (req: RequestParts, reply: Reply, arrivedMs: number) => void;

const BODY = JSON.stringify({ detail: 'Too busy. Try again shortly.' });
const LINES = `${JSON_LINES}${NO_STORE_LINES}${API_LINES}Retry-After: 1\r\nContent-Length: ${BODY.length}\r\n`;

export function createTooBusy(options: TooBusyOptions): Refuse {
  const { router, meter, stopwatch, wallNow, nextRequestId, trace } = options;
  return (req, reply, arrivedMs) => {
    const requestId = nextRequestId();
    reply.send(503, `${LINES}X-Request-Id: ${requestId}\r\n`, BODY, wallNow());
    const durationMs = stopwatch() - arrivedMs;
    const entry = router.findAddress(req.url!);
    meter.record(entry?.methods.get(req.method!)?.index ?? -1, 503, durationMs, BODY.length);
    trace?.({ req, entry, requestId }, 503, durationMs);
  };
}
