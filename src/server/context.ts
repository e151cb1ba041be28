// What the interface is built from, and what each route may reach.

import type { DemoKey } from '../access/demo-key.ts';
import type { Identity } from '../access/key-directory.ts';
import type { Limiter, LimitSettings } from '../access/limiter.ts';
import type { Account, AccountId } from '../domain/account.ts';
import type { Scenario } from '../forecast/scenario.ts';
import type { PaymentGate } from '../payments/payment-gate.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Traffic } from '../runtime/courtesy.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Random } from '../runtime/random.ts';
import type { FetchPastPrices, WalletSource } from '../sources/source.ts';
import type { BoardReader } from '../state/board.ts';
import type { Store } from '../store/ports.ts';
import type { Adviser } from '../trade/advice/adviser.ts';
import type { LadderRow } from '../trade/advice/ladder.ts';
import type { ConnectionLimits } from './http/connection-guard.ts';
import type { Route } from './http/route.ts';
import type { Trace } from './http/sender.ts';
import type { FindPastPrices } from './past-prices.ts';
import type { UsageRecorder, UsageSettings } from './usage/usage-recorder.ts';
import type { StoreHealth } from './views/health.ts';
import type { RealisedRecords } from './views/signals.ts';

export interface ApiSettings {
  trustedProxyHops: number;
  publishText: boolean;
  blankTextOnDeletion: boolean;
  defaultBankrollUsd: number;
  /** Where a person can see an event, without its slug; null or absent where there is no such page. */
  marketPageUrl?: string | null;
  /** Price of one paid call. */
  priceUsd: number;
  limits: LimitSettings;
  /** Maximum connections; derived from the descriptor limit by default. */
  connections?: ConnectionLimits;
  bodyLimitBytes: number;
  usage: UsageSettings;
  /** Folder of the built dashboard; null to serve none. */
  webRoot: string | null;
}

/** Where notices can go. */
export interface Reach {
  /** Set with the simulator: keys that the operator issued may have receivers on this machine. */
  isLocalAllowed: boolean;
  /** In front of the page's addresses in links; empty for links relative to the page. */
  publicUrl: string;
  /** Name of the Telegram bot; null where there is none. */
  findTelegramBot: () => Promise<string | null>;
  /** Key that browsers subscribe with; null where there is none. */
  findPushKey: () => Promise<string | null>;
}

export const WEBHOOKS_ALONE: Reach = {
  isLocalAllowed: false,
  publicUrl: '',
  findTelegramBot: async () => null,
  findPushKey: async () => null,
};

/** What a forecast and its ladder would be in an imagined future. */
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
  /** The first is A, the second is B; any number from one. */
  accounts: readonly Account[];
  board: BoardReader;
  store: Store;
  walletSource: WalletSource;
  /** Time of the service's answers. */
  clock: Clock;
  /** Time of allowances, keys and usage, where the service's own time runs faster; else the same clock. */
  wallClock?: Clock;
  random: Random;
  logger: Logger;
  settings: ApiSettings;
  build: { version: string; commit: string };
  payments: PaymentGate | null;
  /** Answers what-if questions off this thread; absent or null if unavailable. */
  whatIf?: WhatIfAsker | null;
  /** Bucket prices from before this service recorded any; absent if the market has none. */
  fetchPastPrices?: FetchPastPrices | undefined;
  /** Public webhooks alone where left out. */
  reach?: Reach;
  /** Times real time where the sources are a simulator; absent or null where they are live. */
  simulatorSpeed?: number | null;
  /** The simulator's market is easier to beat than real prices. */
  hasEasyMarket?: boolean;
  /** A wallet of the simulator to try; null or absent where the sources are live. */
  demoWallet?: string | null;
  /** Where the simulator listens, for traders on the same machine; null or absent where the sources are live. */
  simulatorUrl?: string | null;
  /** Hands out a key of the simulator; null or absent where the sources are live. */
  demoKey?: DemoKey | null;
  /** What is wrong with the disk, if anything. */
  findDiskProblem?: () => string | null;
  /** A limiter shared by replicas; else each process has its own. */
  limiter?: Limiter;
  /** Called for every answer when tracing is on. */
  trace?: Trace | null;
  /** Counts requests for background work that yields to them. */
  traffic?: Traffic;
  /** Routes of other rooms of the interface (stream, webhooks, agents). */
  extraRoutes?: (context: RouteContext) => readonly Route[];
}

export interface RouteContext {
  readonly accounts: readonly Account[];
  readonly board: BoardReader;
  readonly store: Store;
  readonly walletSource: WalletSource;
  readonly clock: Clock;
  readonly wallClock: Clock;
  readonly logger: Logger;
  readonly settings: ApiSettings;
  readonly build: { version: string; commit: string };
  readonly recorder: UsageRecorder;
  readonly limiter: Limiter;
  storeHealth(): StoreHealth;
  findDiskProblem(): string | null;
  readonly hasEasyMarket: boolean;
  realisedRecords(accountId: AccountId): RealisedRecords;
  /** What to do in the account's events now: the one that every answer asks. */
  adviserOf(account: Account): Adviser;
  readonly whatIf: WhatIfAsker | null;
  readonly findPastPrices: FindPastPrices;
  readonly reach: Reach;
  /** Rejects with a StoreError when the store does not answer in time. */
  withDeadline<T>(work: Promise<T>): Promise<T>;
  /** Runs `action` once when the key is revoked or over; the returned function cancels it. */
  onKeyEnd(identity: Identity, action: () => void): () => void;
  /** Runs when the service stops taking requests, before connections are ended. */
  onClose(action: () => void | Promise<void>): void;
}
