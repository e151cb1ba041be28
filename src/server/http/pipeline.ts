// The request pipeline, in four steps: route (caller and view), read (parameters and body), handle, send.

import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Admitter } from './admission.ts';
import type { Answer, HandlerResult } from './answer.ts';
import { ApiError, errorAnswer, faultAnswer, translateError } from './error-responses.ts';
import { Exchange } from './exchange.ts';
import { API_LINES, STREAM_LINES, splitLines } from './fixed-headers.ts';
import { createInsideCalls } from './inside-calls.ts';
import { payThenAnswer } from './paid-call.ts';
import { describePaid, pickView, type ViewOptions } from './pick-view.ts';
import { PreparedBody } from './prepared-body.ts';
import { readBytes } from './read-body.ts';
import type { Reply, RequestParts } from './reply.ts';
import type { RawExchange, Route } from './route.ts';
import type { RoutedMethod, Router } from './router.ts';
import type { Sender } from './sender.ts';
import { createStreamSink } from './stream-sink.ts';

export interface PipelineOptions extends ViewOptions {
  router: Router;
  admitter: Admitter;
  sender: Sender;
  /** Calls that may wait for the store, the market or another thread at a time. */
  maxAtOnce: number;
  bodyLimitBytes: number;
  logger: Logger;
  stopwatch: () => number;
  /** Clock for allowances, keys and usage. */
  wallNow: () => number;
  /** Service clock, used in responses. */
  serviceNow: () => number;
  nextRequestId: () => string;
}

export interface Pipeline {
  onRequest(req: RequestParts, reply: Reply): void;
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { router, admitter, sender, gate, logger } = options;
  const pick = (req: RequestParts, reply: Reply) => openExchange(options, req, reply);
  const compute = createBound(options.maxAtOnce);
  const inside = createInsideCalls({
    ...{ admitter, sender, pick, payAndRun, readAndHandle },
    pickView: (x) => pickView(x, options),
    explain: (x, error) => explain(x, error, logger),
  });

  function onRequest(req: RequestParts, reply: Reply): void {
    const x = pick(req, reply);
    try {
      const admission = admitter.admit(x);
      if (admission instanceof Promise) admission.then((refusal) => proceed(x, refusal)).catch(failing(x));
      else proceed(x, admission);
    } catch (error) {
      failing(x)(error);
    }
  }

  function send(x: Exchange, result: HandlerResult): void {
    if (result instanceof PreparedBody) sender.sendPrepared(x, result);
    else sender.sendAnswer(x, result);
  }

  function proceed(x: Exchange, refusal: Answer | null): void {
    const stop = refusal ?? pickView(x, options);
    if (stop !== null) send(x, stop);
    else if (x.paymentHeader !== null) answerPaid(x, x.method!, x.paymentHeader);
    else if (x.method!.route.takeOver !== null) handOver(x, x.method!);
    else if (x.method!.route.stream !== null) stream(x, x.method!, x.method!.route.stream);
    else answer(x, x.method!);
  }

  function answerPaid(x: Exchange, method: RoutedMethod, header: string): void {
    payAndRun(x, method, header)
      .then((bought) => send(x, bought))
      .catch(failing(x));
  }

  async function payAndRun(x: Exchange, method: RoutedMethod, header: string): Promise<Answer> {
    if (method.readBody !== null) {
      x.givenBody ??= await readBytes(x.reply.platform!, options.bodyLimitBytes);
      if (x.givenBody === null) return tooLarge(options.bodyLimitBytes);
    }
    return payThenAnswer(
      gate!,
      header,
      describePaid(x, method.route, options),
      x.signal,
      () => readAndHandle(x, method),
      () => admitter.chargeRefusedPayment(x),
    );
  }

  function handOver(x: Exchange, method: RoutedMethod): void {
    const refusal = readParameters(x, method);
    if (refusal !== null) {
      send(x, refusal);
      return;
    }
    x.prepaidCalls = 1;
    takeOver(x, method.route.takeOver!, sender, failing(x), {
      callInside: (call) => inside.callInside(x, call),
      chargeMore: (requests) => inside.chargeMore(x, requests),
    });
  }

  function stream(x: Exchange, method: RoutedMethod, begin: NonNullable<Route['stream']>): void {
    const refusal = readParameters(x, method);
    if (refusal !== null) send(x, refusal);
    else openStream(x, begin, sender);
  }

  function answer(x: Exchange, method: RoutedMethod): void {
    const result = readAndHandle(x, method);
    if (result instanceof Promise) result.then((value) => send(x, value)).catch(failing(x));
    else send(x, result);
  }

  function readAndHandle(x: Exchange, method: RoutedMethod): HandlerResult | Promise<HandlerResult> {
    const refusal = readParameters(x, method);
    if (refusal !== null) return refusal;
    if (method.readBody === null) return compute(x, method.route);
    return readBody(x, method, options.bodyLimitBytes).then(
      (bodyRefusal) => bodyRefusal ?? compute(x, method.route),
    );
  }

  function readParameters(x: Exchange, method: RoutedMethod): Answer | null {
    x.nowTs = options.serviceNow();
    return readQuery(x, method, router);
  }

  function failing(x: Exchange): (error: unknown) => void {
    return (error) => {
      if (x.isDone) logLate(x, error, logger);
      else send(x, explain(x, error, logger));
    };
  }

  return { onRequest };
}

const TOO_BUSY = errorAnswer(503, 'Too busy. Try again shortly.', { 'Retry-After': '1' });

/** Runs handlers; those that wait for the store, the market or another thread are limited in number, and per key. */
function createBound(maxAtOnce: number) {
  let waiting = 0;
  return (x: Exchange, route: Route): HandlerResult | Promise<HandlerResult> => {
    if (waiting >= maxAtOnce && !route.isPrepared) return TOO_BUSY;
    const result = route.handle(x);
    if (!(result instanceof Promise)) return result;
    const { identity } = x;
    waiting += 1;
    if (identity !== null) identity.inHand += 1;
    return result.finally(() => {
      waiting -= 1;
      if (identity !== null) identity.inHand -= 1;
    });
  };
}

function openExchange(
  { router, gate, stopwatch, wallNow, nextRequestId }: PipelineOptions,
  req: RequestParts,
  reply: Reply,
): Exchange {
  const x = new Exchange(req, reply, stopwatch(), wallNow(), nextRequestId());
  x.entry = router.find(x.path);
  x.method = x.entry?.methods.get(req.method!);
  if (gate !== null && x.method?.route.isPayable) x.paymentHeader = gate.findPaymentHeader(req.headers);
  return x;
}

// Chooses the response and log line for a failed request.

/** A caller that disconnects while sending its body is not a service failure. */
function logLate({ requestId }: Exchange, error: unknown, logger: Logger): void {
  const details = { requestId, problem: errorMessage(error) };
  if (error instanceof ApiError) logger.debug(details, 'request aborted');
  else logger.error(details, 'failure after response');
}

function explain(x: Exchange, error: unknown, logger: Logger): Answer {
  const known = translateError(error);
  if (known) return known;
  const stack = error instanceof Error ? error.stack : String(error);
  logger.error({ requestId: x.requestId, stack }, 'unexpected failure');
  return errorAnswer(500, 'Internal Server Error');
}

// Reads a request's parameters and body with its route's schemas.

function readQuery(x: Exchange, method: RoutedMethod, router: Router): Answer | null {
  if (x.entry!.pattern.includes('{')) x.params = router.readParams(x.entry!.pattern, x.path);
  if (method.readQuery === null) return null;
  const reading = method.readQuery(x.queryText);
  x.warning = reading.warning;
  if (reading.faults !== null) return faultAnswer(reading.faults);
  x.query = reading.value;
  return null;
}

function tooLarge(limitBytes: number): Answer {
  return errorAnswer(413, `The body is larger than ${limitBytes} bytes`);
}

async function readBody(x: Exchange, method: RoutedMethod, limitBytes: number): Promise<Answer | null> {
  const bytes = x.givenBody ?? (await readBytes(x.reply.platform!, limitBytes));
  if (bytes === null) return tooLarge(limitBytes);
  const reading = method.readBody!(bytes, x.req.headers);
  x.warning ??= reading.warning;
  if (reading.refusal !== null) return reading.refusal;
  x.body = reading.value;
  return null;
}

function openStream(x: Exchange, begin: NonNullable<Route['stream']>, sender: Sender): void {
  const { res } = x.reply.platform!;
  res.writeHead(200, splitLines(STREAM_LINES + API_LINES + sender.ownLines(x)));
  res.flushHeaders();
  const sink = createStreamSink(res);
  sender.noteOpened(x);
  sink.onClose(() => {
    if (!x.isDone) sender.finish(x, 200, sink.bytes, null);
  });
  try {
    begin(x, sink);
  } catch (error) {
    sink.destroy();
    throw error;
  }
}

// Support for routes that write their own response: provides the constant headers and records the request
// when it ends.

function takeOver(
  x: Exchange,
  handler: NonNullable<Route['takeOver']>,
  sender: Sender,
  onError: (error: unknown) => void,
  ways: Pick<RawExchange, 'callInside' | 'chargeMore'>,
): void {
  let bytes = 0;
  const { req, res } = x.reply.platform!;
  res.once('close', () => {
    if (!x.isDone) sender.finish(x, res.statusCode, bytes, null);
  });
  const raw: RawExchange = {
    req,
    res,
    headers: () => {
      const flat = splitLines(API_LINES + sender.ownLines(x));
      return Object.fromEntries(
        flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1]!]] : [])) as [string, string][],
      );
    },
    countBytes: (more) => {
      bytes += more;
    },
    ...ways,
  };
  Promise.resolve()
    .then(() => handler(x, raw))
    .catch(onError);
}
