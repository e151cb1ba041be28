// Every fault of the simulator by name, and its notation: NAME[=VALUE][@AFTER][/FOR], for example
// oracle-stall=40h, x-down@2h/30m, gamma-truncated=0.2.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/domain/units.ts';
import { UsageError } from '../../../src/runtime/errors.ts';

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
  /** Simulated time from activation to the first effect, and from there to the end; null: no end. */
  afterMs: number;
  forMs: number | null;
}

export const HTTP_FEEDS = [
  'x',
  'mastodon',
  'oracle',
  'gamma',
  'clob',
  'data',
  'rss',
  'archive',
  'twitterapi',
] as const;
export type HttpFeed = (typeof HTTP_FEEDS)[number];
const SOCKET_FEEDS = ['stream', 'market-ws', 'user-ws', 'polybolt'] as const;

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
    share(`${feed}-down`, `${feed}: connections break; VALUE is the share of five-minute periods`),
    duration(`${feed}-slow`, `${feed}: every answer waits this long`, 8 * SECOND_MS),
    share(`${feed}-html`, `${feed}: an HTML error page (502) in place of JSON; share of requests`, 0.3),
    share(`${feed}-429`, `${feed}: an HTML 429 page with retry-after; share of requests`, 0.3),
    share(`${feed}-truncated`, `${feed}: JSON cut off in the middle; share of requests`, 0.3),
  ]),
  ...SOCKET_FEEDS.flatMap((feed) => [
    share(`${feed}-down`, `${feed}: refuses and breaks connections; share of five-minute periods`),
    share(`${feed}-silent`, `${feed}: stays open but sends nothing; share of five-minute periods`),
  ]),
  share('posts-duplicated', 'posts appear twice in pages and on the stream; share of posts', 0.3),
  share('posts-out-of-order', 'pages are shuffled and this share of posts shows up 5 to 25 s late', 0.2),
  share(
    'posts-partial-pages',
    'pages have fewer posts than requested, with a continuation token; share of pages',
    0.5,
  ),
  share('posts-delete-fast', 'this share of new posts is deleted within 10 s', 0.2),
  duration('posts-future', 'pages of posts begin with one dated this far in the future', HOUR_MS),
  duration('posts-future-ids', 'the same, but only its id is in the future, its date is now', HOUR_MS),
  share('x-no-credit', 'x: every call is 402, out of credit'),
  share('x-forbidden', 'x: every call is 403, the credential does not cover it'),
  share('x-cap', 'x: every call is a 429 without a reset, usage cap used up'),
  share('x-old-names-gone', 'x: tweet.fields is ignored, only default fields are returned'),
  share('x-new-names-unknown', 'x: post.fields is refused with 400'),
  share(
    'x-fields-ignored',
    'x: values of post.fields and expansions that the specification lacks are ignored',
  ),
  share('x-fields-accepted', 'x: the same values are granted; otherwise they are refused with 400'),
  share('x-429-bare', 'x: every call is a plain-text 429 without a reset'),
  share('x-stream-new-names', "x: pushed posts use the specification's new names; share of posts", 0.5),
  share('mastodon-blocked', 'mastodon: an HTML 403 page, as data-centre addresses get; share of requests'),
  count('x-rate-limit', 'timeline calls allowed per 15 minutes before 429', 450),
  duration('clock-skew', "the platforms' clock is ahead by this much (may be negative)", 3 * SECOND_MS),
  duration('oracle-stall', 'the oracle imports nothing for this long', 40 * HOUR_MS),
  count('oracle-jump', 'oracle totals are too high by this many', 700),
  count('oracle-drop', 'oracle totals are too low by this many', 60),
  share('oracle-empty', 'the oracle answers with empty lists; share of requests', 0.5),
  share('gamma-empty', 'the event listing is empty; share of requests', 0.5),
  count('gamma-jump', 'the UI count is too high by this many', 700),
  share('gamma-no-count', 'events carry no UI count; share of events'),
  share('gamma-version', 'events have an unknown protocol version; share of requests'),
  duration('gamma-cache', 'lists come from a cache that is filled this often, with their Age', 5 * MINUTE_MS),
  count('market-overrules', 'events settle this many buckets from the count', 1),
  share('data-401', 'wallets and resolutions require a credential; share of requests'),
  share('data-garbage', 'wallets and resolutions answer with meaningless rows; share of requests'),
  share('data-cursor-loop', 'the cursor of a page of positions points to itself; share of pages'),
  share('market-ws-no-resolved', 'market-ws: resolutions are not pushed'),
  share('polybolt-drain', 'polybolt: closes to be restarted (4003); share of five-minute periods'),
  share('polybolt-lossy', 'polybolt: skips frames; share of frames', 0.2),
  share('clob-ghost-book', 'books show 0.01 against 0.99; share of requests', 0.5),
  share('exchange-trade-fails', 'exchange: a matched trade fails on the chain; share of trades', 0.2),
  share('exchange-restart', 'exchange: 425 while the engine restarts; share of five-minute periods', 0.2),
  share('exchange-post-only', 'exchange: 503 except for post-only orders; share of five-minute periods', 0.2),
  share('exchange-tick', 'exchange: another tick size; share of five-minute periods', 0.5),
  duration(
    'exchange-slow-ack',
    'exchange: an order is accepted, the answer is delayed by this much',
    2 * SECOND_MS,
  ),
  share('exchange-lost-ack', 'exchange: an order is accepted, the connection breaks; share of orders', 0.2),
  share('exchange-no-allowance', 'exchange: the allowance is not enough; share of orders', 0.2),
  share('user-ws-lossy', 'user-ws: skips messages; share of messages', 0.3),
  share('clob-no-book', 'books answer 404; share of requests', 0.3),
];

const BY_NAME = new Map(FAULTS.map((spec) => [spec.name, spec]));

function findFault(name: string): FaultSpec | undefined {
  return BY_NAME.get(name);
}

export function parseFault(text: string): FaultOrder {
  const match = /^([a-z0-9-]+)(?:=([^@/]+))?(?:@([^/]+))?(?:\/(.+))?$/.exec(text.trim());
  const spec = match && findFault(match[1]!);
  if (!match || !spec) throw new UsageError(`unknown fault "${text}"; --fault help lists them`);
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
    throw new UsageError(`fault ${spec.name}: a share lies between 0 and 1, not ${text}`);
  }
  return value;
}

const UNIT_MS: Record<string, number> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** 3s, 250ms, 40h, 2d; a bare number is seconds. */
function parseDuration(text: string): number {
  const match = /^(-?\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim());
  if (!match) throw new UsageError(`"${text}" is not a duration such as 3s, 5m or 40h`);
  return Number(match[1]) * UNIT_MS[match[2] ?? 's']!;
}

/** The table that `--fault help` prints. */
export function describeFaults(): string {
  const width = Math.max(...FAULTS.map((spec) => spec.name.length)) + 2;
  const lines = FAULTS.map((spec) => {
    const value = spec.unit === 'duration' ? `${spec.defaultValue / SECOND_MS}s` : String(spec.defaultValue);
    return `  ${spec.name.padEnd(width)}${spec.description} (default ${value})`;
  });
  return ['Faults, as NAME[=VALUE][@AFTER][/FOR] (durations: 3s, 5m, 40h):', ...lines].join('\n');
}
