// A handler's response, before faults and transport apply.

import type { SimulatorPost } from '../posts/simulator-post.ts';

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** The JSON body. */
  body: unknown;
  /** Sent instead of a JSON body; the content type is in the headers. */
  text?: string;
  /** Posts delivered by this response; recorded as visible to clients. */
  served?: readonly SimulatorPost[];
}

/** A parsed request; `path` has no system prefix and no trailing slash. */
export interface SimulatorRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: () => Promise<unknown>;
  /** The raw body, because signatures cover its bytes. */
  text: () => Promise<string>;
  signal: AbortSignal;
  /** Origin and prefix of the request, for links in responses. */
  baseUrl: string;
}

export function ok(body: unknown, headers?: Record<string, string>): Answer {
  return { status: 200, body, ...(headers ? { headers } : {}) };
}

export function failure(status: number, body: unknown, headers?: Record<string, string>): Answer {
  return { status, body, ...(headers ? { headers } : {}) };
}

/** Matches /a/:b/c and returns the named parts, or null. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const parts: Record<string, string> = {};
  for (const [i, word] of wanted.entries()) {
    if (word.startsWith(':')) parts[word.slice(1)] = decodeURIComponent(given[i]!);
    else if (word !== given[i]) return null;
  }
  return parts;
}

export function readInteger(text: string | null, fallback: number): number {
  const value = text === null ? Number.NaN : Number(text);
  return Number.isInteger(value) ? value : fallback;
}

const isoTexts = new Map<number, string>();

/** Cached, because a listing repeats the same few timestamps. */
export function toIso(ts: number): string {
  let text = isoTexts.get(ts);
  if (text === undefined) {
    text = new Date(ts).toISOString();
    if (isoTexts.size >= 4000) isoTexts.clear();
    isoTexts.set(ts, text);
  }
  return text;
}

/** Whole seconds with a .000 suffix, as X and the oracle write them. */
export function toIsoSeconds(ts: number): string {
  return new Date(Math.floor(ts / 1000) * 1000).toISOString();
}
