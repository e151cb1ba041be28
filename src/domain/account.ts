// An account that the service follows. Which one is which lives in configuration, never in code.

import type { CountingRule } from './counting-rule.ts';

/** Internal name of an account: 'a' and 'b' in the interface; more where an operator follows more. */
export type AccountId = string;

export interface Account {
  accountId: AccountId;
  /** Path segment in the interface, e.g. account_a. */
  segment: string;
  /** Name on the social platform, used only by the source adapters. */
  handle: string;
  /** Id on the social platform; self-replies are recognised by it. */
  platformUserId: string;
  countingRule: CountingRule;
  /** Zone in which the market's windows are stated. */
  marketTimeZone: string;
}
