// Requests to the exchange and their responses.

import type { KeyRecord } from '../auth/credentials.ts';

export interface ExchangeAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface Call {
  key: KeyRecord;
  query: URLSearchParams;
  /** Parsed body. */
  body: unknown;
  /** The path after the route's prefix. */
  rest: string;
}

export type Route = (call: Call) => ExchangeAnswer | Promise<ExchangeAnswer>;

export function ok(body: unknown): ExchangeAnswer {
  return { status: 200, body };
}

export function failure(status: number, body: unknown): ExchangeAnswer {
  return { status, body };
}
