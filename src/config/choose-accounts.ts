// Chooses which accounts to track: the file's list, the two short-form accounts, or generated ones for the
// simulator. The same rules apply to all of them.

import type { Account, Platform } from '../domain/account.ts';
import { completeProfile, idAtPlace } from '../domain/account-profile.ts';
import { MAIN_FEED_RULE } from '../domain/counting-rule.ts';
import { ConfigurationError } from '../runtime/errors.ts';
import { SHORT_FORM_LETTERS } from './account-fields.ts';
import type { GetSetting } from './all-settings.ts';
import type { LoadedSettings } from './load-config.ts';
import { readAccountList } from './read-accounts.ts';

export interface ChosenAccounts {
  accounts: readonly Account[];
  /** Whether the operator configured accounts; otherwise they are simulated. */
  isNamed: boolean;
  /** Whether the accounts come from the file's list rather than the short form. */
  isListed: boolean;
  nameField(place: number, field: AccountFieldName): string;
}

/** Fields mentioned in messages: the variable suffix, and the key in the list. */
const FIELD_NAMES = {
  SEGMENT: 'segment',
  HANDLE: 'handle',
  PLATFORM_USER_ID: 'platformUserId',
  SERIES: 'series',
  RSS_URL: 'postSources',
  POST_SOURCES: 'postSources',
} as const;
export type AccountFieldName = keyof typeof FIELD_NAMES;

/** Refers to a field by its variable in the short form, or by its path in the list. */
export function nameAccountField(
  { accounts, isListed }: Pick<ChosenAccounts, 'accounts' | 'isListed'>,
  place: number,
  field: AccountFieldName,
): string {
  return isListed || place >= SHORT_FORM_LETTERS.length
    ? `accounts[${place}] "${accounts[place]!.accountId}": ${FIELD_NAMES[field]}`
    : `ACCOUNT_${SHORT_FORM_LETTERS[place]!}_${field}`;
}

const DEFAULT_COUNT = 2;

export function chooseAccounts(loaded: LoadedSettings, get: GetSetting): ChosenAccounts {
  const chosen = loaded.accountList === undefined ? fromShortForm(get) : fromList(loaded, get);
  checkDifferent(chosen);
  return chosen;
}

function fromList(loaded: LoadedSettings, get: GetSetting): ChosenAccounts {
  const both = [...loaded.origins].find(([name, origin]) => isAccountSetting(name) && origin !== 'default');
  if (both) throw new ConfigurationError(`${both[0]} and accounts in the file are both set; use only one`);
  if (get('ACCOUNTS') !== null) {
    throw new ConfigurationError(
      'ACCOUNTS and accounts in the file are both set; remove ACCOUNTS, because the list determines the number',
    );
  }
  const accounts = readAccountList(loaded.accountList);
  const isGiven = (loaded.accountList as { handle?: string }[]).some(({ handle }) => handle !== undefined);
  return complete({ accounts, isNamed: isGiven, isListed: true });
}

function isAccountSetting(name: string): boolean {
  return SHORT_FORM_LETTERS.some((letter) => name.startsWith(`ACCOUNT_${letter}_`));
}

function fromShortForm(get: GetSetting): ChosenAccounts {
  const count = get('ACCOUNTS') ?? DEFAULT_COUNT;
  const accounts = Array.from({ length: count }, (_, place) =>
    place < SHORT_FORM_LETTERS.length ? readShortForm(get, place) : simulatedAccount(place),
  );
  return complete({ accounts, isNamed: get('ACCOUNT_A_HANDLE') !== null, isListed: false });
}

function complete(chosen: Omit<ChosenAccounts, 'nameField'>): ChosenAccounts {
  return { ...chosen, nameField: (place, field) => nameAccountField(chosen, place, field) };
}

function readShortForm(get: GetSetting, place: number): Account {
  const letter = SHORT_FORM_LETTERS[place]!;
  const handle = get(`ACCOUNT_${letter}_HANDLE`);
  const oraclePlatform = get(`ACCOUNT_${letter}_ORACLE_PLATFORM`);
  return completeProfile(
    {
      accountId: idAtPlace(place),
      segment: get(`ACCOUNT_${letter}_SEGMENT`),
      ...(handle === null ? {} : { handle }),
      platformUserId: get(`ACCOUNT_${letter}_PLATFORM_USER_ID`) ?? '',
      platform: get(`ACCOUNT_${letter}_PLATFORM`),
      market: {
        seriesSlugs: get(`ACCOUNT_${letter}_SERIES`),
        tagId: get(`ACCOUNT_${letter}_TAG_ID`),
        slugPrefix: get(`ACCOUNT_${letter}_SLUG_PREFIX`),
      },
      ...(oraclePlatform === null ? {} : { oraclePlatform }),
      countingRule: {
        ...MAIN_FEED_RULE,
        selfReplies: get(`ACCOUNT_${letter}_COUNT_SELF_REPLIES`),
        selfReplyRoots: get(`ACCOUNT_${letter}_SELF_REPLY_ROOTS`),
        replies: get(`ACCOUNT_${letter}_COUNT_REPLIES`),
      },
    },
    place,
  );
}

/** Generates an account. Platforms alternate, so that each platform is always used. */
export function simulatedAccount(place: number): Account {
  const platform: Platform = place % 2 === 0 ? 'x' : 'mastodon';
  return completeProfile({ accountId: idAtPlace(place), platform }, place);
}

function checkDifferent({ accounts, nameField }: ChosenAccounts): void {
  for (const [place, account] of accounts.entries()) {
    const earlier = accounts.slice(0, place);
    if (earlier.some(({ accountId }) => accountId === account.accountId)) {
      throw new ConfigurationError(
        `accounts[${place}] "${account.accountId}": id is already used by another account`,
      );
    }
    const twin = earlier.findIndex(({ segment }) => segment === account.segment);
    if (twin < 0) continue;
    throw new ConfigurationError(
      `${nameField(place, 'SEGMENT')} is "${account.segment}", the same as ${nameField(twin, 'SEGMENT')}; segments must be unique`,
    );
  }
}
