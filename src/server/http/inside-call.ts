// A call of one route by another on behalf of the same caller: the request as it came, but for another target.

import type { RequestParts } from './reply.ts';

export interface InsideCall {
  path: string;
  /** Parameters as text, as a query string would bring them. */
  values: ReadonlyMap<string, string>;
  /** A payment that came by another way than a header; null where a header may hold one. */
  payment: string | null;
}

/** Address, credentials and socket stay those of the caller; nothing of the original is changed. */
export function rewriteRequest(req: RequestParts, { path, values, payment }: InsideCall): RequestParts {
  const query = new URLSearchParams([...values]).toString();
  const headers = payment === null ? req.headers : { ...req.headers, x402: payment };
  return Object.create(req, {
    method: { value: 'GET' },
    url: { value: query === '' ? path : `${path}?${query}` },
    headers: { value: headers },
  }) as RequestParts;
}
