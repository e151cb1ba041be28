// Builds an internal call from one route to another, on behalf of the same caller: the same request with a
// different target.

import type { RequestParts } from './reply.ts';

export interface InsideCall {
  path: string;
  /** Parameters as text, as in a query string. */
  values: ReadonlyMap<string, string>;
  /** A payment sent outside the headers; null to use the header, if any. */
  payment: string | null;
  /** JSON body of a POST; absent for a GET. */
  body?: Buffer;
}

/** Keeps the caller's address, credentials and socket; the original is unchanged. */
export function rewriteRequest(req: RequestParts, { path, values, payment, body }: InsideCall): RequestParts {
  const query = new URLSearchParams([...values]).toString();
  const headers = payment === null ? req.headers : { ...req.headers, x402: payment };
  return Object.create(req, {
    method: { value: body === undefined ? 'GET' : 'POST' },
    url: { value: query === '' ? path : `${path}?${query}` },
    headers: { value: headers },
  }) as RequestParts;
}
