// Four steps of every request: pick (route, caller), read (parameters, body), handle, send. One pipeline for
// all routes: the fast ones are fast because each step costs them little, not because they go another way.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { authorise } from '../access/authorise.ts';
import type { PaidRoute, PaymentGate } from '../access/payment-gate.ts';
import { readJsonBody } from '../contract/json-body.ts';
import { parseQueryString } from '../contract/query-string.ts';
import { errorAnswer, faultAnswer, translateError } from '../error-responses.ts';
import type { Admitter } from './admission.ts';
import type { Answer, HandlerResult } from './answer.ts';
import { Exchange } from './exchange.ts';
import { accepts } from './negotiate.ts';
import { payThenSend } from './paid-call.ts';
import { preflightAnswer } from './preflight.ts';
import { PreparedBody } from './prepared-body.ts';
import { readBytes } from './read-body.ts';
import { readHead } from './read-head.ts';
import type { RoutedMethod, Router } from './router.ts';
import type { Sender } from './sender.ts';
import { takeOver } from './take-over.ts';

export interface PipelineOptions {
  router: Router;
  admitter: Admitter;
  sender: Sender;
  gate: PaymentGate | null;
  priceUsd: number;
  bodyLimitBytes: number;
  logger: Logger;
  stopwatch: () => number;
  /** Time of allowances, keys and usage. */
  wallNow: () => number;
  /** Time of the service's answers. */
  serviceNow: () => number;
  nextRequestId: () => string;
}

const NOT_FOUND = errorAnswer(404, 'Not Found');
const NO_PAYMENT = { isOffered: false, isSent: false };
const WWW_AUTHENTICATE = 'APIKey realm="tallycast", header="X-API-Key"';

export function createPipeline(
  options: PipelineOptions,
): (req: IncomingMessage, res: ServerResponse) => void {
  const { router, admitter, sender, gate } = options;

  function onRequest(req: IncomingMessage, res: ServerResponse): void {
    const x = new Exchange(req, res, options.stopwatch(), options.wallNow(), options.nextRequestId());
    x.entry = router.find(x.path);
    x.method = x.entry?.methods.get(req.method!);
    readHead(req.rawHeaders, x);
    try {
      const admission = admitter.admit(x);
      if (admission instanceof Promise) admission.then((refusal) => proceed(x, refusal)).catch(failing(x));
      else proceed(x, admission);
    } catch (error) {
      failing(x)(error);
    }
  }

  function proceed(x: Exchange, refusal: Answer | null): void {
    if (refusal !== null) return sender.sendAnswer(x, refusal);
    if (x.entry === undefined) return sender.sendAnswer(x, NOT_FOUND);
    if (x.method === undefined) return sender.sendAnswer(x, wrongMethod(x));
    return pass(x, x.method);
  }

  function pass(x: Exchange, method: RoutedMethod): void {
    const { route } = method;
    const paymentHeader = gate !== null && route.isPayable ? gate.findPaymentHeader(x.req.headers) : null;
    const payment =
      gate !== null && route.isPayable ? { isOffered: true, isSent: paymentHeader !== null } : NO_PAYMENT;
    const verdict = authorise(route.access, x.key, payment);
    if (verdict.kind === 'denied') {
      const headers = { 'WWW-Authenticate': WWW_AUTHENTICATE };
      return sender.sendAnswer(x, errorAnswer(401, verdict.detail, headers));
    }
    if (verdict.kind === 'challenge') {
      const challenge = gate!.challenge(paidRoute(x, method), 'Payment or a PRO key is needed');
      return sender.sendAnswer(x, { status: 402, json: challenge.body, headers: challenge.headers });
    }
    x.view = verdict.kind === 'pay' ? 'pro' : verdict.view;
    const type = route.document.contentType ?? 'application/json';
    if (x.accept !== '' && !route.document.isPage && !accepts(x.accept, type)) {
      return sender.sendAnswer(x, errorAnswer(406, `Only ${type} is available here`));
    }
    if (verdict.kind === 'pay') {
      payThenSend(gate!, paymentHeader!, paidRoute(x, method), x, sender, () => run(x, method)).catch(
        failing(x),
      );
      return undefined;
    }
    return answer(x, method);
  }

  function answer(x: Exchange, method: RoutedMethod): void {
    if (method.route.takeOver !== null) {
      const refusal = readQuery(x, method);
      if (refusal !== null) return sender.sendAnswer(x, refusal);
      return takeOver(x, method.route.takeOver, sender, failing(x));
    }
    const result = run(x, method);
    if (result instanceof Promise) result.then((value) => deliver(x, value)).catch(failing(x));
    else deliver(x, result);
    return undefined;
  }

  function deliver(x: Exchange, result: HandlerResult): void {
    if (result instanceof PreparedBody) sender.sendPrepared(x, result);
    else sender.sendAnswer(x, result);
  }

  /** Reads what the route declares and calls its handler. */
  function run(x: Exchange, method: RoutedMethod): HandlerResult | Promise<HandlerResult> {
    const refusal = readQuery(x, method);
    if (refusal !== null) return refusal;
    x.nowTs = options.serviceNow();
    if (method.body === null) return method.route.handle(x);
    return readBody(x, method).then((bodyRefusal) => bodyRefusal ?? method.route.handle(x));
  }

  function readQuery(x: Exchange, method: RoutedMethod): Answer | null {
    x.nowTs = options.serviceNow();
    if (x.entry!.pattern.includes('{')) x.params = router.readParams(x.entry!.pattern, x.path);
    if (method.query === null) return null;
    if (x.queryText === '' && method.defaultQuery !== null) {
      x.query = method.defaultQuery;
      return null;
    }
    const coerced = method.query.query(parseQueryString(x.queryText));
    if (!coerced.ok) return faultAnswer(coerced.faults);
    x.query = coerced.value;
    return null;
  }

  async function readBody(x: Exchange, method: RoutedMethod): Promise<Answer | null> {
    const bytes = await readBytes(x.req, options.bodyLimitBytes);
    if (bytes === null) {
      return errorAnswer(413, `The body is larger than ${options.bodyLimitBytes} bytes`, {
        Connection: 'close',
      });
    }
    const read = readJsonBody(bytes, x.req.headers['content-type'], x.req.headers['content-encoding']);
    if (read.kind === 'refused') return errorAnswer(read.status, read.detail);
    if (read.kind === 'faults') return faultAnswer(read.faults);
    const coerced = method.body!.body(read.value);
    if (!coerced.ok) return faultAnswer(coerced.faults);
    x.body = coerced.value;
    return null;
  }

  function paidRoute(x: Exchange, method: RoutedMethod): PaidRoute {
    const { route } = method;
    const host = x.req.headers.host ?? 'localhost';
    return {
      method: route.method,
      pattern: route.path,
      priceUsd: options.priceUsd,
      url: `http://${host}${route.path}`,
      description: route.document.summary,
    };
  }

  function failing(x: Exchange): (error: unknown) => void {
    return (error) => {
      if (x.isDone) return options.logger.error({ problem: errorMessage(error) }, 'failure after the answer');
      const known = translateError(error);
      if (!known) {
        const stack = error instanceof Error ? error.stack : String(error);
        options.logger.error({ requestId: x.requestId, stack }, 'unforeseen failure');
      }
      sender.sendAnswer(x, known ?? errorAnswer(500, 'Internal Server Error'));
    };
  }

  return onRequest;
}

function wrongMethod(x: Exchange): Answer {
  const entry = x.entry!;
  const preflight = x.req.method === 'OPTIONS' ? preflightAnswer(x.req.headers, entry.allow) : null;
  return preflight ?? errorAnswer(405, 'Method Not Allowed', { Allow: entry.allow });
}
