// Messages between the scenario and the executor's process.

import type { Hex } from 'viem';
import type { Rules } from '../../../src/trading/decide/decide.ts';
import type { LossLimits } from '../../../src/trading/decide/halts.ts';

export interface ChildSetup {
  startTs: number;
  exchangeUrl: string;
  adviceUrl: string;
  folder: string;
  /** A session key of the wallet. */
  key: Hex;
  wallet: Hex;
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
}
