// Pages, candlesticks and errors shared by the venue's public reads.

import { type Answer, failure, ok, readInteger } from './answer.ts';

const CANDLE_MINUTES = [1, 60, 1_440];

export const NOT_FOUND = failure(404, {
  error: { code: 'not_found', message: 'not found', service: 'query-exchange' },
});

/** The page selected by `limit` and `cursor`. */
export function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  most: number,
  usual = 100,
): { page: T[]; cursor: string } {
  const limit = Math.min(most, Math.max(1, readInteger(query.get('limit'), usual)));
  const from = readCursor(query);
  return {
    page: all.slice(from, from + limit),
    cursor: from + limit < all.length ? toCursor(from + limit) : '',
  };
}

export function candlesOf(
  query: URLSearchParams,
  nowTs: number,
  present: (startTs: number, endTs: number, minutes: number) => unknown,
): Answer {
  const minutes = readInteger(query.get('period_interval'), 0);
  if (!CANDLE_MINUTES.includes(minutes))
    return failure(400, { error: { code: 'bad_request', message: 'invalid period_interval' } });
  const startTs = readInteger(query.get('start_ts'), 0) * 1_000;
  return ok(present(startTs, Math.min(nowTs, readInteger(query.get('end_ts'), 0) * 1_000), minutes));
}

function toCursor(from: number): string {
  return Buffer.from(String(from)).toString('base64url');
}

function readCursor(query: URLSearchParams): number {
  return readInteger(Buffer.from(query.get('cursor') ?? '', 'base64url').toString() || null, 0);
}
