// Responds to CORS preflights, but to no other OPTIONS request.

import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from './answer.ts';
import { PREFLIGHT_LINES, splitLines } from './fixed-headers.ts';

const FIXED = Object.fromEntries(pairs(splitLines(PREFLIGHT_LINES)));

/** Returns null if the request is not a preflight. */
export function preflightAnswer(headers: IncomingHttpHeaders, allow: string): Answer | null {
  const isPreflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  if (!isPreflight) return null;
  return { status: 204, headers: { ...FIXED, 'Access-Control-Allow-Methods': allow } };
}

function pairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1]!] as [string, string]] : []));
}
