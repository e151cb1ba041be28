// The four steps of every request: route (with caller and view), read (parameters, body), handle, send. All
// routes share this pipeline; the fast ones are fast because each step is cheap.

import { authorise } from '../../access/authorise.ts';
import { resolveClientProtocol } from '../../access/client-address.ts';
import { isSameOrigin } from '../../access/same-origin.ts';
import type { PaidRoute, PaymentGate } from '../../payments/payment-gate.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { isRefused, type LoadLevel } from '../load/load-judge.ts';
import type { Admission, Admitter } from './admission.ts';
import type { Answer, HandlerResult } from './answer.ts';
import { ApiError, errorAnswer, errorText, faultAnswer, translateError } from './error-responses.ts';
import { Exchange } from './exchange.ts';
import { type InsideCall, rewriteRequest } from './inside-call.ts';
import { accepts } from './negotiate.ts';
import { payThenAnswer, toAnswer } from './paid-call.ts';
import { preflightAnswer } from './preflight.ts';
import { JSON_TYPE, PreparedBody } from './prepared-body.ts';
import { readBytes } from './read-body.ts';
import { readHead } from './read-head.ts';
import type { Reply, RequestParts } from './reply.ts';
import type { Route } from './route.ts';
import type { RoutedMethod, Router } from './router.ts';
import type { Sender } from './sender.ts';
import { takeOver } from './take-over.ts';
import type { Refuse } from './too-busy.ts';

export interface PipelineOptions {
  router: Router;
  admitter: Admitter;
  sender: Sender;
  /** Answers that the service is too busy. */
  refuse: Refuse;
  gate: PaymentGate | null;
  priceUsd: number;
  trustedProxyHops: number;
  /** Address of the service's own page; empty if unknown. */
  publicUrl: string;
  bodyLimitBytes: number;
  logger: Logger;
  stopwatch: () => number;
  /** Clock for allowances, keys and usage. */
  wallNow: () => number;
  /** Clock of the answers. */
  serviceNow: () => number;
  nextRequestId: () => string;
}

const NOT_FOUND = errorAnswer(404, 'Not Found');
const FOREIGN_PAGE = errorAnswer(403, 'Only the page of this service may call this');
/** Concurrent calls per key. */
const MOST_IN_HAND = 32;
const TOO_MANY_AT_ONCE = errorAnswer(429, `A key may have ${MOST_IN_HAND} concurrent calls`, {
  'Retry-After': '1',
});
const WWW_AUTHENTICATE = 'APIKey realm="tallycast", header="X-API-Key"';

export interface Pipeline {
  /** `load` says what to refuse so that the rest can be answered. */
  onRequest(req: RequestParts, reply: Reply, arrivedMs: number, load: LoadLevel): void;
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { router, admitter, sender, gate } = options;

  function onRequest(req: RequestParts, reply: Reply, arrivedMs: number, load: LoadLevel): void {
    if (load > 0 && isRefused(router.costOf(req.method!, req.url!), load)) {
      options.refuse(req, reply, arrivedMs);
      return;
    }
    const x = pick(req, reply, arrivedMs);
    try {
      const admission = admitter.admit(x);
      if (admission instanceof Promise) admission.then((refusal) => proceed(x, refusal)).catch(failing(x));
      else proceed(x, admission);
    } catch (error) {
      failing(x)(error);
    }
  }

  function pick(req: RequestParts, reply: Reply, arrivedMs: number): Exchange {
    const x = new Exchange(req, reply, arrivedMs, options.wallNow(), options.nextRequestId());
    x.entry = router.find(x.path);
    x.method = x.entry?.methods.get(req.method!);
    if (gate !== null && x.method?.route.isPayable) x.paymentHeader = gate.findPaymentHeader(req.headers);
    readHead(req.rawHeaders, x);
    return x;
  }

  function proceed(x: Exchange, refusal: Answer | null): void {
    const stop = refusal ?? pickView(x);
    if (stop !== null) send(x, stop);
    else if (x.paymentHeader !== null) answerPaid(x, x.method!, x.paymentHeader);
    else if (x.method!.route.takeOver !== null) handOver(x, x.method!);
    else answer(x, x.method!);
  }

  /** Requests waiting for the store or the market occupy a place; each key has a limited number. */
  function holdWhile({ identity }: Exchange, work: Promise<unknown>): void {
    if (identity === null) return;
    identity.inHand += 1;
    const letGo = () => {
      identity.inHand -= 1;
    };
    work.then(letGo, letGo);
  }

  /** null: the route may run. Determines the view, and whether a payment buys the call. */
  function pickView(x: Exchange): Answer | null {
    if (x.entry === undefined) return NOT_FOUND;
    if (x.method === undefined) return wrongMethod(x);
    const { route } = x.method;
    if (route.isSameOriginOnly && !isSameOrigin(x.headers, options.publicUrl)) return FOREIGN_PAGE;
    const isOffered = gate !== null && route.isPayable;
    const verdict = authorise(route.access, x.key, isOffered, x.paymentHeader !== null);
    if (verdict.kind === 'denied') {
      return errorAnswer(401, verdict.detail, { 'WWW-Authenticate': WWW_AUTHENTICATE });
    }
    if (verdict.kind === 'challenge') {
      const { headers, body } = gate!.challenge(paidRoute(x, route), 'A payment or a PRO key is required');
      return { status: 402, json: body, headers };
    }
    if (x.identity !== null && x.identity.inHand >= MOST_IN_HAND && route.cost === 'costly')
      return TOO_MANY_AT_ONCE;
    if (verdict.kind !== 'pay') x.paymentHeader = null;
    x.view = verdict.kind === 'pay' ? 'pro' : verdict.view;
    const type = route.document.contentType ?? JSON_TYPE;
    if (x.accept === '' || route.document.isPage || accepts(x.accept, type)) return null;
    if (route.document.csv !== undefined && accepts(x.accept, 'text/csv')) return null;
    return errorAnswer(406, `Only ${type} is available here`);
  }

  function answerPaid(x: Exchange, method: RoutedMethod, header: string): void {
    payAndRun(x, method, header)
      .then((bought) => send(x, bought))
      .catch(failing(x));
  }

  function payAndRun(x: Exchange, method: RoutedMethod, header: string): Promise<Answer> {
    const route = paidRoute(x, method.route);
    return payThenAnswer(
      gate!,
      header,
      route,
      x.signal,
      () => readAndHandle(x, method),
      () => admitter.chargeRefusedPayment(x),
    );
  }

  /**
   * Another route's answer for the caller of `outer`: authorised, limited, paid and counted like a separate
   * request.
   */
  async function callInside(outer: Exchange, call: InsideCall): Promise<Answer> {
    const req = rewriteRequest(outer.req, call);
    const x = pick(req, outer.reply, options.stopwatch());
    x.accept = '';
    x.givenBody = call.body ?? null;
    const answered = await answerInside(x, outer).catch((error) => explain(x, error));
    const bytes = answered.content?.bytes.length ?? Buffer.byteLength(JSON.stringify(answered.json) ?? '');
    sender.finish(x, answered.status, bytes, answered.status >= 400 ? errorText(answered.json) : null);
    return answered;
  }

  async function answerInside(x: Exchange, outer: Exchange): Promise<Answer> {
    const stop = (await admitInside(x, outer)) ?? pickView(x);
    if (stop !== null) return stop;
    if (x.paymentHeader !== null) return payAndRun(x, x.method!, x.paymentHeader);
    const result = readAndHandle(x, x.method!);
    if (result instanceof Promise) holdWhile(x, result);
    return toAnswer(await result);
  }

  /** The caller is already identified; the outer charge covers as many calls as it was made for. */
  function admitInside(x: Exchange, outer: Exchange): Admission {
    if (outer.prepaidCalls === 0) return admitter.admit(x);
    outer.prepaidCalls -= 1;
    x.key = outer.key;
    x.caller = outer.caller;
    return null;
  }

  async function chargeMore(x: Exchange, requests: number): Promise<Answer | null> {
    const refusal = await admitter.chargeMore(x, requests);
    if (refusal === null) x.prepaidCalls += requests;
    return refusal;
  }

  function handOver(x: Exchange, method: RoutedMethod): void {
    const refusal = readQuery(x, method);
    if (refusal !== null) {
      send(x, refusal);
      return;
    }
    x.prepaidCalls = 1;
    takeOver(x, method.route.takeOver!, sender, failing(x), {
      callInside: (call) => callInside(x, call),
      chargeMore: (requests) => chargeMore(x, requests),
    });
  }

  function answer(x: Exchange, method: RoutedMethod): void {
    const result = readAndHandle(x, method);
    if (result instanceof Promise) {
      holdWhile(x, result);
      result.then((value) => send(x, value)).catch(failing(x));
    } else send(x, result);
  }

  function send(x: Exchange, result: HandlerResult): void {
    if (result instanceof PreparedBody) sender.sendPrepared(x, result);
    else sender.sendAnswer(x, result);
  }

  function readAndHandle(x: Exchange, method: RoutedMethod): HandlerResult | Promise<HandlerResult> {
    const refusal = readQuery(x, method);
    if (refusal !== null) return refusal;
    if (method.readBody === null) return method.route.handle(x);
    return readBody(x, method).then((bodyRefusal) => bodyRefusal ?? method.route.handle(x));
  }

  function readQuery(x: Exchange, method: RoutedMethod): Answer | null {
    x.nowTs = options.serviceNow();
    if (x.entry!.pattern.includes('{')) x.params = router.readParams(x.entry!.pattern, x.path);
    if (method.readQuery === null) return null;
    const reading = method.readQuery(x.queryText);
    x.warning = reading.warning;
    if (reading.faults !== null) return faultAnswer(reading.faults);
    x.query = reading.value;
    return null;
  }

  async function readBody(x: Exchange, method: RoutedMethod): Promise<Answer | null> {
    const bytes = x.givenBody ?? (await readBytes(x.reply.platform!, options.bodyLimitBytes));
    if (bytes === null) {
      return errorAnswer(413, `The body is larger than ${options.bodyLimitBytes} bytes`);
    }
    const reading = method.readBody!(bytes, x.req.headers);
    x.warning ??= reading.warning;
    if (reading.refusal !== null) return reading.refusal;
    x.body = reading.value;
    return null;
  }

  /** The address is what the caller sees; a payment is bound to the route, not to the address. */
  function paidRoute(x: Exchange, route: Route): PaidRoute {
    const forwarded = x.req.headers['x-forwarded-proto'] as string | undefined;
    const proto = resolveClientProtocol(forwarded, options.trustedProxyHops);
    return {
      method: route.method,
      pattern: route.path,
      priceUsd: options.priceUsd,
      url: `${proto}://${x.req.headers.host ?? 'localhost'}${route.path}`,
      description: route.document.summary,
    };
  }

  function failing(x: Exchange): (error: unknown) => void {
    return (error) => {
      if (x.isDone) logLate(x, error);
      else send(x, explain(x, error));
    };
  }

  /** A caller that disconnects in the middle of its body is no failure of the service. */
  function logLate({ requestId }: Exchange, error: unknown): void {
    const details = { requestId, problem: errorMessage(error) };
    if (error instanceof ApiError) options.logger.debug(details, 'request aborted');
    else options.logger.error(details, 'failure after response');
  }

  function explain(x: Exchange, error: unknown): Answer {
    const known = translateError(error);
    if (known) return known;
    const stack = error instanceof Error ? error.stack : String(error);
    options.logger.error({ requestId: x.requestId, stack }, 'unexpected failure');
    return errorAnswer(500, 'Internal Server Error');
  }

  return { onRequest };
}

function wrongMethod(x: Exchange): Answer {
  const entry = x.entry!;
  const isAsked = x.req.method === 'OPTIONS' && !entry.isSameOriginOnly;
  const preflight = isAsked ? preflightAnswer(x.req.headers, entry.allow) : null;
  return preflight ?? errorAnswer(405, 'Method Not Allowed', { Allow: entry.allow });
}
