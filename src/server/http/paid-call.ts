// Runs a paid call: verifies the payment, builds the complete response, settles, and only then sends the response.

import type {
  KeptResponse,
  PaidRequest,
  PaidResponse,
  PaymentGate,
  PaymentRejection,
} from '../../payments/payment-gate.ts';
import type { Answer, HandlerResult } from './answer.ts';
import { JSON_TYPE, PreparedBody } from './prepared-body.ts';

export async function payThenAnswer(
  gate: PaymentGate,
  header: string,
  request: PaidRequest,
  signal: AbortSignal,
  run: () => HandlerResult | Promise<HandlerResult>,
  onRefused: () => void,
): Promise<Answer> {
  const begun = await gate.begin(header, request, signal);
  if (begun.kind === 'attempt') {
    const answer = toAnswer(await run());
    return answer.status >= 400 ? answer : present(await begun.settle(keep(answer)));
  }
  if (begun.kind === 'rejection' && begun.status !== 503) onRefused();
  return present(begun);
}

/** Never a 304: the caller has paid for the body. */
export function toAnswer(result: HandlerResult): Answer {
  if (!(result instanceof PreparedBody)) return result;
  return { status: 200, content: { bytes: result.bytes, type: JSON_TYPE } };
}

function keep({ status, json, content, headers = {} }: Answer): KeptResponse {
  const body = content?.bytes.toString('utf8') ?? JSON.stringify(json);
  return { status, type: content?.type ?? JSON_TYPE, headers, body };
}

function present(outcome: PaidResponse | PaymentRejection): Answer {
  if (outcome.kind === 'rejection')
    return { status: outcome.status, json: outcome.body, headers: outcome.headers };
  const { status, type, headers, body } = outcome.response;
  return {
    status,
    content: { bytes: Buffer.from(body), type },
    headers: { ...headers, ...outcome.headers, 'Cache-Control': 'private, no-store' },
  };
}
