// Chooses the response and log line for a failed request.

import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Answer } from './answer.ts';
import { ApiError, errorAnswer, translateError } from './error-responses.ts';
import type { Exchange } from './exchange.ts';

/** A caller that disconnects while sending its body is not a service failure. */
export function logLate({ requestId }: Exchange, error: unknown, logger: Logger): void {
  const details = { requestId, problem: errorMessage(error) };
  if (error instanceof ApiError) logger.debug(details, 'request aborted');
  else logger.error(details, 'failure after response');
}

export function explain(x: Exchange, error: unknown, logger: Logger): Answer {
  const known = translateError(error);
  if (known) return known;
  const stack = error instanceof Error ? error.stack : String(error);
  logger.error({ requestId: x.requestId, stack }, 'unexpected failure');
  return errorAnswer(500, 'Internal Server Error');
}
