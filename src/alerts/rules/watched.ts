// An account as the rules see it at one instant, and what is read from it.

import type { MarketEvent } from '../../domain/market-event.ts';
import type { RuleKind } from '../../domain/rule-kinds.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Mark, Reading } from './mark.ts';

/** What is advised for a bucket now; SKIP where nothing is worth doing. */
export interface StandingAdvice {
  eventId: number;
  bucketLabel: string;
  action: string;
  modelProbability: number;
  marketPrice: number;
  edge: number;
}

export interface Watched {
  snapshot: AccountSnapshot;
  nowTs: number;
  /** When this process started watching: silence before that is not staleness. */
  sinceTs: number;
  /** null when it was not recomputed, or is not known yet. */
  advice: readonly StandingAdvice[] | null;
  mark: Mark;
}

export interface FactReading extends Reading {
  kind: RuleKind | 'topic';
  /** Name of entering this state; a state without one is silent. */
  what: string | null;
  event: MarketEvent | null;
  data: Readonly<Record<string, unknown>>;
}
