// Refuses a request at minimal cost, because refusals peak under overload. The caller is not identified, so a
// refusal uses no allowance, appears in no usage report, and is not logged.

import { API_LINES, JSON_LINES, NO_STORE_LINES } from './fixed-headers.ts';
import type { Reply, RequestParts } from './reply.ts';
import type { RequestMeter } from './request-meter.ts';
import type { Router } from './router.ts';
import type { Trace } from './sender.ts';

export interface TooBusyOptions {
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
