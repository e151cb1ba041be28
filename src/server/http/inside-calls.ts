// Internal calls from one route to another, e.g. by agent tools. They are authorised, limited, paid and
// counted like separate requests.

import type { Admission, Admitter } from './admission.ts';
import type { Answer, HandlerResult } from './answer.ts';
import { errorText } from './error-responses.ts';
import type { Exchange } from './exchange.ts';
import { toAnswer } from './paid-call.ts';
import { type InsideCall, type Reply, type RequestParts, rewriteRequest } from './reply.ts';
import type { RoutedMethod } from './router.ts';
import type { Sender } from './sender.ts';

/** The pipeline steps that an internal call shares. */
interface Steps {
  admitter: Admitter;
  sender: Sender;
  pick(req: RequestParts, reply: Reply): Exchange;
  /** null if the route may run. */
  pickView(x: Exchange): Answer | null;
  payAndRun(x: Exchange, method: RoutedMethod, header: string): Promise<Answer>;
  readAndHandle(x: Exchange, method: RoutedMethod): HandlerResult | Promise<HandlerResult>;
  explain(x: Exchange, error: unknown): Answer;
}

export interface InsideCalls {
  callInside(outer: Exchange, call: InsideCall): Promise<Answer>;
  /** null if the allowance covers this many additional internal calls. */
  chargeMore(x: Exchange, requests: number): Answer | null;
}

export function createInsideCalls(steps: Steps): InsideCalls {
  const { admitter, sender } = steps;

  /** Returns another route's response on behalf of `outer`'s caller. */
  async function callInside(outer: Exchange, call: InsideCall): Promise<Answer> {
    const x = steps.pick(rewriteRequest(outer.req, call), outer.reply);
    x.accept = '';
    x.givenBody = call.body ?? null;
    const answered = await answerInside(x, outer).catch((error) => steps.explain(x, error));
    const bytes = answered.content?.bytes.length ?? Buffer.byteLength(JSON.stringify(answered.json) ?? '');
    sender.finish(x, answered.status, bytes, answered.status >= 400 ? errorText(answered.json) : null);
    return answered;
  }

  async function answerInside(x: Exchange, outer: Exchange): Promise<Answer> {
    const stop = (await admitInside(x, outer)) ?? steps.pickView(x);
    if (stop !== null) return stop;
    if (x.paymentHeader !== null) return steps.payAndRun(x, x.method!, x.paymentHeader);
    return toAnswer(await steps.readAndHandle(x, x.method!));
  }

  /** The caller is already identified, and the outer request's charge covers a fixed number of calls. */
  function admitInside(x: Exchange, outer: Exchange): Admission {
    if (outer.prepaidCalls === 0) return admitter.admit(x);
    outer.prepaidCalls -= 1;
    x.key = outer.key;
    x.caller = outer.caller;
    return null;
  }

  function chargeMore(x: Exchange, requests: number): Answer | null {
    const refusal = admitter.chargeMore(x, requests);
    if (refusal === null) x.prepaidCalls += requests;
    return refusal;
  }

  return { callInside, chargeMore };
}
