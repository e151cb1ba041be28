// What a handler returns. Nothing is sent before a payment, if any, has settled.

import type { PreparedBody } from './prepared-body.ts';

export interface Answer {
  status: number;
  /** Sent as JSON. */
  json?: unknown;
  /** Bytes sent unchanged, with their content type. */
  content?: { bytes: Buffer; type: string };
  headers?: Readonly<Record<string, string>> | undefined;
  /** Whether clients may cache the response and revalidate it. */
  isTagged?: boolean;
  /** Source of the ETag if timestamps are content; by default the ETag ignores timestamp fields. */
  stable?: unknown;
}

export type HandlerResult = Answer | PreparedBody;

export function ok(json: unknown): Answer {
  return { status: 200, json, isTagged: true };
}

/** Never cached, because it depends on the caller or the moment. */
export function okUncached(json: unknown): Answer {
  return { status: 200, json };
}
