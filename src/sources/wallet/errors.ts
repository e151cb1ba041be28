// Interprets data service responses that are not a list of positions.

import type { SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../shape-error.ts';

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`wallet: the list of positions is incomplete: ${what}`);
}
