// Messages between the scenario and the executor's process.

import type { Hex } from 'viem';
import type { KalshiKey } from '../../../src/sources/kalshi/signing.ts';
import type { Rules } from '../../../src/trading/decide/decide.ts';
import type { LossLimits } from '../../../src/trading/decide/halts.ts';

/** A session key of a wallet, or a member's key. */
export type ChildVenue =
  | { name: 'polymarket'; url: string; key: Hex; wallet: Hex }
  | { name: 'kalshi'; url: string; key: KalshiKey };

export interface ChildSetup {
  startTs: number;
  venue: ChildVenue;
  adviceUrl: string;
  folder: string;
  timeoutMs: number;
  rules: Omit<Rules, 'isCanary'>;
  limits: LossLimits;
}

export interface TurnReport {
  ts: number;
  halts: string[];
  /** Settled cash according to the executor's books. */
  cashMicro: number;
  shares: Record<string, number>;
  open: string[];
  /** Orders sent in this turn, after the exchange was read. */
  sent: number;
  /** Best bids at which the report values the positions. */
  marks: Record<string, number>;
  /** Profit according to the report. */
  profitUsd: number;
  /** Figures of the report that do not add up. */
  sums: string[];
}
