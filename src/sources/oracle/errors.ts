// Interprets the oracle's error responses.

import { SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../shape-error.ts';
import { readEnvelopeMessage } from './wire.ts';

export function unexpectedShape(what: string, answer: unknown): SourceError {
  const said = readEnvelopeMessage(answer);
  return new ShapeError(`oracle: ${what} has an unexpected shape${said ? ` (${said.slice(0, 200)})` : ''}`);
}

/** An account with settled events has trackings, so an empty list is a fault, even on the first read. */
export function noTrackings(unreadable: number): SourceError {
  if (unreadable > 0)
    return new ShapeError(`oracle: none of ${unreadable} trackings can be read (id, startDate, endDate)`);
  return new SourceError('oracle: the list of trackings is empty', { isRetryable: true });
}

export function noFigures(asked: number): SourceError {
  return new ShapeError(`oracle: none of ${asked} running trackings has a count (stats.total)`);
}

export function noneEnded(asked: number): SourceError {
  return new SourceError(`oracle: none of ${asked} ended trackings can be read`, { isRetryable: true });
}
