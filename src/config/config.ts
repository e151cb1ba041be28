// Converts settings to the typed configuration passed to components. Secrets are separate.

import type { Account } from '../domain/account.ts';
import { UsageError } from '../runtime/errors.ts';
import { type GetSetting, type PlacedSettings, SETTINGS, type SettingValueOf } from './all-settings.ts';
import { type ChosenAccounts, chooseAccounts } from './choose-accounts.ts';
import { type LoadedSettings, loadSettings } from './load-config.ts';
import { fillPostSources, type PostSourceConfig, readPostSources } from './post-sources.ts';
import { fileKey, type Setting } from './setting-declaration.ts';
import type { PostSourceKindName } from './settings/sources.ts';

/** The settings at their places, with those replaced that depend on others. */
export type Config = Omit<PlacedSettings, 'dataDir' | 'sources'> & {
  dataDir: string;
  sources: 'simulator' | 'live';
  accounts: readonly Account[];
  /** Whether accounts come from the file's list, so that messages refer to it. */
  isListed: boolean;
  /** Address and pace of each kind of post source. */
  postSources: Readonly<Record<PostSourceKindName, PostSourceConfig>>;
  /** Command-line arguments that are not settings. */
  rest: readonly string[];
};

export type SourceUrls = Config['urls'];

/** How the configuration is used: a command that only opens the store needs no platform credentials. */
export type ConfigUse = 'sources' | 'store';

export function loadConfig(
  argv: readonly string[],
  env: Record<string, string | undefined>,
  use: ConfigUse = 'sources',
): Config {
  return toConfig(loadSettings(argv, env), use);
}

export function toConfig(loaded: LoadedSettings, use: ConfigUse = 'sources'): Config {
  const get: GetSetting = (name) => loaded.values.get(name) as SettingValueOf<typeof name>;
  const chosen = chooseAccounts(loaded, get);
  const sources = chooseSources(get('SOURCES'), chosen.isNamed);
  const placed = placeValues(loaded.values);
  const config: Config = {
    ...placed,
    sources,
    dataDir: placed.dataDir ?? defaultDataDir(sources),
    accounts: fillPostSources(chosen.accounts, get, sources),
    isListed: chosen.isListed,
    postSources: readPostSources(get, sources),
    urls: sources === 'live' ? withVendorUrls(placed.urls) : placed.urls,
    rest: loaded.rest,
  };
  checkTogether(config, chosen, get('ACCOUNTS'), use);
  return config;
}

function placeValues(values: LoadedSettings['values']): PlacedSettings {
  const placed: Record<string, unknown> = {};
  for (const setting of SETTINGS) {
    const place = placeInConfig(setting);
    if (place === null) continue;
    const [group, key] = place.split('.') as [string, string?];
    const value = values.get(setting.name);
    if (key === undefined) placed[group] = value;
    else placed[group] = { ...(placed[group] as object | undefined), [key]: value };
  }
  return placed as PlacedSettings;
}

function placeInConfig(setting: Setting): string | null {
  if (setting.at !== undefined) return setting.at;
  return setting.isSecret ? `secrets.${fileKey(setting)}` : fileKey(setting);
}

function chooseSources(setting: 'auto' | 'simulator' | 'live', isNamed: boolean): 'simulator' | 'live' {
  if (setting === 'auto') return isNamed ? 'live' : 'simulator';
  return setting;
}

/** Two folders, because a store contains either simulated or live data, never both. */
export function defaultDataDir(sources: Config['sources']): string {
  return sources === 'live' ? './data' : './data/simulator';
}

const VENDOR_MARKET_URLS = {
  gamma: 'https://gamma-api.polymarket.com',
  clob: 'https://clob.polymarket.com',
  marketSocket: 'wss://ws-subscriptions-clob.polymarket.com',
  marketData: 'https://data-api.polymarket.com',
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
  if (config.role === 'api' && config.sources === 'simulator' && config.simulator.url === null) {
    throw new UsageError(
      "SIMULATOR_URL is not set; ROLE=api uses the ingest processes' simulator. Start one with: tallycast simulator",
    );
  }
  if (config.accounts.length > MAX_ACCOUNTS) {
    throw new UsageError(
      `${config.accounts.length} accounts are configured; one leader reads at most ${MAX_ACCOUNTS}. Divide them among several deployments`,
    );
  }
  if (config.sources !== 'live') return;
  if (simulatedCount !== null) {
    throw new UsageError(
      'ACCOUNTS is set, but applies only to the simulator; list live accounts in the file',
    );
  }
  if (use === 'sources') checkLive(config, chosen);
}

/** One process reads all of them; more would make each one's posts late. */
const MAX_ACCOUNTS = 200;

const KEYLESS_HINTS: Readonly<Record<string, string>> = {
  X_BEARER_TOKEN: '. Without one, let the post sources be "oracle" alone: it is free, about 3 minutes late',
};

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
  const [missing] = needed.find(([, value]) => value === null) ?? [];
  if (missing === undefined) return;
  const keyless = KEYLESS_HINTS[missing] ?? '';
  throw new UsageError(`${missing} is not set; live sources need it${keyless} (docs/going-live.md)`);
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
    rss: [[nameField(place, 'RSS_URL'), baseUrl('rss')]],
  };
  return [...kinds].flatMap((kind) => needs[kind] ?? []);
}
