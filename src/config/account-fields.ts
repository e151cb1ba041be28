// Fields of an `accounts` entry in the configuration file: one row per field, as with settings.

import { PLATFORMS, PUBLIC_VIEWS } from '../domain/account.ts';
import { MAIN_FEED_RULE } from '../domain/counting-rule.ts';
import { isTimeZone } from '../domain/zoned-time.ts';
import type { Setting } from './setting-declaration.ts';
import { ID_PATTERN, SEGMENT_ALLOWED, SEGMENT_PATTERN } from './settings/patterns.ts';

/** `name` is the key in the entry. A default of null means it depends on the account's place in the list. */
export type AccountField = Pick<
  Setting,
  'name' | 'kind' | 'description' | 'min' | 'max' | 'choices' | 'pattern' | 'allowed'
> & {
  /** Checked in addition to the pattern. */
  isAllowed?: (value: string) => boolean;
};

export const ACCOUNT_FIELDS: readonly AccountField[] = [
  {
    name: 'id',
    kind: 'string',
    pattern: ID_PATTERN,
    allowed: '1 to 32 characters of a-z 0-9 _ -, not crypto',
    description:
      "The account's id in the store; must never change or be reused. The short form uses a and b.",
  },
  {
    name: 'segment',
    kind: 'string',
    pattern: SEGMENT_PATTERN,
    allowed: SEGMENT_ALLOWED,
    description: 'Path segment; default: account_ followed by the id.',
  },
  { name: 'displayName', kind: 'string', pattern: /\S/, allowed: 'text', description: 'Display name.' },
  {
    name: 'platform',
    kind: 'choice',
    choices: PLATFORMS,
    description: "The account's platform.",
  },
  {
    name: 'handle',
    kind: 'string',
    pattern: /^\S+$/,
    allowed: 'text without spaces',
    description: 'Handle on the platform.',
  },
  {
    name: 'platformUserId',
    kind: 'string',
    pattern: /^\S+$/,
    allowed: 'text without spaces',
    description: 'Numeric id on the platform.',
  },
  {
    name: 'postPageUrl',
    kind: 'string',
    pattern: /^https?:\/\/\S*\{id\}\S*$/,
    allowed: 'http(s)://host/...{id}...',
    description: 'Public URL of a post, with {id} as a placeholder, for links on the dashboard.',
  },
  { name: 'series', kind: 'list', description: "Market series that contain the account's events." },
  {
    name: 'tagId',
    kind: 'string',
    description: "Market tag that lists the account's events, instead of one call per series.",
  },
  {
    name: 'slugPrefix',
    kind: 'string',
    pattern: /\S/,
    allowed: 'text',
    description: 'Events with this slug prefix also belong to the account.',
  },
  {
    name: 'oraclePlatform',
    kind: 'string',
    pattern: /\S/,
    allowed: 'text',
    description: 'Platform name as the oracle spells it, if it differs.',
  },
  {
    name: 'marketTimeZone',
    kind: 'string',
    isAllowed: isTimeZone,
    allowed: 'an IANA time zone',
    description: "Time zone of the market's windows; default: America/New_York.",
  },
  {
    name: 'publicView',
    kind: 'choice',
    choices: PUBLIC_VIEWS,
    description: 'Which prediction fields are public: wide (as for account A) or narrow (as for account B).',
  },
  { name: 'allowsSell', kind: 'boolean', description: "Whether the account's signals can be SELL." },
  {
    name: 'hasRebalancing',
    kind: 'boolean',
    description: 'Whether to offer rebalancing and to size portfolio positions for a bankroll.',
  },
];

/** Fields of `countingRule`, which says which posts count; default: the main feed. */
export const RULE_FIELDS: readonly AccountField[] = Object.entries(MAIN_FEED_RULE).map(
  ([name, value]): AccountField =>
    typeof value === 'boolean'
      ? {
          name,
          kind: 'boolean',
          description: `Whether ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} count.`,
        }
      : {
          name,
          kind: 'choice',
          choices: ['own', 'any'],
          description:
            "Whether self-replies count only in the account's own conversations or in any conversation.",
        },
);

/** Fields of `forecastHints`, the priors used until there is history. */
export const HINT_FIELDS: readonly AccountField[] = [
  { name: 'sleepPrior', kind: 'number', min: 0.001, max: 0.9, description: 'Assumed share of time asleep.' },
  {
    name: 'initialPostsPerDay',
    kind: 'number',
    min: 0.01,
    max: 10_000,
    description: 'Assumed counted posts per day until there is history.',
  },
];

/** An entry of `contracts`: a series on an additional venue. Its `countingRule` has the RULE_FIELDS. */
export const CONTRACT_FIELDS: readonly AccountField[] = [
  { name: 'venue', kind: 'string', pattern: /^[a-z0-9-]+$/, allowed: 'a venue', description: 'Venue.' },
  {
    name: 'series',
    kind: 'string',
    pattern: /^\S+$/,
    allowed: 'a ticker',
    description: 'Series on that venue.',
  },
  {
    name: 'settlementSource',
    kind: 'string',
    pattern: /^[a-z0-9-]+$/,
    allowed: 'a settlement source',
    description: "The list that the series' contracts settle on.",
  },
  {
    name: 'timeZone',
    kind: 'string',
    isAllowed: isTimeZone,
    allowed: 'an IANA time zone',
    description: "Time zone of the series' windows; default: the account's.",
  },
];
