// Every simulator fault by name, and the syntax NAME[=VALUE][@AFTER][/FOR], for example oracle-stall=40h,
// x-down@2h/30m, gamma-truncated=0.2.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { UsageError } from '../../src/runtime/errors.ts';

export type FaultUnit = 'share' | 'duration' | 'count';

export interface FaultSpec {
  name: string;
  description: string;
  unit: FaultUnit;
  defaultValue: number;
}

export interface FaultOrder {
  name: string;
  value: number;
  /** Simulated time from activation to the first effect, and from there to the end; null means no end. */
  afterMs: number;
  forMs: number | null;
}

export const HTTP_FEEDS = ['x', 'mastodon', 'oracle', 'gamma', 'clob', 'data', 'rss'] as const;
export type HttpFeed = (typeof HTTP_FEEDS)[number];
const SOCKET_FEEDS = ['stream', 'market-ws', 'user-ws'] as const;

function share(name: string, description: string, defaultValue = 1): FaultSpec {
  return { name, description, unit: 'share', defaultValue };
}

function duration(name: string, description: string, defaultValue: number): FaultSpec {
  return { name, description, unit: 'duration', defaultValue };
}

function count(name: string, description: string, defaultValue: number): FaultSpec {
  return { name, description, unit: 'count', defaultValue };
}

export const FAULTS: readonly FaultSpec[] = [
  ...HTTP_FEEDS.flatMap((feed) => [
    share(`${feed}-down`, `${feed}: connections fail; VALUE is the share of five-minute periods`),
    duration(`${feed}-slow`, `${feed}: delay every response by this much`, 8 * SECOND_MS),
    share(`${feed}-html`, `${feed}: return an HTML error page (502) instead of JSON; share of requests`, 0.3),
    share(`${feed}-429`, `${feed}: return an HTML 429 page with retry-after; share of requests`, 0.3),
    share(`${feed}-truncated`, `${feed}: cut off JSON in the middle; share of requests`, 0.3),
  ]),
  ...SOCKET_FEEDS.flatMap((feed) => [
    share(`${feed}-down`, `${feed}: refuse and drop connections; share of five-minute periods`),
    share(`${feed}-silent`, `${feed}: stay open but send nothing; share of five-minute periods`),
  ]),
  share('posts-duplicated', 'show posts twice in pages and on the stream; share of posts', 0.3),
  share('posts-out-of-order', 'shuffle pages and show this share of posts 5 to 25 s late', 0.2),
  share(
    'posts-partial-pages',
    'return fewer posts than requested, with a continuation token; share of pages',
    0.5,
  ),
  share('posts-delete-fast', 'delete this share of new posts within 10 s', 0.2),
  duration('posts-future', 'start each page with a post dated this far in the future', HOUR_MS),
  duration(
    'posts-future-ids',
    'like posts-future, but only the id is in the future; the date is now',
    HOUR_MS,
  ),
  share('x-no-credit', 'x: 402 on every call, out of credit'),
  share('x-forbidden', 'x: 403 on every call, the credential lacks access'),
  share('x-cap', 'x: 429 on every call without a reset, usage cap exceeded'),
  share(
    'mastodon-blocked',
    'mastodon: return an HTML 403 page, as data-centre addresses get; share of requests',
  ),
  count('x-rate-limit', 'timeline calls allowed per 15 minutes before a 429', 450),
  duration('clock-skew', "set the platforms' clock ahead by this much (may be negative)", 3 * SECOND_MS),
  duration('oracle-stall', 'oracle: import nothing for this long', 40 * HOUR_MS),
  count('oracle-jump', 'oracle: report totals too high by this many', 700),
  count('oracle-drop', 'oracle: report totals too low by this many', 60),
  count('gamma-jump', 'show a UI count too high by this many', 700),
  share('gamma-version', 'list events with an unknown protocol version; share of requests'),
  share('exchange-trade-fails', 'exchange: fail a matched trade on the chain; share of trades', 0.2),
  share('exchange-restart', 'exchange: 425 while the engine restarts; share of five-minute periods', 0.2),
  share('exchange-post-only', 'exchange: 503 except for post-only orders; share of five-minute periods', 0.2),
  share('exchange-tick', 'exchange: change the tick size; share of five-minute periods', 0.5),
  duration('exchange-slow-ack', 'exchange: accept an order, delay the response by this much', 2 * SECOND_MS),
  share('exchange-lost-ack', 'exchange: accept an order, drop the connection; share of orders', 0.2),
  share('exchange-no-allowance', 'exchange: report too little allowance; share of orders', 0.2),
  share('user-ws-lossy', 'user-ws: skip messages; share of messages', 0.3),
  share('clob-no-book', 'return 404 for books; share of requests', 0.3),
];

const BY_NAME = new Map(FAULTS.map((spec) => [spec.name, spec]));

function findFault(name: string): FaultSpec | undefined {
  return BY_NAME.get(name);
}

export function parseFault(text: string): FaultOrder {
  const match = /^([a-z0-9-]+)(?:=([^@/]+))?(?:@([^/]+))?(?:\/(.+))?$/.exec(text.trim());
  const spec = match && findFault(match[1]!);
  if (!match || !spec) throw new UsageError(`Unknown fault "${text}". Run with --fault help for the list.`);
  return {
    name: spec.name,
    value: match[2] === undefined ? spec.defaultValue : parseFaultValue(spec, match[2]),
    afterMs: match[3] === undefined ? 0 : parseDuration(match[3]),
    forMs: match[4] === undefined ? null : parseDuration(match[4]),
  };
}

function parseFaultValue(spec: FaultSpec, text: string): number {
  const value = spec.unit === 'duration' ? parseDuration(text) : Number(text);
  if (!Number.isFinite(value)) throw new UsageError(`fault ${spec.name}: "${text}" is not a number`);
  if (spec.unit === 'share' && (value < 0 || value > 1)) {
    throw new UsageError(`fault ${spec.name}: a share must be between 0 and 1, not ${text}`);
  }
  return value;
}

const UNIT_MS: Record<string, number> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Parses 3s, 250ms, 40h, 2d; a bare number is seconds. */
function parseDuration(text: string): number {
  const match = /^(-?\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim());
  if (!match) throw new UsageError(`"${text}" is not a duration such as 3s, 5m or 40h`);
  return Number(match[1]) * UNIT_MS[match[2] ?? 's']!;
}

/** The table printed by `--fault help`. */
export function describeFaults(): string {
  const width = Math.max(...FAULTS.map((spec) => spec.name.length)) + 2;
  const lines = FAULTS.map((spec) => {
    const value = spec.unit === 'duration' ? `${spec.defaultValue / SECOND_MS}s` : String(spec.defaultValue);
    return `  ${spec.name.padEnd(width)}${spec.description} (default ${value})`;
  });
  return ['Faults, as NAME[=VALUE][@AFTER][/FOR] (durations: 3s, 5m, 40h):', ...lines].join('\n');
}
