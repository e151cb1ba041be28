// An account's profile: everything in which accounts differ, as data. It is handed in wherever an account matters, and
// no module asks which account it is. Which accounts there are lives in configuration, never in code.

import type { AccountId } from './account-id.ts';
import type { ContractSeries } from './contract.ts';
import type { CountingRule } from './counting-rule.ts';

export type { AccountId } from './account-id.ts';

export const PLATFORMS = ['x', 'mastodon'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** wide: counters, deltas, freshness and time left are public; narrow: counters and market prices alone. */
export const PUBLIC_VIEWS = ['wide', 'narrow'] as const;
export type PublicView = (typeof PUBLIC_VIEWS)[number];

/** Where events of the account are found on the market. */
export interface MarketScope {
  /** Slugs of the account's series; an event belongs when it is in one of them. */
  seriesSlugs: readonly string[];
  /** Tag to list by, in place of one call per series; null for none. */
  tagId: string | null;
  /** Also take events with this slug prefix, e.g. 'some-name-of-'; null for none. */
  slugPrefix: string | null;
}

/** Priors of an account until its history is known. */
export interface ForecastHints {
  /** Prior share of time asleep, before the account's own gaps say otherwise. */
  sleepPrior: number;
  /** Posts per day to start from when the history is almost empty. */
  initialPostsPerDay: number;
}

/** One way to read the account's posts; its kind says which, and what the options mean. */
export interface PostSourceChoice {
  kind: string;
  options?: Readonly<Record<string, string>>;
}

export interface Account {
  accountId: AccountId;
  /** Path segment in the interface, e.g. account_a. */
  segment: string;
  /** As people read it, e.g. Account A. */
  displayName: string;
  platform: Platform;
  /** Name on the social platform, used only by the source adapters. */
  handle: string;
  /** Id on the social platform; self-replies are recognised by it. */
  platformUserId: string;
  /** Address of a post for people; {id} is the post's id. Without it there are no links. */
  postPageUrl?: string;
  /** Where its posts are read, best first; the platform's own interface where left out. */
  postSources?: readonly PostSourceChoice[];
  countingRule: CountingRule;
  market: MarketScope;
  /** Series on further venues, each with its own rule; absent for none. */
  contracts?: readonly ContractSeries[];
  /** The platform as the oracle spells it. */
  oraclePlatform: string;
  /** Zone in which the market's windows are stated. */
  marketTimeZone: string;
  publicView: PublicView;
  /** Whether its signals may be SELL; otherwise SKIP. */
  allowsSell: boolean;
  /** Whether a wallet's positions are sized for a bankroll: in the portfolio, and by rebalancing. */
  hasRebalancing: boolean;
  forecastHints: ForecastHints;
}
