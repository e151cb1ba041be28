// What the first process and its workers say to each other. Plain JSON, so that it can cross a pipe.

import type { Config } from '../config/config.ts';
import type { ApiSettings } from '../server/context.ts';
import type { AllowanceOrder, Taken } from '../store/queries/allowances.ts';
import type { BuildInfo } from './build-info.ts';
import type { DemoTerms } from './open-payments.ts';

/** All that a worker needs to answer like the single process would. */
export interface WorkerBegin {
  kind: 'begin';
  /** The shared port, and the simulator's address if there is one. */
  config: Config;
  settings: Partial<ApiSettings>;
  build: BuildInfo;
  demo: DemoTerms | null;
  isSilent: boolean;
  /** Whether allowances are kept by the first process; else the shared database keeps them. */
  isAskingForAllowances: boolean;
  /** The first process's steady time at this moment. */
  steadyTs: number;
}

/** Only the fields that changed since the last message to this worker; all of them in the first. */
export interface SnapshotMessage {
  kind: 'snapshot';
  accountId: string;
  fields: string;
}

export type ToWorker =
  | WorkerBegin
  | SnapshotMessage
  | { kind: 'crypto'; body: string }
  | { kind: 'metrics'; requestId: number }
  | { kind: 'allowances'; requestId: number; answers: (Taken | null)[] }
  | { kind: 'stop' };

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'failed'; problem: string }
  | { kind: 'allowances'; requestId: number; orders: AllowanceOrder[] }
  | { kind: 'metrics'; requestId: number; text: string };
