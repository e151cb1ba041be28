// Settings for data sources: the simulator or external systems.

import {
  boolean,
  choice,
  integer,
  list,
  number,
  secret,
  socketUrl,
  text,
  url,
  withPrefix,
} from '../setting-declaration.ts';

/** Kinds of post sources that an account can list. */
export const POST_SOURCE_KINDS = ['x', 'mastodon', 'oracle', 'rss', 'rollcall'] as const;
export type PostSourceKindName = (typeof POST_SOURCE_KINDS)[number];

export const SIMULATOR_SETTINGS = {
  SOURCES: choice(
    ['auto', 'simulator', 'live'],
    'Where data comes from; auto means live if an account has a handle, otherwise the simulator.',
    { default: 'auto' },
  ),
  ACCOUNTS: integer(
    'Number of simulated accounts; default 2. In the file, accounts is the list of accounts instead.',
    { at: null, min: 1, max: 1_000, isNotInFile: true },
  ),
  VENUES: list('Additional venues for simulated accounts; live accounts list their contracts in the file.', {
    at: 'simulatedVenues',
    pattern: /^kalshi$/,
    allowed: 'a list of kalshi',
  }),
  SIMULATOR_SPEED: number('Speed of simulated time relative to real time.', {
    at: 'simulator.speed',
    min: 0.001,
    max: 100_000,
    default: 1,
  }),
  SIMULATOR_SEED: integer('Random seed for the simulator.', {
    at: 'simulator.seed',
    min: 0,
    max: 4294967295,
  }),
  SIMULATOR_URL: url('URL of a running simulator.', { at: 'simulator.url', allowed: 'http://host:port' }),
  FAULT: list('Simulator faults to inject, as NAME or NAME=VALUE; help lists them.', {
    at: 'simulator.faults',
    isShorthand: true,
  }),
};

export const OUTSIDE_SETTINGS = {
  X_API_BASE_URL: url('Base URL of the X API v2; https://api.x.com when live.', { at: 'urls.xApi' }),
  X_BEARER_TOKEN: secret('Bearer token for the X API.'),
  X_PUSH: boolean("Use X's activity stream; polling takes over if it fails."),
  MASTODON_BASE_URL: url('Base URL of a Mastodon-compatible server.', { at: 'urls.mastodon' }),
  MASTODON_TOKEN: secret('Access token for that server, if required.'),
  X_MONTHLY_CAP_USD: number(
    'Monthly spending cap for X, 100 if not set; at the cap, the next post source takes over.',
    { at: null, min: 0, max: 1_000_000 },
  ),
  ...paceSettings(),
  KALSHI_BASE_URL: url("Base URL of Kalshi's API for contracts and prices.", {
    at: 'urls.kalshi',
    default: 'https://external-api.kalshi.com/trade-api/v2',
  }),
  KALSHI_WS_URL: socketUrl("URL of Kalshi's order-book stream; needs a key.", {
    at: 'urls.kalshiSocket',
    default: 'wss://api.elections.kalshi.com/trade-api/ws/v2',
  }),
  KALSHI_KEY_ID: secret('Id of a Kalshi API key; without one, prices are polled.'),
  KALSHI_PRIVATE_KEY_FILE: text(
    'File with the private key (PEM) for KALSHI_KEY_ID; used only to sign read requests.',
  ),
  ROLLCALL_BASE_URL: url("Base URL of Roll Call's list of posts, which Kalshi contracts settle on.", {
    at: 'urls.rollcall',
    default: 'https://rollcall.com',
  }),
  ORACLE_BASE_URL: url('Base URL of the settlement oracle; https://xtracker.polymarket.com/api when live.', {
    at: 'urls.oracle',
  }),
  MARKET_GAMMA_BASE_URL: url(
    "Base URL of the market's event listing; https://gamma-api.polymarket.com when live.",
    { at: 'urls.gamma' },
  ),
  MARKET_PAGE_URL: url(
    "URL of the market's event pages, to which the slug is appended; https://polymarket.com/event when live.",
    { at: 'urls.marketPage' },
  ),
  MARKET_CLOB_BASE_URL: url("Base URL of the market's order books; https://clob.polymarket.com when live.", {
    at: 'urls.clob',
  }),
  MARKET_WS_URL: socketUrl(
    "URL of the market's price stream; wss://ws-subscriptions-clob.polymarket.com when live.",
    { at: 'urls.marketSocket' },
  ),
  MARKET_DATA_BASE_URL: url(
    "Base URL of the market's wallet positions; https://data-api.polymarket.com when live.",
    { at: 'urls.marketData' },
  ),
  CRYPTO_SERIES: list('Series of crypto price markets; empty for the defaults.'),
};

/** How each kind of post source is polled. */
function paceSettings() {
  const shorthand = { at: null, isShorthand: true } as const;
  const rows = {
    PERIOD_S: number('Seconds between polls while it leads.', { ...shorthand, min: 0.1, max: 86_400 }),
    PROXY: url('HTTP proxy.', { ...shorthand, allowed: 'http://host:port', isSecret: true }),
    USER_AGENT: text('User-Agent to send.', shorthand),
  };
  const families = POST_SOURCE_KINDS.map((kind) =>
    withPrefix(`${kind.toUpperCase() as Uppercase<PostSourceKindName>}_`, rows),
  );
  return Object.assign({}, ...families) as (typeof families)[number];
}
