// Where data comes from: the simulator, or the outside systems.

import type { Setting } from '../setting-declaration.ts';
import { POST_SOURCE_KINDS, SOCKET_PATTERN, URL_PATTERN } from './patterns.ts';

export const SIMULATOR_SETTINGS = [
  {
    name: 'SOURCES',
    kind: 'choice',
    choices: ['auto', 'simulator', 'live'],
    formerChoices: { world: 'simulator' },
    default: 'auto',
    description: 'Where data comes from; auto is live once an account has a handle, else the simulator.',
  },
  {
    name: 'ACCOUNTS',
    kind: 'integer',
    min: 1,
    max: 1_000,
    default: null,
    isNotInFile: true,
    description:
      'How many accounts the simulator makes: 2 unless given. In the file, accounts is the list of accounts itself.',
  },
  {
    name: 'SIMULATOR_SPEED',
    kind: 'number',
    min: 0.001,
    max: 100_000,
    default: 1,
    description: 'How fast time runs in the simulator.',
  },
  {
    name: 'SIMULATOR_SEED',
    kind: 'integer',
    min: 0,
    max: 4294967295,
    default: null,
    description: 'Seed of the simulator.',
  },
  {
    name: 'SIMULATOR_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http://host:port',
    description: 'A simulator that already runs elsewhere.',
  },
  {
    name: 'FAULT',
    kind: 'list',
    default: [],
    description: 'Faults of the simulator, NAME or NAME=VALUE; help lists them.',
  },
] as const satisfies readonly Setting[];

export const OUTSIDE_SETTINGS = [
  {
    name: 'X_API_BASE_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Posts, X API v2.',
  },
  {
    name: 'X_BEARER_TOKEN',
    kind: 'string',
    default: null,
    isSecret: true,
    description: 'Credential of the X API.',
  },
  {
    name: 'X_PUSH',
    kind: 'boolean',
    default: false,
    description: 'Listen to the activity stream; polling takes over when it is silent.',
  },
  {
    name: 'MASTODON_BASE_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Posts, Mastodon-compatible server.',
  },
  {
    name: 'MASTODON_TOKEN',
    kind: 'string',
    default: null,
    isSecret: true,
    description: 'Credential of that server, where it wants one.',
  },
  {
    name: 'X_MONTHLY_CAP_USD',
    kind: 'number',
    min: 0,
    max: 1_000_000,
    default: null,
    description: 'What reading X may cost in a calendar month; beyond it the next post source leads.',
  },
  {
    name: 'TWITTERAPI_BASE_URL',
    kind: 'string',
    default: 'https://api.twitterapi.io',
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Posts, twitterapi.io.',
  },
  {
    name: 'TWITTERAPI_KEY',
    kind: 'string',
    default: null,
    isSecret: true,
    description: 'Credential of twitterapi.io.',
  },
  {
    name: 'TWITTERAPI_MONTHLY_CAP_USD',
    kind: 'number',
    min: 0,
    max: 1_000_000,
    default: null,
    description: 'What reading twitterapi.io may cost in a calendar month.',
  },
  ...POST_SOURCE_KINDS.flatMap((kind) => paceSettings(kind)),
  {
    name: 'ORACLE_BASE_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Settlement oracle.',
  },
  {
    name: 'MARKET_GAMMA_BASE_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Market: events.',
  },
  {
    name: 'MARKET_PAGE_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: "Market: where people see an event; advice links there with the event's slug added.",
  },
  {
    name: 'MARKET_CLOB_BASE_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Market: order books.',
  },
  {
    name: 'MARKET_WS_URL',
    kind: 'string',
    default: null,
    pattern: SOCKET_PATTERN,
    allowed: 'ws(s)://host',
    description: 'Market: price stream.',
  },
  {
    name: 'MARKET_DATA_BASE_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Market: wallet positions.',
  },
  {
    name: 'CRYPTO_WS_URL',
    kind: 'string',
    default: null,
    pattern: SOCKET_PATTERN,
    allowed: 'ws(s)://host',
    description: 'Reference prices of crypto markets.',
  },
  {
    name: 'CRYPTO_API_KEY',
    kind: 'string',
    default: null,
    isSecret: true,
    description: 'Key of the reference prices; without it crypto markets come without a reference price.',
  },
  {
    name: 'CRYPTO_API_SECRET',
    kind: 'string',
    default: null,
    isSecret: true,
    description: 'Secret that belongs to that key.',
  },
  {
    name: 'CRYPTO_API_PASSPHRASE',
    kind: 'string',
    default: null,
    isSecret: true,
    description: 'Passphrase that belongs to that key.',
  },
  {
    name: 'CRYPTO_SERIES',
    kind: 'list',
    default: [],
    description: 'Series of crypto price markets; empty for the usual ones.',
  },
] as const satisfies readonly Setting[];

/** How a kind of post source is asked. */
function paceSettings<K extends string>(kind: K) {
  const prefix = kind.toUpperCase() as Uppercase<K>;
  const name = <S extends string>(suffix: S) => `${prefix}_${suffix}` as const;
  return [
    {
      name: name('PERIOD_S'),
      kind: 'number',
      min: 0.1,
      max: 86_400,
      default: null,
      description: `Seconds between two looks at ${kind} while it leads; its usual pace when left out.`,
    },
    {
      name: name('PROXY'),
      kind: 'string',
      default: null,
      pattern: URL_PATTERN,
      allowed: 'http://host:port',
      isSecret: true,
      description: `HTTP proxy through which ${kind} is asked.`,
    },
    {
      name: name('USER_AGENT'),
      kind: 'string',
      default: null,
      description: `User-Agent that ${kind} is shown.`,
    },
  ] as const satisfies readonly Setting[];
}
