// Known accounts as entries for `accounts`, and the addresses to read them from. Every series is listed;
// unknown fields, such as a numeric id, are omitted.

export interface AccountPreset {
  name: string;
  /** One-line summary for the list. */
  summary: string;
  entry: { id: string; handle: string; platform: 'x' | 'mastodon'; [field: string]: unknown };
}

/** Addresses that every preset needs; addresses already in the file are kept. */
export const PRESET_ADDRESSES: Readonly<Record<string, string>> = {
  oracleBaseUrl: 'https://xtracker.polymarket.com/api',
  marketGammaBaseUrl: 'https://gamma-api.polymarket.com',
  marketClobBaseUrl: 'https://clob.polymarket.com',
  marketWsUrl: 'wss://ws-subscriptions-clob.polymarket.com',
  marketDataBaseUrl: 'https://data-api.polymarket.com',
};

/** The oracle's list needs no credential. */
const KEYLESS = [{ kind: 'oracle' }];

function onX(id: string, handle: string, summary: string, series: readonly string[]): AccountPreset {
  const entry = { id, segment: id, handle, platform: 'x' as const, series, postSources: KEYLESS };
  return { name: id, summary, entry };
}

const ROLLCALL_CONTRACT = {
  venue: 'kalshi',
  settlementSource: 'rollcall',
  countingRule: { deletedPosts: false },
};

export const ACCOUNT_PRESETS: readonly AccountPreset[] = [
  {
    name: 'elon-musk',
    summary: '2-day, weekly and monthly on Polymarket',
    entry: {
      id: 'elon-musk',
      segment: 'elon-musk',
      handle: 'elonmusk',
      platform: 'x',
      platformUserId: '44196397',
      series: ['elon-tweets', 'elon-tweets-48h', 'elon-tweet-daily'],
      postSources: KEYLESS,
    },
  },
  {
    name: 'donald-trump',
    summary: 'weekly on Polymarket, daily and weekly on Kalshi (deleted posts do not count there)',
    entry: {
      id: 'donald-trump',
      segment: 'donald-trump',
      handle: 'realDonaldTrump',
      platform: 'mastodon',
      series: ['trump-truth-social'],
      postSources: [
        { kind: 'rss', options: { baseUrl: 'https://trumpstruth.org/feed' } },
        { kind: 'rollcall' },
        { kind: 'oracle' },
      ],
      contracts: [
        { ...ROLLCALL_CONTRACT, series: 'KXTRUTHSOCIAL' },
        { ...ROLLCALL_CONTRACT, series: 'KXTRUTHSOCIALD' },
      ],
    },
  },
  onX('white-house', 'WhiteHouse', 'weekly on Polymarket', ['whitehouse-daily-tweets']),
  onX('ted-cruz', 'tedcruz', 'weekly on Polymarket', ['ted-cruz-daily-tweets']),
  onX('khamenei', 'khamenei_ir', 'weekly on Polymarket', ['khamenei-daily-tweets']),
  onX('zelenskyy', 'ZelenskyyUa', 'weekly on Polymarket', ['zelenskyy-tweets']),
  onX('nyc-mayor', 'NYCMayor', 'weekly on Polymarket', ['nycmayor-tweets']),
  onX('cz', 'cz_binance', 'weekly on Polymarket', ['cz-tweets']),
  onX('andrew-tate', 'Cobratate', 'weekly on Polymarket', ['andrew-tate-tweets']),
];

type ConfigFile = Record<string, unknown>;

/** Returns the file with the account added to its list; null if it is already there. */
export function addPreset(file: ConfigFile, preset: AccountPreset, hasXToken = false): ConfigFile | null {
  const accounts = Array.isArray(file.accounts) ? (file.accounts as { id?: unknown }[]) : [];
  if (accounts.some(({ id }) => id === preset.entry.id)) return null;
  const entry = { ...preset.entry, postSources: listSources(preset, hasXToken) };
  return { ...PRESET_ADDRESSES, ...file, accounts: [...accounts, entry] };
}

/** X comes first if its token is set; it needs the account's numeric id. */
function listSources({ entry }: AccountPreset, hasXToken: boolean): unknown {
  const usesX = hasXToken && entry.platform === 'x' && entry.platformUserId !== undefined;
  return usesX ? [{ kind: 'x' }, ...KEYLESS] : entry.postSources;
}

/** The account's post sources in the file, and whether the token for X stays unused. */
export function describeSources(
  file: ConfigFile,
  { name, entry }: AccountPreset,
  hasXToken: boolean,
): string[] {
  const accounts = (file.accounts ?? []) as { id?: unknown; postSources?: { kind: string }[] }[];
  const kinds = accounts.find(({ id }) => id === entry.id)?.postSources?.map(({ kind }) => kind) ?? [];
  const isUnused = hasXToken && entry.platform === 'x' && !kinds.includes('x');
  const id = entry.platformUserId === undefined ? ' and its platformUserId' : '';
  return [
    `${name} reads posts from ${kinds.join(', then ')}`,
    ...(isUnused
      ? [`X_BEARER_TOKEN is not used for ${name}: add { "kind": "x" } to its postSources${id}`]
      : []),
  ];
}

/** Returns the file without the account; null if it is not there. */
export function removeAccount(file: ConfigFile, id: string): ConfigFile | null {
  const accounts = Array.isArray(file.accounts) ? (file.accounts as { id?: unknown }[]) : [];
  const kept = accounts.filter((account) => account.id !== id);
  if (kept.length === accounts.length) return null;
  const { accounts: _, ...others } = file;
  return kept.length === 0 ? others : { ...others, accounts: kept };
}
