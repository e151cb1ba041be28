// What a handler gives back. Nothing of it is sent before payment, if there is one, has settled.

import type { PreparedBody } from './prepared-body.ts';

export interface Answer {
  status: number;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as they are, with their type. */
  content?: { bytes: Buffer; type: string };
  headers?: Readonly<Record<string, string>>;
  /** Whether a caller may keep it and ask if it still holds. */
  isTagged?: boolean;
  /** What the tag is made of, where times are part of what is told: by itself it leaves out whatever is named like one. */
  stable?: unknown;
}

export type HandlerResult = Answer | PreparedBody;

export function ok(json: unknown): Answer {
  return { status: 200, json, isTagged: true };
}

/** Never kept by anyone: it is about the caller, or about this very moment. */
export function okUncached(json: unknown): Answer {
  return { status: 200, json };
}
