// Splits one long JSON array into objects as its text arrives, so a 19 MB archive is never held in memory.

import type { SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../wire-reader.ts';

export interface ObjectSplitter {
  /** Accepts the next chunk and returns the objects it completes, parsed. */
  push(piece: string): unknown[];
  /** Throws if the text ended in the middle of the array. */
  end(): void;
}

/** Far larger than any single post. */
const MAX_OBJECT_LENGTH = 1024 * 1024;

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;
const ARRAY_END = 93;

export function createObjectSplitter(name: string): ObjectSplitter {
  let rest = '';
  let at = 0;
  let depth = 0;
  let start = -1;
  let isInText = false;
  let isEscaped = false;
  let hasEnded = false;

  function step(code: number): 'object' | null {
    if (isInText) {
      if (isEscaped) isEscaped = false;
      else if (code === BACKSLASH) isEscaped = true;
      else if (code === QUOTE) isInText = false;
      return null;
    }
    if (code === QUOTE) isInText = true;
    else if (code === OPEN) {
      if (depth++ === 0) start = at;
    } else if (code === CLOSE) return --depth === 0 ? 'object' : null;
    else if (code === ARRAY_END && depth === 0) hasEnded = true;
    return null;
  }

  return {
    push(piece) {
      rest += piece;
      const found: unknown[] = [];
      for (; at < rest.length; at++) {
        if (step(rest.charCodeAt(at)) === 'object') found.push(parse(rest.slice(start, at + 1), name));
      }
      // Only the unfinished object is kept.
      const keepFrom = depth > 0 ? start : rest.length;
      rest = rest.slice(keepFrom);
      at -= keepFrom;
      start = 0;
      if (rest.length > MAX_OBJECT_LENGTH) throw broken(name, 'an unterminated entry');
      return found;
    },
    end() {
      if (depth !== 0 || !hasEnded) throw broken(name, 'the archive was cut off');
    },
  };
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(name, 'an entry that is not JSON');
  }
}

function broken(name: string, what: string): SourceError {
  return new ShapeError(`${name}: ${what}`);
}
