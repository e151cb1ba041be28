// Messages between the first process and its workers. Plain JSON, sent through a pipe.

import type { Config } from '../config/config.ts';
import type { ApiSettings } from '../server/context.ts';
import type { AllowanceOrder, Taken } from '../store/queries/allowances.ts';
import type { BuildInfo } from './build-info.ts';
import type { DemoTerms } from './open-payments.ts';

/** Everything a worker needs to answer like a single process. */
export interface WorkerBegin {
  kind: 'begin';
  /** The shared port, and the simulator's address if there is one. */
  config: Config;
  settings: Partial<ApiSettings>;
  build: BuildInfo;
  demo: DemoTerms | null;
  isSilent: boolean;
  /** Whether the first process keeps the allowances; otherwise the shared database does. */
  isAskingForAllowances: boolean;
  /** The first process's steady time at this moment. */
  steadyTs: number;
}

/** Only the fields changed since the last message to this worker; the first message has all. */
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
