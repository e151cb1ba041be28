// Completes a profile from its configuration. Defaults depend on the account's position: the contract calls
// the first two accounts A and B and says how they differ; all others have neutral defaults.

import type { Account, ForecastHints, MarketScope, Platform } from './account.ts';
import { MAIN_FEED_RULE } from './counting-rule.ts';

type AccountTraits = Pick<
  Account,
  'platform' | 'publicView' | 'allowsSell' | 'hasRebalancing' | 'forecastHints'
>;

const HINTS: ForecastHints = { sleepPrior: 0.3, initialPostsPerDay: 20 };

/** Accounts A and B as the contract describes them, including B's sleep prior. */
const FIRST_ACCOUNTS: readonly AccountTraits[] = [
  {
    platform: 'x',
    publicView: 'wide',
    allowsSell: true,
    hasRebalancing: true,
    forecastHints: HINTS,
  },
  {
    platform: 'mastodon',
    publicView: 'narrow',
    allowsSell: false,
    hasRebalancing: false,
    forecastHints: { ...HINTS, sleepPrior: 0.092 },
  },
];

const OTHER_ACCOUNTS: AccountTraits = {
  platform: 'x',
  publicView: 'narrow',
  allowsSell: false,
  hasRebalancing: true,
  forecastHints: HINTS,
};

/** What the default oracle calls each platform. */
export const ORACLE_SPELLING: Readonly<Record<Platform, string>> = { x: 'X', mastodon: 'TRUTH_SOCIAL' };
const NO_SCOPE: MarketScope = { seriesSlugs: [], tagId: null, slugPrefix: null };

/** Optional profile fields; forecast hints may be partial. */
export type AccountDraft = Pick<Account, 'accountId'> &
  Partial<Omit<Account, 'accountId' | 'forecastHints'>> & { forecastHints?: Partial<ForecastHints> };

/** `place` is the account's index in the configuration. */
export function completeProfile(draft: AccountDraft, place: number): Account {
  const traits = FIRST_ACCOUNTS[place] ?? OTHER_ACCOUNTS;
  const segment = draft.segment ?? `account_${draft.accountId}`;
  const platform = draft.platform ?? traits.platform;
  return {
    displayName: nameFromSegment(segment),
    handle: `account_${draft.accountId}_handle`,
    platformUserId: '',
    countingRule: MAIN_FEED_RULE,
    market: NO_SCOPE,
    oraclePlatform: ORACLE_SPELLING[platform],
    marketTimeZone: 'America/New_York',
    ...traits,
    ...draft,
    segment,
    platform,
    ...(draft.handle === undefined ? {} : { handle: draft.handle.replace(/^@/, '') }),
    forecastHints: { ...traits.forecastHints, ...draft.forecastHints },
  };
}

/** Ids of generated accounts: a, b ... z, aa, ab ... */
export function idAtPlace(place: number): string {
  const last = String.fromCharCode('a'.charCodeAt(0) + (place % 26));
  return place < 26 ? last : idAtPlace(Math.floor(place / 26) - 1) + last;
}

/** The default profile for a letter, e.g. when backtesting a file. */
export function profileOfLetter(letter: string): Account {
  const place = letter.length === 1 ? letter.charCodeAt(0) - 'a'.charCodeAt(0) : -1;
  return completeProfile({ accountId: letter }, place);
}

/** account_a -> Account A */
function nameFromSegment(segment: string): string {
  return segment
    .split(/[_-]+/)
    .filter((word) => word !== '')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ');
}
