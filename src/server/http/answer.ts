// A handler's result. If the call is paid, nothing is sent until the payment has settled.

import type { PreparedBody } from './prepared-body.ts';

export interface Answer<T = unknown> {
  status: number;
  /** Sent as JSON. */
  json?: T;
  /** Bytes sent unchanged, with their content type. */
  content?: { bytes: Buffer; type: string };
  headers?: Readonly<Record<string, string>> | undefined;
  /** Whether clients may cache the response and revalidate it; its ETag ignores timestamp fields. */
  isTagged?: boolean;
}

export type HandlerResult<T = unknown> = Answer<T> | PreparedBody<T>;

export function ok<T>(json: T): Answer<T> {
  return { status: 200, json, isTagged: true };
}

/** Never cached, because the response depends on the caller or the time. */
export function okUncached<T>(json: T): Answer<T> {
  return { status: 200, json };
}
