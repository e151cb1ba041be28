// The two predefined simulated accounts, as data: how and where they post, and their markets.

import type { CountingRule } from '../src/domain/counting-rule.ts';
import { MAIN_FEED_RULE } from '../src/domain/counting-rule.ts';
import { MAIN_SLOTS, type SlotKind, TRAP_SLOTS } from './event-calendar.ts';

export interface KindMix {
  reply: number;
  repost: number;
  quote: number;
  original: number;
}

export interface KalshiSeries {
  week: string;
  day: string;
  /** A decoy series on another quantity of the same account, which discovery must ignore. */
  other: string;
}

export interface SimulatorAccountParameters {
  accountId: string;
  platform: 'X' | 'MASTODON';
  handle: string;
  displayName: string;
  platformUserId: string;
  /** What market titles call the account's posts. */
  postNoun: 'tweets' | 'posts';
  countingRule: CountingRule;
  /** Long-run mean, replies included. */
  postsPerDay: number;
  /** The log rate's two time scales, and a daily factor. */
  slow: { timeScaleDays: number; sd: number };
  fast: { timeScaleDays: number; sd: number };
  dayNoiseSd: number;
  /** Relative activity while awake, by hour in America/New_York; any scale. */
  hourProfile: readonly number[];
  /** By weekday, Sunday first. */
  weekdayFactors: readonly number[];
  sleep: { onsetHour: number; onsetSdHours: number; meanHours: number; sdHours: number };
  /** Posts come in sessions of geometric size with log-normal gaps. */
  session: { meanPosts: number; medianGapMs: number; gapSigma: number };
  mix: KindMix;
  selfReplyAfterOriginal: number;
  communityShare: number;
  editShare: number;
  deleteShare: number;
  series: { '2d': string; '7d': string; month: string };
  /** The account's series on the second venue; absent if that venue does not list it. */
  kalshi?: KalshiSeries;
  /** The market's tag for the account. */
  tagId: string;
  /** The account's first event id. */
  eventIdBase: number;
  /** Events listed for the account. */
  slots: readonly SlotKind[];
  /** Uses buckets sized for hundreds of posts a week rather than tens. */
  hasWideLadders: boolean;
  hasYearInSlugs: boolean;
  /** Whether the account's monthly events have a market but no tracking. */
  hasUntrackedMonths: boolean;
  /**
   * Spread and depth of the account's market; depth is USD per price level. Account A as measured: 1 cent,
   * 130 to 560 USD within 1 to 5 cents.
   */
  market: { tick: number; halfSpread: number; depthUsd: number; weeklyVolumeUsd: number };
  /** How often prices move; every two seconds by default. */
  priceStepMs?: number;
}

export const ACCOUNT_A: SimulatorAccountParameters = {
  accountId: 'a',
  platform: 'X',
  handle: 'account_a_handle',
  displayName: 'Account A',
  platformUserId: '9001001',
  postNoun: 'tweets',
  countingRule: MAIN_FEED_RULE,
  postsPerDay: 84,
  slow: { timeScaleDays: 40, sd: 0.42 },
  fast: { timeScaleDays: 1.8, sd: 0.28 },
  dayNoiseSd: 0.28,
  hourProfile: [
    1.35, 1.5, 1.55, 1.4, 1.1, 0.8, 0.6, 0.55, 0.6, 0.75, 0.95, 1.05, 1.05, 1.0, 0.95, 0.95, 0.95, 0.95, 0.95,
    1.0, 1.0, 1.0, 1.05, 1.2,
  ],
  weekdayFactors: [0.94, 1.03, 1.03, 1.04, 1.03, 1.04, 0.89],
  sleep: { onsetHour: 4, onsetSdHours: 2.2, meanHours: 6.4, sdHours: 1.2 },
  session: { meanPosts: 4, medianGapMs: 150_000, gapSigma: 0.9 },
  mix: { reply: 0.53, repost: 0.272, quote: 0.17, original: 0.028 },
  selfReplyAfterOriginal: 0.25,
  communityShare: 0.004,
  editShare: 0.012,
  deleteShare: 0.012,
  series: { '2d': 'account-a-tweets-48h', '7d': 'account-a-tweets', month: 'account-a-tweet-daily' },
  tagId: '9001',
  eventIdBase: 0,
  slots: [...MAIN_SLOTS, ...TRAP_SLOTS],
  hasWideLadders: true,
  hasYearInSlugs: false,
  hasUntrackedMonths: false,
  market: { tick: 0.001, halfSpread: 0.005, depthUsd: 75, weeklyVolumeUsd: 1_600_000 },
};

export const ACCOUNT_B: SimulatorAccountParameters = {
  accountId: 'b',
  platform: 'MASTODON',
  handle: 'account_b_handle',
  displayName: 'Account B',
  platformUserId: '107780257626128001',
  postNoun: 'posts',
  countingRule: MAIN_FEED_RULE,
  postsPerDay: 21,
  slow: { timeScaleDays: 25, sd: 0.18 },
  fast: { timeScaleDays: 1.2, sd: 0.2 },
  dayNoiseSd: 0.45,
  hourProfile: [
    0.7, 0.35, 0.2, 0.1, 0.1, 0.15, 0.4, 0.9, 1.2, 1.3, 1.2, 1.1, 1.05, 1.0, 1.0, 1.0, 1.05, 1.1, 1.2, 1.3,
    1.4, 1.5, 1.4, 1.1,
  ],
  weekdayFactors: [0.85, 1.05, 1.08, 1.08, 1.05, 1.04, 0.85],
  sleep: { onsetHour: 0.5, onsetSdHours: 0.7, meanHours: 6.2, sdHours: 0.7 },
  session: { meanPosts: 2.4, medianGapMs: 240_000, gapSigma: 1.1 },
  mix: { reply: 0.05, repost: 0.3, quote: 0.06, original: 0.59 },
  selfReplyAfterOriginal: 0.05,
  communityShare: 0,
  editShare: 0.02,
  deleteShare: 0.015,
  kalshi: { week: 'KXACCOUNTB', day: 'KXACCOUNTBD', other: 'KXACCOUNTBDELETE' },
  series: { '2d': 'account-b-posts-48h', '7d': 'account-b-posts', month: 'account-b-posts-monthly' },
  tagId: '9002',
  eventIdBase: 0,
  slots: MAIN_SLOTS.map((slot) => ({ ...slot, code: slot.code + 3 })),
  hasWideLadders: false,
  hasYearInSlugs: true,
  hasUntrackedMonths: true,
  market: { tick: 0.01, halfSpread: 0.015, depthUsd: 60, weeklyVolumeUsd: 90_000 },
};
