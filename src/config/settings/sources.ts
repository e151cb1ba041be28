// Where data comes from: the pretend world, or the outside systems.

import type { Setting } from '../setting.ts';
import { SOCKET_PATTERN, URL_PATTERN } from './patterns.ts';

export const WORLD_SETTINGS: Setting[] = [
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
    default: null,
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

export const OUTSIDE_SETTINGS: Setting[] = [
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
