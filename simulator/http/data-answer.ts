// The data API's envelopes: pages by cursor, and errors with a code.

import { hashLabel } from '../../src/runtime/random.ts';
import { makeHex } from '../platform-ids.ts';
import { type Answer, failure, ok } from './answer.ts';

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_parameter',
  404: 'not_found',
  405: 'method_not_allowed',
};

export function refuse(status: number, error: string, parameter?: string): Answer {
  return failure(status, {
    error,
    code: CODES[status] ?? 'internal',
    retryable: status >= 500,
    trace_id: makeHex(hashLabel(error), status, 32),
    ...(parameter === undefined ? {} : { parameter }),
  });
}

/** Parameters may be in snake or camel case. */
export function readParameter(query: URLSearchParams, name: string): string | null {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return query.get(name) ?? query.get(camel);
}

/** A cursor is valid only for the query that it came from. */
export function writeCursor(walk: string, place: unknown): string {
  return Buffer.from(JSON.stringify({ walk, place })).toString('base64url');
}

export function readCursor<Place>(cursor: string, walk: string): Place | null {
  try {
    const read = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return read.walk === walk ? (read.place as Place) : null;
  } catch {
    return null;
  }
}

export const WRONG_CURSOR = 'the cursor does not belong to this query';

export function dataPage(data: readonly unknown[], limit: number, nextCursor: string | null): Answer {
  return ok({
    data,
    pagination: { limit, offset: 0, has_more: nextCursor !== null, next_cursor: nextCursor },
  });
}
