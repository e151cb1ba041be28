// What a refusal of the oracle means.

import { SourceError } from '../../runtime/errors.ts';
import { readEnvelopeMessage } from './wire.ts';

export function unexpectedShape(what: string, answer: unknown): SourceError {
  const said = readEnvelopeMessage(answer);
  return new SourceError(`oracle: ${what} has an unexpected shape${said ? ` (${said.slice(0, 200)})` : ''}`, {
    isRetryable: true,
  });
}

export function noneEnded(asked: number): SourceError {
  return new SourceError(`oracle: none of ${asked} ended trackings can be read`, { isRetryable: true });
}
