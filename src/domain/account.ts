// Everything that differs between accounts is data in the profile. Modules read the profile and never check
// which account it belongs to. Accounts are defined in configuration, never in code.

import type { ContractSeries } from './contract.ts';
import type { CountingRule } from './counting-rule.ts';
import type { AccountId } from './post.ts';

export type { AccountId } from './post.ts';

export const PLATFORMS = ['x', 'mastodon'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** wide: counters, deltas, freshness and time left are public; narrow: only counters and market prices. */
export const PUBLIC_VIEWS = ['wide', 'narrow'] as const;
export type PublicView = (typeof PUBLIC_VIEWS)[number];

/** Where to find the account's events on the market. */
export interface MarketScope {
  /** Slugs of the account's series; an event in one of them belongs to the account. */
  seriesSlugs: readonly string[];
  /** Tag for fetching all of the account's events in one call instead of one per series; null if none. */
  tagId: string | null;
  /** Also accept events with this slug prefix, e.g. 'some-name-of-'; null if unused. */
  slugPrefix: string | null;
}

/** Priors used until the account's history is known. */
export interface ForecastHints {
  /** Prior for the share of time asleep, used until the account's own gaps are known. */
  sleepPrior: number;
  /** Posts per day to assume when there is almost no history. */
  initialPostsPerDay: number;
}

/** A source of the account's posts; the available options depend on its kind. */
export interface PostSourceChoice {
  kind: string;
  options?: Readonly<Record<string, string>>;
}

export interface Account {
  accountId: AccountId;
  /** Path segment in the API, e.g. account_a. */
  segment: string;
  /** Display name, e.g. Account A. */
  displayName: string;
  platform: Platform;
  /** Handle on the social platform, used only by the source adapters. */
  handle: string;
  /** Id on the social platform; identifies self-replies. */
  platformUserId: string;
  /** Public URL of a post; {id} is the post's id. If absent, posts are not linked. */
  postPageUrl?: string;
  /** Post sources, best first; defaults to the platform's own API. */
  postSources?: readonly PostSourceChoice[];
  countingRule: CountingRule;
  market: MarketScope;
  /** Series on additional venues, each with its own counting rule; absent if there are none. */
  contracts?: readonly ContractSeries[];
  /** The oracle's name for the platform. */
  oraclePlatform: string;
  /** Time zone in which the market's windows are defined. */
  marketTimeZone: string;
  publicView: PublicView;
  /** Whether signals may say SELL; if not, they say SKIP instead. */
  allowsSell: boolean;
  /** Whether the portfolio and rebalancing endpoints size its positions for a bankroll. */
  hasRebalancing: boolean;
  forecastHints: ForecastHints;
}
