// Runs a paid call: reserves and verifies the payment, builds the complete response, settles, and only then
// sends the response.

import type { PaidRoute, PaymentGate } from '../../payments/payment-gate.ts';
import type { Answer, HandlerResult } from './answer.ts';
import { JSON_TYPE, PreparedBody } from './prepared-body.ts';

export async function payThenAnswer(
  gate: PaymentGate,
  header: string,
  route: PaidRoute,
  signal: AbortSignal,
  run: () => HandlerResult | Promise<HandlerResult>,
  onRefused: () => Promise<void>,
): Promise<Answer> {
  const attempt = await gate.begin(header, route, signal);
  if (attempt.kind === 'rejection') {
    if (attempt.status !== 503) await onRefused();
    return { status: attempt.status, json: attempt.body, headers: attempt.headers };
  }
  let result: HandlerResult;
  try {
    result = await run();
  } catch (error) {
    await attempt.release('the handler failed');
    throw error;
  }
  const answer = toAnswer(result);
  if (answer.status >= 400) {
    await attempt.release(`response status ${answer.status}`);
    return answer;
  }
  const outcome = await attempt.settle();
  if (!outcome.ok) return { status: outcome.status, json: outcome.body, headers: outcome.headers };
  const headers = { ...answer.headers, ...outcome.headers, 'Cache-Control': 'private, no-store' };
  return { ...answer, headers, isTagged: false, conclude: outcome.conclude };
}

/** Never a 304: the caller has paid for the body. */
export function toAnswer(result: HandlerResult): Answer {
  if (!(result instanceof PreparedBody)) return result;
  return { status: 200, content: { bytes: result.bytes, type: JSON_TYPE } };
}
