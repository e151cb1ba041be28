// The account state that rules evaluate, and the readings taken from it.

import type { MarketEvent } from '../../domain/market-event.ts';
import type { RuleKind } from '../../domain/rule-kinds.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Verdict } from '../../trade/types.ts';
import type { Mark, Reading } from './mark.ts';

/** Current advice for a bucket. `verdict` is the advice; the contract's `action` covers only Yes. */
export interface StandingAdvice {
  eventId: number;
  bucketLabel: string;
  action: string;
  modelProbability: number;
  marketPrice: number;
  edge: number;
  verdict: Pick<Verdict, 'kind' | 'shares' | 'limitPrice' | 'sentence'>;
}

export interface Watched {
  snapshot: AccountSnapshot;
  nowTs: number;
  /** When this process started watching; earlier silence does not count toward staleness. */
  sinceTs: number;
  /** null if not recomputed or not known yet. */
  advice: readonly StandingAdvice[] | null;
  mark: Mark;
}

export interface FactReading extends Reading {
  kind: RuleKind | 'topic';
  /** The alert's name for entering this state; null causes no alert. */
  what: string | null;
  event: MarketEvent | null;
  data: Readonly<Record<string, unknown>>;
}
