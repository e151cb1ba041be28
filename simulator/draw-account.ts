// Parameters of any requested account: predefined, or drawn from the account's id, so that they depend
// neither on the seed nor on other accounts.

import type { Account } from '../src/domain/account.ts';
import { MINUTE_MS } from '../src/domain/units.ts';
import { hashLabel } from '../src/runtime/random.ts';
import { ACCOUNT_A, ACCOUNT_B, type SimulatorAccountParameters } from './account-parameters.ts';
import { chance } from './chance.ts';
import { MAIN_SLOTS } from './event-calendar.ts';
import { countedShare } from './market/remaining-count.ts';

/** The part of the service's account profile that the simulator uses. */
export type AskedAccount = Pick<Account, 'accountId' | 'platform' | 'countingRule'>;

const WRITTEN_LIVES = [ACCOUNT_A, ACCOUNT_B];
/** Accounts busier than this get the wide ladders. */
const BUSY_COUNTED_PER_DAY = 24;
/** Ids a to zzz have their own number; other ids share the rest by hash. */
const LETTERS = /^[a-z]{1,3}$/;
/** Accounts from the 27th on post seldom and are hardly traded, so that hundreds can be simulated. */
const QUIET = /^[a-z]{2,3}$/;
const QUIET_POSTS = 0.15;
const QUIET_STEP_MS = MINUTE_MS;
const FIRST_NAMED_NUMBER = 20_000;
const NAMED_NUMBERS = 60_000;

export function simulatorAccountFor(asked: AskedAccount): SimulatorAccountParameters {
  const { accountId, countingRule } = asked;
  const platform = asked.platform === 'x' ? 'X' : 'MASTODON';
  const written = WRITTEN_LIVES.find((life) => life.accountId === accountId && life.platform === platform);
  return written ? { ...written, countingRule } : drawLife(accountId, platform, countingRule);
}

/**
 * Accounts on a platform resemble the predefined one, but are busier or calmer, and post earlier or later.
 */
function drawLife(
  accountId: string,
  platform: SimulatorAccountParameters['platform'],
  countingRule: AskedAccount['countingRule'],
): SimulatorAccountParameters {
  const model = platform === 'X' ? ACCOUNT_A : ACCOUNT_B;
  const key = hashLabel(`life of ${accountId}`);
  const spread = (salt: number, logWidth: number) => Math.exp((chance(key, salt) - 0.5) * 2 * logWidth);
  const shiftHours = Math.floor(chance(key, 4) * 24);
  const number = numberOf(accountId);
  const isQuiet = QUIET.test(accountId);
  const life: SimulatorAccountParameters = {
    ...model,
    accountId,
    countingRule,
    handle: `account_${accountId}_handle`,
    displayName: `Account ${accountId.toUpperCase()}`,
    platformUserId: platform === 'X' ? `9002${number}` : `1077802576262${number}`,
    postsPerDay: model.postsPerDay * spread(1, 0.5) * (isQuiet ? QUIET_POSTS : 1),
    slow: { ...model.slow, sd: model.slow.sd * spread(2, 0.4) },
    dayNoiseSd: model.dayNoiseSd * spread(3, 0.3),
    hourProfile: model.hourProfile.map((_, hour) => model.hourProfile[(hour + shiftHours) % 24]!),
    sleep: { ...model.sleep, onsetHour: (model.sleep.onsetHour + 24 - shiftHours) % 24 },
    session: { ...model.session, meanPosts: model.session.meanPosts * spread(5, 0.3) },
    series: {
      '2d': `account-${accountId}-${model.postNoun}-48h`,
      '7d': `account-${accountId}-${model.postNoun}`,
      month: `account-${accountId}-${model.postNoun}-monthly`,
    },
    tagId: String(9_100 + number),
    eventIdBase: 1e9 * (1 + number),
    slots: MAIN_SLOTS,
    hasYearInSlugs: true,
    hasUntrackedMonths: false,
    ...(isQuiet ? { priceStepMs: QUIET_STEP_MS } : {}),
  };
  return { ...life, hasWideLadders: life.postsPerDay * countedShare(life) > BUSY_COUNTED_PER_DAY };
}

/** Unique for all ids of up to three letters; longer ids collide once in tens of thousands. */
function numberOf(accountId: string): number {
  if (!LETTERS.test(accountId)) return FIRST_NAMED_NUMBER + (hashLabel(accountId) % NAMED_NUMBERS);
  return [...accountId].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0);
}
