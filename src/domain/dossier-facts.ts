// Input for a dossier, and the facts its explanation uses.

import type { CountingRule } from './counting-rule.ts';
import type { MarketEvent } from './market-event.ts';
import type { CapturedPost } from './post.ts';

export interface OracleListing {
  postId: string;
  createdTs: number;
  /** When the oracle says it imported the post. */
  importedTs: number | null;
  /** When we first saw it in the oracle's list. */
  listedTs: number;
}

export interface CountAt {
  ts: number;
  count: number;
}

export interface SettledCount {
  finalCount: number;
  winningLabel: string | null;
  source: string;
  revision: number;
  settledTs: number;
}

export interface DossierInput {
  event: MarketEvent;
  rule: CountingRule;
  /** Posts created in the window. */
  posts: readonly CapturedPost[];
  /** The oracle's list for the window; empty if not recorded. */
  listings: readonly OracleListing[];
  /** Changes, earliest first. */
  oracle: readonly CountAt[];
  ui: readonly CountAt[];
  /** Every revision, earliest first. */
  settlements: readonly SettledCount[];
}

export interface DossierPost {
  post: CapturedPost;
  kind: string;
  isCounted: boolean;
  /** The part of the rule that decided whether it counts. */
  verdict: string;
  listing: OracleListing | null;
}

export interface Disagreement {
  postId: string;
  createdTs: number;
  what:
    | 'counted here, not in the oracle’s list'
    | 'in the oracle’s list, not counted here'
    | 'in the oracle’s list, never seen here';
}
