// Every setting of the service, once.

import type { Setting } from './setting.ts';

const URL_PATTERN = /^https?:\/\/[^\s]+$/;
const SOCKET_PATTERN = /^wss?:\/\/[^\s]+$/;
const POSTGRES_PATTERN = /^postgres(ql)?:\/\/[^\s]+$/;
const SEGMENT_PATTERN = /^(?!crypto$)[a-z0-9_-]{1,32}$/;
const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/;
const HEX_KEY_PATTERN = /^0x[0-9a-fA-F]{64}$/;

const SERVICE: Setting[] = [
  { name: 'HOST', kind: 'string', default: '127.0.0.1', description: 'Address to listen on.' },
  {
    name: 'PORT',
    kind: 'integer',
    min: 0,
    max: 65535,
    default: 8080,
    description: 'Port to listen on; 0 takes a free one.',
  },
  {
    name: 'METRICS_PORT',
    kind: 'integer',
    min: 0,
    max: 65535,
    default: 0,
    description: 'Prometheus metrics on loopback; 0 takes a free port and prints it.',
  },
  { name: 'DATA_DIR', kind: 'string', default: './data', description: 'Folder of the embedded store.' },
  {
    name: 'DATABASE_URL',
    kind: 'string',
    default: null,
    isSecret: true,
    pattern: POSTGRES_PATTERN,
    allowed: 'postgres://user:password@host:port/database',
    description: 'PostgreSQL instead of the embedded store.',
  },
  {
    name: 'DATABASE_DIRECT_URL',
    kind: 'string',
    default: null,
    isSecret: true,
    pattern: POSTGRES_PATTERN,
    allowed: 'postgres://user:password@host:port/database',
    description:
      'Session-mode address for leader lock and notices, where DATABASE_URL goes through a transaction-mode pooler.',
  },
  {
    name: 'ROLE',
    kind: 'choice',
    choices: ['all', 'ingest', 'api'],
    default: 'all',
    description: 'What this process does.',
  },
  {
    name: 'WORKERS',
    kind: 'integer',
    min: 1,
    max: 64,
    default: 1,
    description: 'Processes that answer requests.',
  },
  {
    name: 'LOG_LEVEL',
    kind: 'choice',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    description: 'How much is logged.',
  },
  {
    name: 'TRUSTED_PROXY_HOPS',
    kind: 'integer',
    min: 0,
    max: 10,
    default: 0,
    description: 'How many proxies in front of the service are believed in X-Forwarded-For.',
  },
  {
    name: 'DEFAULT_BANKROLL_USD',
    kind: 'number',
    min: 1,
    max: 1_000_000,
    default: 1000,
    description: 'Bankroll of signals when the caller names none.',
  },
  {
    name: 'PUBLISH_TEXT',
    kind: 'boolean',
    default: true,
    description: 'Whether post texts are published; some platforms forbid it.',
  },
  {
    name: 'BLANK_TEXT_ON_DELETION',
    kind: 'boolean',
    default: false,
    description: 'Erase the text of a post once it is deleted upstream.',
  },
  {
    name: 'USAGE_RETENTION_DAYS',
    kind: 'integer',
    min: 1,
    max: 3650,
    default: 90,
    description: 'How long usage rows are kept.',
  },
  {
    name: 'QUOTE_RETENTION_DAYS',
    kind: 'integer',
    min: 1,
    max: 3650,
    default: 90,
    description: 'How long quote history is kept.',
  },
];

const WORLD: Setting[] = [
  {
    name: 'SOURCES',
    kind: 'choice',
    choices: ['auto', 'world', 'live'],
    default: 'auto',
    description: 'Where data comes from; auto is live once ACCOUNT_A_HANDLE is set, else the pretend world.',
  },
  {
    name: 'WORLD_SPEED',
    kind: 'number',
    min: 0.001,
    max: 100_000,
    default: 1,
    description: 'How fast time runs in the pretend world.',
  },
  {
    name: 'WORLD_SEED',
    kind: 'integer',
    min: 0,
    max: 4294967295,
    default: 1,
    description: 'Seed of the pretend world.',
  },
  {
    name: 'WORLD_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http://host:port',
    description: 'A pretend world that already runs elsewhere.',
  },
  {
    name: 'FAULT',
    kind: 'list',
    default: [],
    description: 'Faults of the pretend world, NAME or NAME=VALUE; help lists them.',
  },
];

const OUTSIDE: Setting[] = [
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
    name: 'CRYPTO_SERIES',
    kind: 'list',
    default: [],
    description: 'Series of crypto price markets; empty for the usual ones.',
  },
];

const PAYMENTS: Setting[] = [
  {
    name: 'PAYMENTS',
    kind: 'choice',
    choices: ['off', 'demo', 'on'],
    default: 'off',
    description: 'Per-call payments; demo brings its own chain and facilitator.',
  },
  {
    name: 'PAY_TO',
    kind: 'string',
    default: null,
    pattern: ADDRESS_PATTERN,
    allowed: '0x and 40 hex characters',
    description: 'Address that payments go to.',
  },
  {
    name: 'PAYMENT_NETWORK',
    kind: 'string',
    default: 'eip155:84532',
    pattern: /^eip155:\d+$/,
    allowed: 'a CAIP-2 network such as eip155:8453',
    description: 'Network of payments.',
  },
  {
    name: 'PAYMENT_PRICE_USD',
    kind: 'number',
    min: 0.000001,
    max: 1000,
    default: 0.01,
    description: 'Price of one call.',
  },
  {
    name: 'FACILITATOR_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Facilitator that verifies and settles payments.',
  },
  {
    name: 'FACILITATOR_PORT',
    kind: 'integer',
    min: 0,
    max: 65535,
    default: 8402,
    description: 'Port of an own facilitator.',
  },
  {
    name: 'FACILITATOR_RPC_URL',
    kind: 'string',
    default: null,
    isSecret: true,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Chain access of an own facilitator.',
  },
  {
    name: 'FACILITATOR_PRIVATE_KEY',
    kind: 'string',
    default: null,
    isSecret: true,
    pattern: HEX_KEY_PATTERN,
    allowed: '0x and 64 hex characters',
    description: 'Key with which an own facilitator pays gas.',
  },
  {
    name: 'PAY_PRIVATE_KEY',
    kind: 'string',
    default: null,
    isSecret: true,
    pattern: HEX_KEY_PATTERN,
    allowed: '0x and 64 hex characters',
    description: 'Wallet that the pay command spends from.',
  },
];

export const SETTINGS: readonly Setting[] = [
  ...SERVICE,
  ...WORLD,
  ...accountSettings('A', 'account_a', 'x'),
  ...accountSettings('B', 'account_b', 'mastodon'),
  ...OUTSIDE,
  ...PAYMENTS,
];

function accountSettings(letter: string, segment: string, platform: string): Setting[] {
  const name = (suffix: string) => `ACCOUNT_${letter}_${suffix}`;
  return [
    {
      name: name('SEGMENT'),
      kind: 'string',
      default: segment,
      pattern: SEGMENT_PATTERN,
      allowed: '1 to 32 of a-z 0-9 _ -, not crypto',
      description: `Path segment of account ${letter}.`,
    },
    {
      name: name('HANDLE'),
      kind: 'string',
      default: null,
      description: `Handle of account ${letter} on its platform.`,
    },
    {
      name: name('PLATFORM'),
      kind: 'choice',
      choices: ['x', 'mastodon'],
      default: platform,
      description: `Platform of account ${letter}.`,
    },
    {
      name: name('PLATFORM_USER_ID'),
      kind: 'string',
      default: null,
      description: `Numeric id of account ${letter} on its platform.`,
    },
    {
      name: name('SERIES'),
      kind: 'list',
      default: [],
      description: `Market series in which events of account ${letter} are found.`,
    },
    {
      name: name('TAG_ID'),
      kind: 'string',
      default: null,
      description: `Market tag to list events of account ${letter} by, in place of one call per series.`,
    },
    {
      name: name('SLUG_PREFIX'),
      kind: 'string',
      default: null,
      description: `Events whose slug begins so belong to account ${letter} as well.`,
    },
    {
      name: name('ORACLE_PLATFORM'),
      kind: 'string',
      default: null,
      description: `Platform of account ${letter} as the oracle spells it, where it differs from the usual.`,
    },
    {
      name: name('COUNT_SELF_REPLIES'),
      kind: 'boolean',
      default: true,
      description: `Whether replies of account ${letter} to itself count.`,
    },
    {
      name: name('COUNT_REPLIES'),
      kind: 'boolean',
      default: platform === 'mastodon',
      description: `Whether other replies of account ${letter} count.`,
    },
  ];
}
