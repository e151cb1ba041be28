// Errors in X's format.

import type { FaultSwitch } from '../faults/fault-switch.ts';
import { type Answer, failure } from './answer.ts';

/** Out of credit is 402, no access 403; an exceeded cap is a 429 with that reason. */
export function refuseForMoney(faults: FaultSwitch, nowTs: number): Answer | null {
  if (faults.valueAt('x-no-credit', nowTs) !== null)
    return failure(402, {
      title: 'CreditsDepleted',
      detail: 'Your enrolled account does not have any credits to fulfill this request.',
      type: 'https://api.x.com/2/problems/credits',
      status: 402,
    });
  if (faults.valueAt('x-forbidden', nowTs) !== null)
    return failure(403, {
      title: 'Client Forbidden',
      detail: 'The client is not enrolled, or lacks access to this endpoint.',
      reason: 'client-not-enrolled',
      type: 'https://api.x.com/2/problems/client-forbidden',
      status: 403,
    });
  if (faults.valueAt('x-cap', nowTs) === null) return null;
  return failure(429, {
    title: 'UsageCapExceeded',
    detail: 'Usage cap exceeded: Monthly product cap',
    period: 'Monthly',
    scope: 'Product',
    type: 'https://api.x.com/2/problems/usage-capped',
  });
}

export const TOO_MANY_STREAMS = failure(429, {
  title: 'ConnectionException',
  detail: 'This stream is currently at the maximum allowed connection limit.',
  connection_issue: 'TooManyConnections',
  type: 'https://api.twitter.com/2/problems/streaming-connection',
});

export function problem(status: number, title: string, detail: string): Answer {
  return failure(status, { title, detail, type: 'about:blank', status });
}

export function invalid(parameter: string, message: string): Answer {
  return failure(400, {
    errors: [{ parameters: { [parameter]: [] }, message }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.twitter.com/2/problems/invalid-request',
  });
}

export function notFound(parameter: string, value: string): Record<string, string> {
  return {
    value,
    detail: `Could not find tweet with ${parameter}: [${value}].`,
    title: 'Not Found Error',
    resource_type: parameter === 'ids' ? 'tweet' : 'user',
    parameter,
    resource_id: value,
    type: 'https://api.twitter.com/2/problems/resource-not-found',
  };
}
