// Interprets X API error responses.

import { SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../wire-reader.ts';
import type { ApiProblemWire } from './wire.ts';

/** True for a deleted post, but not for one that is currently hidden (protected, withheld, suspended). */
export function isNotFound(problem: ApiProblemWire): boolean {
  return problem.type.includes('resource-not-found') || /^not found/i.test(problem.title);
}

/** Subscribing twice is not a failure. */
export function isAlreadySubscribed(error: unknown): boolean {
  if (!(error instanceof SourceError)) return false;
  return error.status === 409 || (error.status === 400 && /duplicate|already|exist/i.test(error.message));
}

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`x: ${what} has an unexpected shape`);
}

/** A response without the deciding fields. A retry may help, because the platform changes its field names. */
export class UndecidableError extends ShapeError {
  constructor(problem: string) {
    super(`x: ${problem}`);
    this.name = 'UndecidableError';
  }
}
