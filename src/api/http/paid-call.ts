// A call bought by one payment: reserve and verify, make the whole answer, settle, and only then send.

import type { PaidRoute, PaymentGate } from '../access/payment-gate.ts';
import type { Answer, HandlerResult } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { JSON_TYPE, PreparedBody } from './prepared-body.ts';
import type { Sender } from './sender.ts';

export async function payThenSend(
  gate: PaymentGate,
  header: string,
  route: PaidRoute,
  x: Exchange,
  sender: Sender,
  run: () => HandlerResult | Promise<HandlerResult>,
): Promise<void> {
  const attempt = await gate.begin(header, route, x.signal);
  if (attempt.kind === 'rejection') {
    sender.sendAnswer(x, { status: attempt.status, json: attempt.body, headers: attempt.headers });
    return;
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
    await attempt.release(`answered ${answer.status}`);
    sender.sendAnswer(x, answer);
    return;
  }
  const outcome = await attempt.settle();
  if (outcome.ok) {
    const headers = { ...answer.headers, ...outcome.headers, 'Cache-Control': 'private, no-store' };
    sender.sendAnswer(x, { ...answer, headers, isTagged: false });
  } else sender.sendAnswer(x, { status: outcome.status, json: outcome.body, headers: outcome.headers });
}

/** A paid answer is sent whole, never as "unchanged": the caller has paid for its bytes. */
function toAnswer(result: HandlerResult): Answer {
  if (!(result instanceof PreparedBody)) return result;
  return { status: 200, content: { bytes: result.bytes, type: JSON_TYPE } };
}
