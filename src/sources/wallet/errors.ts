// What an answer of the data service means that is no list of positions.

import type { SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../shape-error.ts';

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`wallet: the list of positions cannot be read whole: ${what}`);
}
