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
import type { Adviser } from '../trade/advice/adviser.ts';
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
  /** Public key for browser push; null if there is none. */
  findPushKey: () => Promise<string | null>;
}

export const WEBHOOKS_ALONE: Reach = {
  isLocalAllowed: false,
  publicUrl: '',
  findTelegramBot: async () => null,
  findPushKey: async () => null,
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

export interface ApiDependencies {
  /** At least one; the first is account A, the second B. */
  accounts: readonly Account[];
  board: BoardReader;
  store: Store;
  walletSource: WalletSource;
  /** Service time, as shown in responses. */
  clock: Clock;
  /**
   * Wall clock for allowances, keys and usage. Differs from the service clock only in a sped-up simulator.
   */
  wallClock?: Clock;
  random: Random;
  logger: Logger;
  settings: ApiSettings;
  build: ServedBuild;
  payments: PaymentGate | null;
  /** Computes what-if scenarios on another thread; absent or null if unavailable. */
  whatIf?: WhatIfAsker | null;
  /** By default, webhooks may only reach public addresses. */
  reach?: Reach | undefined;
  /** Multiple of real time in the simulator; absent or null on live sources. */
  simulatorSpeed?: number | null;
  /** Whether the simulator's market is easier to beat than real prices. */
  /** Simulated wallet that visitors can try; null or absent on live sources. */
  demoWallet?: string | null;
  /** URL of the simulator, for traders on the same machine; null or absent on live sources. */
  simulatorUrl?: string | null;
  /** Issues a demo key; null or absent on live sources. */
  demoKey?: DemoKey | null;
  /** Disk problem, if any. */
  findDiskProblem?: () => string | null;
  /** On a replica: why the board is out of date, if it is. */
  findOutdated?: () => string | null;
  /** Invariant violations seen by this process. */
  listViolations?: () => readonly string[];
  /** By default one that nothing saves. */
  limiter?: Limiter;
}

/** Track record of each strategy that has one. */
export type RealisedRecords = Readonly<Partial<Record<StrategyName, RealisedRecord>>>;

export interface RouteContext {
  readonly accounts: readonly Account[];
  readonly board: BoardReader;
  readonly store: Store;
  readonly walletSource: WalletSource;
  readonly clock: Clock;
  readonly wallClock: Clock;
  readonly logger: Logger;
  readonly settings: ApiSettings;
  readonly build: ServedBuild;
  readonly recorder: UsageRecorder;
  readonly limiter: Limiter;
  storeHealth(): StoreHealth;
  findDiskProblem(): string | null;
  findOutdated(): string | null;
  listViolations(): readonly string[];
  realisedRecords(accountId: AccountId): RealisedRecords;
  /** Current advice on the account's events, shared by all responses. */
  adviserOf(account: Account): Adviser;
  readonly whatIf: WhatIfAsker | null;
  readonly reach: Reach;
  /** Rejects with a StoreError if the store does not respond in time. */
  withDeadline<T>(work: Promise<T>): Promise<T>;
  /** Runs `action` once when the key is revoked or expires; the returned function cancels it. */
  onKeyEnd(identity: Identity, action: () => void): () => void;
  /** Runs when the service stops accepting requests, before connections are closed. */
  onClose(action: () => void | Promise<void>): void;
}
