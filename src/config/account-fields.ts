// Fields of an `accounts` entry in the configuration file: one row per field, as with settings. The short
// form for two accounts, as environment variables, uses the same rows.

import { PLATFORMS, type Platform, PUBLIC_VIEWS } from '../domain/account.ts';
import { type CountingRule, MAIN_FEED_RULE } from '../domain/counting-rule.ts';
import { isTimeZone } from '../domain/zoned-time.ts';
import {
  boolean,
  choice,
  list,
  number,
  text,
  url,
  type ValueSpec,
  withPrefix,
} from './setting-declaration.ts';
import { POST_SOURCE_KINDS } from './settings/sources.ts';

/** Words that API paths use in place of a segment or right after one. */
const RESERVED_SEGMENTS = ['crypto', 'tweets', 'hourly', 'ladder', 'rebalancing'];
const SOME_TEXT = { pattern: /\S/, allowed: 'text' };
const ONE_WORD = { pattern: /^\S+$/, allowed: 'text without spaces' };
const TIME_ZONE = { isAllowed: isTimeZone, allowed: 'an IANA time zone' };

export type Fields = Readonly<Record<string, ValueSpec>>;

/** A missing field gets a default that may depend on the account's place in the list. */
export const ACCOUNT_FIELDS = {
  id: text("The account's id in the store; must never change or be reused. The short form uses a and b.", {
    // Crypto markets are stored under the name crypto.
    pattern: /^(?!crypto$)[a-z0-9_-]{1,32}$/,
    allowed: '1 to 32 characters of a-z 0-9 _ -, not crypto',
  }),
  segment: text('Path segment; default: account_ followed by the id.', {
    pattern: new RegExp(`^(?!(?:${RESERVED_SEGMENTS.join('|')})$)[a-z0-9_-]{1,32}$`),
    allowed: `1 to 32 characters of a-z 0-9 _ -, not ${RESERVED_SEGMENTS.join(', ')}`,
  }),
  displayName: text('Display name.', SOME_TEXT),
  platform: choice(PLATFORMS, "The account's platform."),
  handle: text('Handle on the platform.', ONE_WORD),
  platformUserId: text('Numeric id on the platform.', ONE_WORD),
  postPageUrl: text('Public URL of a post, with {id} as a placeholder, for links on the dashboard.', {
    pattern: /^https?:\/\/\S*\{id\}\S*$/,
    allowed: 'http(s)://host/...{id}...',
  }),
  series: list("Market series that contain the account's events."),
  tagId: text("Market tag that lists the account's events, instead of one call per series."),
  slugPrefix: text('Events with this slug prefix also belong to the account.', SOME_TEXT),
  oraclePlatform: text('Platform name as the oracle spells it, if it differs.', SOME_TEXT),
  marketTimeZone: text("Time zone of the market's windows; default: America/New_York.", TIME_ZONE),
  publicView: choice(
    PUBLIC_VIEWS,
    'Which prediction fields are public: wide (as for account A) or narrow (as for account B).',
  ),
  allowsSell: boolean("Whether the account's signals can be SELL."),
  hasRebalancing: boolean('Whether to offer rebalancing and to size portfolio positions for a bankroll.'),
} satisfies Fields;

/** Fields of `countingRule`, which says which posts count; default: the main feed. */
export const RULE_FIELDS = Object.fromEntries(
  Object.keys(MAIN_FEED_RULE).map((name) => {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return [name, name === 'selfReplyRoots' ? selfReplyRoots() : boolean(`Whether ${words} count.`)];
  }),
) as Record<keyof CountingRule, ValueSpec>;

function selfReplyRoots() {
  return choice(
    ['own', 'any'],
    "Whether self-replies count only in the account's own conversations or in any conversation.",
  );
}

/** Fields of `forecastHints`, the priors used until there is history. */
export const HINT_FIELDS = {
  sleepPrior: number('Assumed share of time asleep.', { min: 0.001, max: 0.9 }),
  initialPostsPerDay: number('Assumed counted posts per day until there is history.', {
    min: 0.01,
    max: 10_000,
  }),
} satisfies Fields;

/** An entry of `contracts`: a series on an additional venue. Its `countingRule` has the RULE_FIELDS. */
export const CONTRACT_FIELDS = {
  venue: text('Venue.', { pattern: /^[a-z0-9-]+$/, allowed: 'a venue' }),
  series: text('Series on that venue.', { pattern: /^\S+$/, allowed: 'a ticker' }),
  settlementSource: text("The list that the series' contracts settle on.", {
    pattern: /^[a-z0-9-]+$/,
    allowed: 'a settlement source',
  }),
  timeZone: text("Time zone of the series' windows; default: the account's.", TIME_ZONE),
} satisfies Fields;

/** Accounts that variables can configure; more accounts need the file's list. */
export const SHORT_FORM_LETTERS = ['A', 'B'] as const;

/** The short form of one account. */
export function accountSettings<L extends string>(letter: L, segment: string, platform: Platform) {
  const shorthand = { at: null, isShorthand: true } as const;
  const { handle, platformUserId, series, tagId, slugPrefix, oraclePlatform } = ACCOUNT_FIELDS;
  return withPrefix(`ACCOUNT_${letter}_`, {
    SEGMENT: { ...ACCOUNT_FIELDS.segment, ...shorthand, default: segment },
    HANDLE: { ...handle, ...shorthand },
    PLATFORM: { ...ACCOUNT_FIELDS.platform, ...shorthand, default: platform },
    PLATFORM_USER_ID: { ...platformUserId, ...shorthand },
    SERIES: { ...series, ...shorthand },
    TAG_ID: { ...tagId, ...shorthand },
    SLUG_PREFIX: { ...slugPrefix, ...shorthand },
    ORACLE_PLATFORM: { ...oraclePlatform, ...shorthand },
    COUNT_SELF_REPLIES: boolean('As countingRule.selfReplies.', { ...shorthand, default: true }),
    SELF_REPLY_ROOTS: { ...selfReplyRoots(), ...shorthand, default: 'own' } as const,
    POST_SOURCES: list('Post sources, best first.', {
      ...shorthand,
      pattern: new RegExp(`^(?:${POST_SOURCE_KINDS.join('|')})$`),
      allowed: `a list of ${POST_SOURCE_KINDS.join(', ')}`,
    }),
    RSS_URL: url('RSS feed that mirrors the account.', shorthand),
    COUNT_REPLIES: boolean('As countingRule.replies.', shorthand),
  });
}
