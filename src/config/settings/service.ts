// How the service runs: address, store, roles, limits, retention, payments and alerts.

import { boolean, choice, integer, number, port, secret, text, url } from '../setting-declaration.ts';

const POSTGRES = {
  pattern: /^postgres(ql)?:\/\/[^\s]+$/,
  allowed: 'postgres://user:password@host:port/database',
};
const PRIVATE_KEY = { pattern: /^0x[0-9a-fA-F]{64}$/, allowed: '0x and 64 hex characters' };

export const SERVICE_SETTINGS = {
  HOST: text('Address to listen on.', { default: '127.0.0.1' }),
  PORT: port('Port to listen on; 0 picks a free port.', { default: 8080 }),
  METRICS_HOST: text('Address to serve Prometheus metrics on; anyone who can reach it can read them.', {
    at: 'metrics.host',
    default: '127.0.0.1',
  }),
  METRICS_PORT: port('Port for Prometheus metrics; 0 picks a free port and prints it.', {
    at: 'metrics.port',
    default: 0,
  }),
  DATA_DIR: text('Folder for the embedded store; default: ./data, or ./data/simulator with the simulator.', {
    allowed: 'a folder',
  }),
  DATABASE_URL: secret('URL of a PostgreSQL database to use instead of the embedded store.', POSTGRES),
  DATABASE_DIRECT_URL: secret(
    'Direct database URL for leader election and LISTEN, if DATABASE_URL is a transaction-mode pooler.',
    { at: 'secrets.directDatabaseUrl', ...POSTGRES },
  ),
  ROLE: choice(['all', 'ingest', 'api'], 'Role of this process.', { default: 'all' }),
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], 'Log level.', { default: 'info' }),
  LOG_FORMAT: choice(
    ['auto', 'text', 'json'],
    'Log format; auto means text on a terminal and JSON elsewhere.',
    { default: 'auto' },
  ),
  PLAIN_READER: boolean('Read plain requests without the request objects of Node, twice as fast.', {
    default: true,
  }),
  TRUSTED_PROXY_HOPS: integer('Number of trusted proxies in X-Forwarded-For.', {
    min: 0,
    max: 10,
    default: 0,
  }),
  DEFAULT_BANKROLL_USD: number('Default bankroll for signals in USD.', {
    min: 1,
    max: 1_000_000,
    default: 1000,
  }),
  READ_PAST: boolean('Read past prices and trades of events from the venues.', { default: true }),
  PUBLISH_TEXT: boolean('Publish the text of posts; some platforms forbid it.', { default: true }),
  BLANK_TEXT_ON_DELETION: boolean('Erase the text of deleted posts.'),
  USAGE_RETENTION_DAYS: integer('Days to keep usage rows.', { min: 1, max: 3650, default: 90 }),
  QUOTE_RETENTION_DAYS: integer('Days to keep quote history.', { min: 1, max: 3650, default: 90 }),
};

export const PAYMENT_SETTINGS = {
  PAYMENTS: choice(
    ['off', 'demo', 'on'],
    'Whether calls can be paid individually; demo includes a chain and a facilitator.',
    { at: 'payments.mode', default: 'off' },
  ),
  PAY_TO: text('Address that receives payments.', {
    at: 'payments.payTo',
    pattern: /^0x[0-9a-fA-F]{40}$/,
    allowed: '0x and 40 hex characters',
  }),
  PAYMENT_NETWORK: text('Network for payments.', {
    at: 'payments.network',
    default: 'eip155:84532',
    pattern: /^eip155:\d+$/,
    allowed: 'a CAIP-2 network such as eip155:8453',
  }),
  PAYMENT_PRICE_USD: number('Price per call in USD.', {
    at: 'payments.priceUsd',
    min: 0.000001,
    max: 1000,
    default: 0.01,
  }),
  FACILITATOR_URL: url('Facilitator that verifies and settles payments.', { at: 'payments.facilitatorUrl' }),
  FACILITATOR_AUTHORIZATION: secret(
    'Authorization header for the facilitator, e.g. Bearer followed by a token.',
  ),
  PAY_PRIVATE_KEY: secret('Wallet key for the lab pay command.', { isShorthand: true, ...PRIVATE_KEY }),
};

export const ALERT_SETTINGS = {
  PUBLIC_URL: url('Public URL of the dashboard, for links in alerts.', {
    at: 'reach.publicUrl',
    allowed: 'an http or https URL',
  }),
  TELEGRAM_BOT_TOKEN: secret('Token of the Telegram bot that sends alerts to chats.', {
    pattern: /^\d+:[\w-]{30,}$/,
    allowed: 'a bot token from BotFather',
  }),
  TELEGRAM_BASE_URL: url("URL of Telegram's bot API.", {
    at: 'reach.telegramUrl',
    isShorthand: true,
    default: 'https://api.telegram.org',
  }),
};
