// Converts settings to the typed configuration passed to components. Secrets are separate.

import type { Account } from '../domain/account.ts';
import { UsageError } from '../runtime/errors.ts';
import type { LogFormat } from '../runtime/open-logger.ts';
import { rememberSecrets, secretsInUrl } from '../runtime/secrets.ts';
import type { GetSetting, SettingValueOf } from './all-settings.ts';
import { type ChosenAccounts, chooseAccounts } from './choose-accounts.ts';
import { type LoadedSettings, loadSettings } from './load-config.ts';
import {
  fillPostSources,
  type PostSourceConfig,
  type PostSourceKindName,
  readPostSources,
} from './post-sources.ts';

export interface SourceUrls {
  xApi: string | null;
  mastodon: string | null;
  oracle: string | null;
  gamma: string | null;
  clob: string | null;
  marketSocket: string | null;
  marketData: string | null;
  cryptoSocket: string | null;
  marketPage: string | null;
  twitterapi: string | null;
  kalshi: string | null;
  kalshiSocket: string | null;
  rollcall: string | null;
}

export interface Secrets {
  databaseUrl: string | null;
  directDatabaseUrl: string | null;
  xBearerToken: string | null;
  mastodonToken: string | null;
  cryptoApiKey: string | null;
  cryptoApiSecret: string | null;
  cryptoApiPassphrase: string | null;
  twitterapiKey: string | null;
  kalshiKeyId: string | null;
  facilitatorRpcUrl: string | null;
  facilitatorAuthorization: string | null;
  facilitatorPrivateKey: string | null;
  payPrivateKey: string | null;
  telegramBotToken: string | null;
  tracingHeaders: string | null;
}

export interface Config {
  host: string;
  port: number;
  metrics: { host: string; port: number };
  dataDir: string;
  role: 'all' | 'ingest' | 'api';
  workers: number;
  replicas: number;
  logLevel: string;
  logFormat: LogFormat;
  trustedProxyHops: number;
  defaultBankrollUsd: number;
  publishText: boolean;
  blankTextOnDeletion: boolean;
  usageRetentionDays: number;
  quoteRetentionDays: number;
  sealAnchors: readonly string[];
  sources: 'simulator' | 'live';
  simulator: {
    speed: number;
    seed: number | null;
    market: 'fitted' | 'easy' | 'informed';
    url: string | null;
    faults: readonly string[];
  };
  accounts: readonly Account[];
  /** Whether accounts come from the file's list, so that messages refer to it. */
  isListed: boolean;
  urls: SourceUrls;
  xPush: boolean;
  /** Address and pace of each kind of post source. */
  postSources: Readonly<Record<PostSourceKindName, PostSourceConfig>>;
  cryptoSeries: readonly string[];
  /** Additional venues for simulated accounts. */
  simulatedVenues: readonly string[];
  kalshiPrivateKeyFile: string | null;
  payments: {
    mode: 'off' | 'demo' | 'on';
    payTo: string | null;
    network: string;
    priceUsd: number;
    facilitatorUrl: string | null;
    facilitatorPort: number;
  };
  reach: { publicUrl: string | null; telegramUrl: string };
  tracing: { endpoint: string | null };
  secrets: Secrets;
  /** Command-line arguments that are not settings. */
  rest: readonly string[];
}

/** How the configuration is used: a command that only opens the store needs no platform credentials. */
export type ConfigUse = 'sources' | 'store';

export function loadConfig(
  argv: readonly string[],
  env: Record<string, string | undefined>,
  use: ConfigUse = 'sources',
): Config {
  return toConfig(loadSettings(argv, env), use);
}

/** Registers secrets in a process that receives a configuration instead of loading one. */
export function rememberConfigSecrets({ secrets, urls, payments }: Config): void {
  const addresses = [...Object.values(urls), payments.facilitatorUrl].filter((url) => url !== null);
  rememberSecrets([...Object.values(secrets), ...addresses.flatMap(secretsInUrl)]);
}

export function toConfig(loaded: LoadedSettings, use: ConfigUse = 'sources'): Config {
  const get: GetSetting = (name) => loaded.values.get(name) as SettingValueOf<typeof name>;
  const chosen = chooseAccounts(loaded, get);
  const sources = chooseSources(get('SOURCES'), chosen.isNamed);
  const config: Config = {
    host: get('HOST'),
    port: get('PORT'),
    metrics: { host: get('METRICS_HOST'), port: get('METRICS_PORT') },
    dataDir: get('DATA_DIR') ?? defaultDataDir(sources),
    role: get('ROLE'),
    workers: get('WORKERS'),
    replicas: get('REPLICAS'),
    logLevel: get('LOG_LEVEL'),
    logFormat: get('LOG_FORMAT'),
    trustedProxyHops: get('TRUSTED_PROXY_HOPS'),
    defaultBankrollUsd: get('DEFAULT_BANKROLL_USD'),
    publishText: get('PUBLISH_TEXT'),
    blankTextOnDeletion: get('BLANK_TEXT_ON_DELETION'),
    usageRetentionDays: get('USAGE_RETENTION_DAYS'),
    quoteRetentionDays: get('QUOTE_RETENTION_DAYS'),
    sealAnchors: get('SEAL_ANCHORS'),
    sources,
    simulator: {
      speed: get('SIMULATOR_SPEED'),
      seed: get('SIMULATOR_SEED'),
      market: get('SIMULATOR_MARKET'),
      url: get('SIMULATOR_URL'),
      faults: get('FAULT'),
    },
    accounts: fillPostSources(chosen.accounts, get, sources),
    isListed: chosen.isListed,
    postSources: readPostSources(get),
    urls: sources === 'live' ? withVendorUrls(readUrls(get)) : readUrls(get),
    xPush: get('X_PUSH'),
    cryptoSeries: get('CRYPTO_SERIES'),
    simulatedVenues: get('VENUES'),
    kalshiPrivateKeyFile: get('KALSHI_PRIVATE_KEY_FILE'),
    payments: readPayments(get),
    tracing: { endpoint: get('OTEL_EXPORTER_OTLP_ENDPOINT') },
    reach: { publicUrl: get('PUBLIC_URL'), telegramUrl: get('TELEGRAM_BASE_URL') },
    secrets: readSecrets(get),
    rest: loaded.rest,
  };
  checkTogether(config, chosen, get('ACCOUNTS'), use);
  return config;
}

function chooseSources(setting: 'auto' | 'simulator' | 'live', isNamed: boolean): 'simulator' | 'live' {
  if (setting === 'auto') return isNamed ? 'live' : 'simulator';
  return setting;
}

/** Two folders, because a store contains either simulated or live data, never both. */
export function defaultDataDir(sources: Config['sources']): string {
  return sources === 'live' ? './data' : './data/simulator';
}

function readUrls(get: GetSetting): SourceUrls {
  return {
    xApi: get('X_API_BASE_URL'),
    mastodon: get('MASTODON_BASE_URL'),
    oracle: get('ORACLE_BASE_URL'),
    gamma: get('MARKET_GAMMA_BASE_URL'),
    clob: get('MARKET_CLOB_BASE_URL'),
    marketSocket: get('MARKET_WS_URL'),
    marketData: get('MARKET_DATA_BASE_URL'),
    cryptoSocket: get('CRYPTO_WS_URL'),
    marketPage: get('MARKET_PAGE_URL'),
    twitterapi: get('TWITTERAPI_BASE_URL'),
    kalshi: get('KALSHI_BASE_URL'),
    kalshiSocket: get('KALSHI_WS_URL'),
    rollcall: get('ROLLCALL_BASE_URL'),
  };
}

const VENDOR_MARKET_URLS = {
  gamma: 'https://gamma-api.polymarket.com',
  clob: 'https://clob.polymarket.com',
  marketSocket: 'wss://ws-subscriptions-clob.polymarket.com',
  marketData: 'https://data-api.polymarket.com',
  cryptoSocket: 'wss://ws-live-v2.polymarket.com/ws',
};

const VENDOR_MARKET_PAGE = 'https://polymarket.com/event';

/** The market's addresses default together: setting one replaces all of them. */
function withVendorUrls(set: SourceUrls): SourceUrls {
  const usesVendor = Object.keys(VENDOR_MARKET_URLS).every((key) => set[key as keyof SourceUrls] === null);
  const urls = { ...set, ...(usesVendor ? VENDOR_MARKET_URLS : {}) };
  // The vendor's page exists only for events that the vendor lists.
  const vendorPage = urls.gamma === VENDOR_MARKET_URLS.gamma ? VENDOR_MARKET_PAGE : null;
  return {
    ...urls,
    marketPage: urls.marketPage ?? vendorPage,
    xApi: urls.xApi ?? 'https://api.x.com',
    oracle: urls.oracle ?? 'https://xtracker.polymarket.com/api',
  };
}

function readPayments(get: GetSetting): Config['payments'] {
  return {
    mode: get('PAYMENTS'),
    payTo: get('PAY_TO'),
    network: get('PAYMENT_NETWORK'),
    priceUsd: get('PAYMENT_PRICE_USD'),
    facilitatorUrl: get('FACILITATOR_URL'),
    facilitatorPort: get('FACILITATOR_PORT'),
  };
}

function readSecrets(get: GetSetting): Secrets {
  return {
    databaseUrl: get('DATABASE_URL'),
    directDatabaseUrl: get('DATABASE_DIRECT_URL'),
    xBearerToken: get('X_BEARER_TOKEN'),
    mastodonToken: get('MASTODON_TOKEN'),
    cryptoApiKey: get('CRYPTO_API_KEY'),
    cryptoApiSecret: get('CRYPTO_API_SECRET'),
    cryptoApiPassphrase: get('CRYPTO_API_PASSPHRASE'),
    twitterapiKey: get('TWITTERAPI_KEY'),
    kalshiKeyId: get('KALSHI_KEY_ID'),
    facilitatorRpcUrl: get('FACILITATOR_RPC_URL'),
    facilitatorAuthorization: get('FACILITATOR_AUTHORIZATION'),
    facilitatorPrivateKey: get('FACILITATOR_PRIVATE_KEY'),
    payPrivateKey: get('PAY_PRIVATE_KEY'),
    telegramBotToken: get('TELEGRAM_BOT_TOKEN'),
    tracingHeaders: get('OTEL_EXPORTER_OTLP_HEADERS'),
  };
}

/** Rules across settings; each message includes the variable to change. */
function checkTogether(
  config: Config,
  chosen: ChosenAccounts,
  simulatedCount: number | null,
  use: ConfigUse,
): void {
  if (
    config.payments.mode === 'on' &&
    (config.payments.payTo === null || config.payments.facilitatorUrl === null)
  ) {
    const missing = config.payments.payTo === null ? 'PAY_TO' : 'FACILITATOR_URL';
    throw new UsageError(`${missing} is not set; PAYMENTS=on needs a receiving address and a facilitator`);
  }
  if (config.role !== 'all' && config.secrets.databaseUrl === null) {
    throw new UsageError(
      `DATABASE_URL is not set; ROLE=${config.role} needs a PostgreSQL database shared with the other roles`,
    );
  }
  checkCryptoCredentials(config.secrets);
  if (config.sources !== 'live') return;
  if (simulatedCount !== null) {
    throw new UsageError(
      'ACCOUNTS is set, but applies only to the simulator; list live accounts in the file',
    );
  }
  if (use === 'sources') checkLive(config, chosen);
}

/** Either all three are set, or none. */
function checkCryptoCredentials(secrets: Secrets): void {
  const parts: [string, string | null][] = [
    ['CRYPTO_API_KEY', secrets.cryptoApiKey],
    ['CRYPTO_API_SECRET', secrets.cryptoApiSecret],
    ['CRYPTO_API_PASSPHRASE', secrets.cryptoApiPassphrase],
  ];
  const missing = parts.find(([, value]) => value === null);
  const given = parts.find(([, value]) => value !== null);
  if (missing && given) throw new UsageError(`${missing[0]} is not set; ${given[0]} needs it`);
}

function checkLive(config: Config, { accounts, nameField }: ChosenAccounts): void {
  const needed: [string, string | null][] = [
    ['ORACLE_BASE_URL', config.urls.oracle],
    ['MARKET_GAMMA_BASE_URL', config.urls.gamma],
    ['MARKET_CLOB_BASE_URL', config.urls.clob],
    ['MARKET_DATA_BASE_URL', config.urls.marketData],
  ];
  for (const [place, account] of accounts.entries()) {
    needed.push(...neededFor(config.accounts[place] ?? account, config, place, nameField));
    needed.push([nameField(place, 'SERIES'), account.market.seriesSlugs[0] ?? account.market.slugPrefix]);
  }
  const missing = needed.find(([, value]) => value === null);
  if (missing) throw new UsageError(`${missing[0]} is not set; live sources need it (docs/going-live.md)`);
}

/** Settings that the account's sources require. */
function neededFor(
  account: Account,
  { urls, secrets }: Config,
  place: number,
  nameField: ChosenAccounts['nameField'],
): [string, string | null][] {
  const kinds = new Set((account.postSources ?? []).map(({ kind }) => kind));
  const optionOf = (kind: string, name: string) =>
    account.postSources?.find((choice) => choice.kind === kind)?.options?.[name] ?? null;
  const baseUrl = (kind: string) => optionOf(kind, 'baseUrl');
  const needs: Partial<Record<string, [string, string | null][]>> = {
    x: [
      ['X_API_BASE_URL', urls.xApi ?? baseUrl('x')],
      ['X_BEARER_TOKEN', secrets.xBearerToken ?? optionOf('x', 'credential')],
      [nameField(place, 'PLATFORM_USER_ID'), account.platformUserId || null],
    ],
    mastodon: [['MASTODON_BASE_URL', urls.mastodon ?? baseUrl('mastodon')]],
    twitterapi: [['TWITTERAPI_KEY', secrets.twitterapiKey ?? optionOf('twitterapi', 'credential')]],
    rss: [[nameField(place, 'RSS_URL'), baseUrl('rss')]],
    archive: [[nameField(place, 'ARCHIVE_URL'), baseUrl('archive')]],
  };
  return [...kinds].flatMap((kind) => needs[kind] ?? []);
}
