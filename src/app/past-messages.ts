// What the serving thread and the past's thread tell each other.

import type { Config } from '../config/config.ts';
import type { AccountId } from '../domain/account.ts';
import type { EdgeEvidence } from '../domain/standing-advice.ts';
import type { PastPlan } from '../jobs/past-work.ts';
import type { Logger } from '../runtime/logger.ts';
import type { LentStore } from '../store/lent-store.ts';
import type { OpenSimulator } from './open-simulator.ts';

/** Given to the thread when it starts. */
export interface PastThreadData {
  plan: PastPlan;
  config: Config;
  simulator: Pick<OpenSimulator, 'urls' | 'speed'> | null;
  /** The service's time and speed. */
  clock: { nowTs: number; speed: number };
  store: LentStore;
}

export type ToPast = { kind: 'complete'; accountId: AccountId } | { kind: 'settled' } | { kind: 'stop' };

export type FromPast =
  /** Nothing is left to read or compute; repeated while that is so. */
  | { kind: 'resting' }
  | { kind: 'evidence'; accountId: AccountId; evidence: EdgeEvidence }
  | { kind: 'log'; level: Exclude<keyof Logger, 'child'>; details: object; message: string };
