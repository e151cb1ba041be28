// What an answer of twitterapi.io means that is no list of posts.

import type { SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../shape-error.ts';

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`twitterapi: ${what}`);
}
