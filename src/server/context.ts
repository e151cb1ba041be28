// The API's dependencies, and what each route may use.

import type { DemoKey } from '../access/demo-key.ts';
import type { Identity } from '../access/key-directory.ts';
import type { Limiter, LimitSettings } from '../access/limiter.ts';
import type { Account, AccountId } from '../domain/account.ts';
import type { Scenario } from '../forecast/scenario.ts';
import type { PaymentGate } from '../payments/payment-gate.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Random } from '../runtime/random.ts';
import type { WalletSource } from '../sources/source.ts';
import type { BoardReader } from '../state/board.ts';
import type { Store } from '../store/ports.ts';
import type { AdviserOf } from '../trade/advice/adviser.ts';
import type { LadderRow } from '../trade/advice/ladder.ts';
import type { RealisedRecord, StrategyName } from '../trade/types.ts';
import type { ConnectionLimits } from './http/connection-guard.ts';
import type { UsageRecorder, UsageSettings } from './usage/usage-recorder.ts';

export interface ApiSettings {
  trustedProxyHops: number;
  publishText: boolean;
  blankTextOnDeletion: boolean;
  defaultBankrollUsd: number;
  /** Base URL of the market's event pages; null or absent if there is none. */
  marketPageUrl?: string | null;
  /** Price of one paid call. */
  priceUsd: number;
  limits: LimitSettings;
  /** Maximum connections; derived from the file descriptor limit by default. */
  connections?: ConnectionLimits;
  bodyLimitBytes: number;
  /** Whether plain requests are read without Node's request objects. */
  usesPlainReader: boolean;
  /** Calls that may wait for the store, the market or another thread at a time; the rest get a 503. */
  maxAtOnce?: number;
  usage: UsageSettings;
  /** Folder of the built dashboard; null to serve none. */
  webRoot: string | null;
}

export interface StoreHealth {
  isWritable: boolean;
  problem: string | null;
  /** Set while the disk is almost full. */
  diskProblem?: string | null;
  /** Invariants violated since the start. */
  violations?: readonly string[];
}

export interface ServedBuild {
  version: string;
  commit: string;
}

/** Alert channels. */
export interface Reach {
  /** On the simulator, keys issued by the operator may have receivers on this machine. */
  isLocalAllowed: boolean;
  /** Prefix of dashboard links; empty for relative links. */
  publicUrl: string;
  /** Name of the Telegram bot; null if there is none. */
  findTelegramBot: () => Promise<string | null>;
}

export const WEBHOOKS_ALONE: Reach = {
  isLocalAllowed: false,
  publicUrl: '',
  findTelegramBot: async () => null,
};

/** Forecast and ladder under an assumption about the account. */
export interface ImaginedLadder {
  asofTs: number;
  countSoFar: number;
  p5: number;
  p50: number;
  p95: number;
  rows: readonly LadderRow[];
}

export interface WhatIfAsker {
  /** null while the model is not ready. */
  ask(
    accountId: AccountId,
    question: { eventId: number; scenario: Scenario; bankrollUsd: number; nowTs: number },
  ): Promise<ImaginedLadder | null>;
}

type Given =
  | 'accounts'
  | 'board'
  | 'store'
  | 'walletSource'
  | 'clock'
  | 'logger'
  | 'settings'
  | 'build'
  | 'adviserOf';
type GivenOrDefault =
  | 'wallClock'
  | 'whatIf'
  | 'reach'
  | 'findDiskProblem'
  | 'findOutdated'
  | 'listViolations'
  | 'limiter';

/** What the API is opened with: what its routes may use, and what only its front needs. */
export type ApiDependencies = Pick<RouteContext, Given> & {
  [Name in GivenOrDefault]?: RouteContext[Name] | undefined;
} & FrontParts;

interface FrontParts {
  random: Random;
  payments: PaymentGate | null;
  /** Multiple of real time in the simulator; absent or null on live sources. */
  simulatorSpeed?: number | null;
  /** Simulated wallet that visitors can try; null or absent on live sources. */
  demoWallet?: string | null;
  /** URL of the simulator, for traders on the same machine; null or absent on live sources. */
  simulatorUrl?: string | null;
  /** Issues a demo key; null or absent on live sources. */
  demoKey?: DemoKey | null;
}

/** Track record of each strategy that has one. */
export type RealisedRecords = Readonly<Partial<Record<StrategyName, RealisedRecord>>>;

export interface RouteContext {
  /** At least one; the first is account A, the second B. */
  readonly accounts: readonly Account[];
  readonly board: BoardReader;
  readonly store: Store;
  readonly walletSource: WalletSource;
  /** Service time, as shown in responses. */
  readonly clock: Clock;
  /** For allowances, keys and usage. Differs from the service clock only in a sped-up simulator. */
  readonly wallClock: Clock;
  readonly logger: Logger;
  readonly settings: ApiSettings;
  readonly build: ServedBuild;
  readonly recorder: UsageRecorder;
  /** By default, each process has its own. */
  readonly limiter: Limiter;
  storeHealth(): StoreHealth;
  findDiskProblem(): string | null;
  /** On a replica: why the board is out of date, if it is. */
  findOutdated(): string | null;
  /** Invariant violations seen by this process. */
  listViolations(): readonly string[];
  realisedRecords(accountId: AccountId): RealisedRecords;
  /** Current advice on the account's events, shared with the jobs of this process. */
  adviserOf: AdviserOf;
  /** Computes what-if scenarios on another thread; null if unavailable. */
  readonly whatIf: WhatIfAsker | null;
  /** By default, webhooks may only reach public addresses. */
  readonly reach: Reach;
  /** Rejects with a StoreError if the store does not respond in time. */
  withDeadline<T>(work: Promise<T>): Promise<T>;
  /** Runs `action` once when the key is revoked or expires; the returned function cancels it. */
  onKeyEnd(identity: Identity, action: () => void): () => void;
  /** Runs when the service stops accepting requests, before connections are closed. */
  onClose(action: () => void | Promise<void>): void;
}
