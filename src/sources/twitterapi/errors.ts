// Interprets twitterapi.io responses that are not a list of posts.

import type { SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../shape-error.ts';

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`twitterapi: ${what}`);
}
