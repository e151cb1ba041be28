// What a handler returns. Nothing is sent before a payment, if any, has settled.

import type { PreparedBody } from './prepared-body.ts';

export interface Answer {
  status: number;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged, with their content type. */
  content?: { bytes: Buffer; type: string };
  headers?: Readonly<Record<string, string>> | undefined;
  /** Whether clients may cache it and revalidate. */
  isTagged?: boolean;
  /** Source of the ETag where timestamps are content; by default the ETag ignores timestamp fields. */
  stable?: unknown;
}

export type HandlerResult = Answer | PreparedBody;

export function ok(json: unknown): Answer {
  return { status: 200, json, isTagged: true };
}

/** Never cached: depends on the caller or the moment. */
export function okUncached(json: unknown): Answer {
  return { status: 200, json };
}
