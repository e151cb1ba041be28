// Messages between the first process and its workers: plain JSON over a pipe.

import type { Config } from '../config/config.ts';
import type { ApiSettings } from '../server/context.ts';
import type { AllowanceOrder, Taken } from '../store/queries/allowances.ts';
import type { BuildInfo } from './build-info.ts';
import type { DemoTerms } from './open-payments.ts';

/** Everything a worker needs to serve requests like a single process. */
export interface WorkerBegin {
  kind: 'begin';
  /** Includes the shared port, and the simulator's URL if there is one. */
  config: Config;
  settings: Partial<ApiSettings>;
  build: BuildInfo;
  demo: DemoTerms | null;
  isSilent: boolean;
  /** Whether the first process manages allowances; otherwise they are in the shared database. */
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
