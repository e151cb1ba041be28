// A whole profile from what an operator said of an account. What is left out follows from the account's place: the
// interface names its first two accounts A and B and says in what they differ; any further one is like neither.

import type { Account, ForecastHints, MarketScope, Platform } from './account.ts';
import { MAIN_FEED_RULE } from './counting-rule.ts';

type PlaceTraits = Pick<
  Account,
  'platform' | 'publicView' | 'allowsSell' | 'hasRebalancing' | 'forecastHints'
>;

const HINTS: ForecastHints = { sleepPrior: 0.3, initialPostsPerDay: 20 };

/** As the interface describes account A and account B. B's sleep is stated there. */
const FIRST_PLACES: readonly PlaceTraits[] = [
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

const FURTHER_PLACES: PlaceTraits = {
  platform: 'x',
  publicView: 'narrow',
  allowsSell: false,
  hasRebalancing: true,
  forecastHints: HINTS,
};

/** As the usual oracle writes them. */
export const ORACLE_SPELLING: Readonly<Record<Platform, string>> = { x: 'X', mastodon: 'TRUTH_SOCIAL' };
const NO_SCOPE: MarketScope = { seriesSlugs: [], tagId: null, slugPrefix: null };

/** Fields of a profile that may be left out; hints may be given in part. */
export type AccountDraft = Pick<Account, 'accountId'> &
  Partial<Omit<Account, 'accountId' | 'forecastHints'>> & { forecastHints?: Partial<ForecastHints> };

/** `place` is the account's index in the configuration. */
export function completeProfile(draft: AccountDraft, place: number): Account {
  const traits = FIRST_PLACES[place] ?? FURTHER_PLACES;
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

/** The profile that an account of this letter has where nothing is configured, e.g. for a backtest of a file. */
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
