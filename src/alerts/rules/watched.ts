// What the rules see of an account at one time, and the readings taken from it.

import type { MarketEvent } from '../../domain/market-event.ts';
import type { RuleKind } from '../../domain/rule-kinds.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Verdict } from '../../trade/types.ts';
import type { Mark, Reading } from './mark.ts';

/** Current advice for a bucket. `action` is the contract's field about Yes alone; `verdict` is the advice. */
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
  /** When this process started watching; earlier silence does not count towards staleness. */
  sinceTs: number;
  /** null if it was not recomputed or is not known yet. */
  advice: readonly StandingAdvice[] | null;
  mark: Mark;
}

export interface FactReading extends Reading {
  kind: RuleKind | 'topic';
  /** What entering this state is called in the alert; null causes no alert. */
  what: string | null;
  event: MarketEvent | null;
  data: Readonly<Record<string, unknown>>;
}
