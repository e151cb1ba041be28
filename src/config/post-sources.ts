// Which post sources an account has, and how each kind is polled.

import type { Account, PostSourceChoice } from '../domain/account.ts';
import { SECOND_MS } from '../domain/units.ts';
import { SHORT_FORM_LETTERS } from './account-fields.ts';
import type { GetSetting } from './all-settings.ts';
import { POST_SOURCE_KINDS, type PostSourceKindName } from './settings/sources.ts';

/** Settings for one kind of post source; platform addresses and credentials are in `urls` and `secrets`. */
export interface PostSourceConfig {
  periodMs: number | null;
  proxy: string | null;
  userAgent: string | null;
  monthlyCapUsd: number | null;
}

interface SourceWishes {
  /** As configured; empty for the default. */
  listed: readonly string[];
  platform: string;
  /** Whether its address is set, and its credential if one is required. */
  isPlatformReady: boolean;
  rssUrl: string | null;
}

/**
 * Uses the platform itself if configured, then other configured sources, then the oracle's list, which needs
 * no credential.
 */
function choosePostSources(wishes: SourceWishes): PostSourceChoice[] {
  const usual = [
    ...(wishes.isPlatformReady ? [wishes.platform] : []),
    ...(wishes.rssUrl === null ? [] : ['rss']),
    'oracle',
  ];
  return (wishes.listed.length > 0 ? wishes.listed : usual).map((kind) =>
    kind === 'rss' && wishes.rssUrl !== null ? { kind, options: { baseUrl: wishes.rssUrl } } : { kind },
  );
}

/** Accounts without a list get the default sources. */
export function fillPostSources(
  accounts: readonly Account[],
  get: GetSetting,
  sources: 'simulator' | 'live',
): Account[] {
  return accounts.map((account, place) => {
    if (account.postSources) return account;
    const letter = SHORT_FORM_LETTERS[place];
    const postSources = choosePostSources({
      listed: letter === undefined ? [] : get(`ACCOUNT_${letter}_POST_SOURCES`),
      platform: account.platform,
      isPlatformReady: sources === 'simulator' || isPlatformReady(get, account.platform),
      rssUrl: letter === undefined ? null : get(`ACCOUNT_${letter}_RSS_URL`),
    });
    return { ...account, postSources };
  });
}

/** X needs a credential; a Mastodon-compatible server needs an address. */
function isPlatformReady(get: GetSetting, platform: string): boolean {
  return platform === 'x' ? get('X_BEARER_TOKEN') !== null : get('MASTODON_BASE_URL') !== null;
}

/** Enough for three busy accounts on X. The simulator's credit costs nothing. */
const DEFAULT_CAP_USD = 100;

export function readPostSources(
  get: GetSetting,
  sources: 'simulator' | 'live',
): Record<PostSourceKindName, PostSourceConfig> {
  const usualCap = sources === 'live' ? DEFAULT_CAP_USD : null;
  const entries = POST_SOURCE_KINDS.map((kind): [PostSourceKindName, PostSourceConfig] => {
    const prefix = kind.toUpperCase() as Uppercase<typeof kind>;
    const periodS = get(`${prefix}_PERIOD_S`);
    return [
      kind,
      {
        periodMs: periodS === null ? null : periodS * SECOND_MS,
        proxy: get(`${prefix}_PROXY`),
        userAgent: get(`${prefix}_USER_AGENT`),
        monthlyCapUsd: kind === 'x' ? (get('X_MONTHLY_CAP_USD') ?? usualCap) : null,
      },
    ];
  });
  return Object.fromEntries(entries) as Record<PostSourceKindName, PostSourceConfig>;
}
