// The store's interface as ports. Each engine implements all of them, and the same tests run on every engine.
// Observations are append-only. A resolved promise means the rows are durable.

import type { AccountId } from '../domain/account.ts';
import type { CountingRule } from '../domain/counting-rule.ts';
import type { MarketEvent } from '../domain/market-event.ts';
import type { CapturedPost, PostDeletion } from '../domain/post.ts';
import type { EntryDraft } from '../sealing/entry.ts';
import type { AlertStore, RuleStore, WatchStore } from './ports-alerts.ts';
import type { BookStore } from './ports-books.ts';
import type { KeyStore, PaymentStore, UsageStore, WaitlistStore, WebhookStore } from './ports-callers.ts';
import type { InstanceKeyStore, OraclePostStore } from './ports-dossiers.ts';
import type { QuoteStore } from './ports-quotes.ts';
import type { ScoreStore, SignalStore } from './ports-scores.ts';
import type { SealStore } from './ports-seals.ts';

export type {
  Alert,
  AlertPage,
  AlertRule,
  AlertStore,
  KeyedRule,
  RuleStore,
  WatchStore,
} from './ports-alerts.ts';
export type {
  ApiKeyRecord,
  KeyStore,
  PaymentRecord,
  PaymentState,
  PaymentStore,
  ReceiverKind,
  Tier,
  UsageColumns,
  UsageRow,
  UsageStore,
  UsageTotals,
  WaitlistEntry,
  WaitlistStore,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookStore,
} from './ports-callers.ts';
export type { QuoteStore } from './ports-quotes.ts';
export type {
  ForecastScore,
  ScoreStore,
  SignalGrounds,
  SignalRecord,
  SignalStore,
} from './ports-scores.ts';
export type { SealAnchor, SealedHour, SealStore } from './ports-seals.ts';

export interface DeletionTime {
  createdTs: number;
  /** null unless deleted. */
  deletedTs: number | null;
}

export interface PostPage {
  fromTs: number;
  /** Exclusive. */
  untilTs: number;
  limit: number;
  /** The last post of the previous page. */
  after: { createdTs: number; postId: string } | null;
}

export interface PostStore {
  /** Inserts new posts and returns them; ignores known post ids and edits of a known root. */
  recordCaptures(captures: readonly CapturedPost[]): Promise<CapturedPost[]>;
  /** Marks deleted posts; returns those newly marked. blankText also erases their text. */
  recordDeletions(deletions: readonly PostDeletion[], blankText: boolean): Promise<PostDeletion[]>;
  /**
   * Applies flags and verdicts of doubtful posts from a source that knows them; returns the resolved posts.
   * If the source may hide edits, possible edits stay doubtful unless it links the versions.
   */
  settleDoubts(posts: readonly CapturedPost[], mayHideEdits?: boolean): Promise<CapturedPost[]>;
  /** Number of doubtful posts, counted and uncounted. */
  countDoubtful(
    accountId: AccountId,
    fromTs: number,
    untilTs: number,
  ): Promise<{ counted: number; uncounted: number }>;
  listDoubtfulIds(accountId: AccountId, fromTs: number): Promise<string[]>;
  /** Posts after `after`, oldest first by created_ts, then id. */
  listPage(accountId: AccountId, page: PostPage): Promise<CapturedPost[]>;
  /** Newest first by created_ts, then id. */
  listRecent(accountId: AccountId, limit: number, offset: number): Promise<CapturedPost[]>;
  count(accountId: AccountId): Promise<number>;
  countCounted(accountId: AccountId, fromTs: number, untilTs: number): Promise<number>;
  /** Number of posts in the window that count under a contract's own rule. */
  countByRule(accountId: AccountId, fromTs: number, untilTs: number, rule: CountingRule): Promise<number>;
  /** Counted posts created at or after fromTs, with the time their deletion was first seen, oldest first. */
  listDeletionTimes(accountId: AccountId, fromTs: number): Promise<DeletionTime[]>;
  /**
   * Ascending times of all posts created at or after fromTs, and whether each counts by the given rule or the
   * account's. Returned as columns, because there are tens of thousands.
   */
  listTimes(
    accountId: AccountId,
    fromTs: number,
    rule?: CountingRule,
  ): Promise<{ createdTs: Float64Array; isCounted: Uint8Array }>;
  /** Ids of posts created at or after fromTs that are not deleted, for the deletion check. */
  listStandingIds(accountId: AccountId, fromTs: number): Promise<string[]>;
  /** Ids of all posts created at or after fromTs, including deleted ones. */
  listKnownIds(accountId: AccountId, fromTs: number): Promise<string[]>;
  /** Delays between creation and capture of the newest live captures, in milliseconds. */
  listCaptureDelays(accountId: AccountId, limit: number): Promise<number[]>;
}

export type CountFeed = 'oracle' | 'ui';

export interface CountObservation {
  eventId: number;
  feed: CountFeed;
  count: number;
  observedTs: number;
}

export interface CountStore {
  /** Append-only; a repeated count only updates the confirmation time of the last row. */
  record(observations: readonly CountObservation[]): Promise<void>;
  latest(eventIds: readonly number[]): Promise<CountObservation[]>;
  history(eventId: number, feed: CountFeed): Promise<CountObservation[]>;
}

export interface EventStore {
  upsert(events: readonly MarketEvent[]): Promise<void>;
  /** Events with a window that ends after endedAfterTs. */
  list(accountId: AccountId, endedAfterTs: number): Promise<MarketEvent[]>;
  find(eventId: number): Promise<MarketEvent | undefined>;
  /** Events after `after` that overlap [fromTs, untilTs), latest end first. */
  listPage(accountId: AccountId, page: EventPage): Promise<MarketEvent[]>;
}

export interface EventPage {
  fromTs: number;
  untilTs: number;
  limit: number;
  /** The last event of the previous page. */
  after: { endTs: number; eventId: number } | null;
}

/** Either as returned by the forecaster or as read from the store. */
export type Numbers = readonly number[] | Float64Array;

export interface ForecastRecord {
  eventId: number;
  accountId: AccountId;
  asofTs: number;
  countSoFar: number;
  p5: number;
  p50: number;
  p95: number;
  distributionFrom: number;
  distribution: Numbers;
  bucketProbabilities: readonly number[];
  /** Yes prices at the same time, in bucket order; null if unknown. */
  marketPrices: readonly (number | null)[];
  /** Each baseline's p50 and bucket probabilities, for comparison. */
  baselines: Readonly<
    Record<string, { p50: number; distributionFrom: number; distribution: Numbers }>
  > | null;
  modelVersion: string;
  buildCommit: string;
}

export interface ForecastStore {
  /** Stores forecasts and their log entries in one transaction. */
  record(forecasts: readonly ForecastRecord[], log?: readonly EntryDraft[]): Promise<void>;
  /** The latest forecast published at or before ts. */
  standingAt(eventId: number, ts: number): Promise<ForecastRecord | undefined>;
  latest(eventIds: readonly number[]): Promise<ForecastRecord[]>;
  /** An event's forecast history, earliest first, without distributions. */
  listPoints(eventId: number, range: PointRange): Promise<ForecastPoint[]>;
  /** Time of the first forecast of any event at or after fromTs. */
  findNextTs(fromTs: number): Promise<number | undefined>;
  /** Deletes the distributions of forecasts made in [fromTs, untilTs), except at the scored horizons. */
  dropDistributions(fromTs: number, untilTs: number): Promise<number>;
  /**
   * In [fromTs, untilTs), which must be whole hours, deletes all forecasts except the last of each hour and
   * those at the scored horizons.
   */
  thin(fromTs: number, untilTs: number): Promise<number>;
}

/** A forecast without its distribution and baselines. */
export type ForecastPoint = Pick<
  ForecastRecord,
  'asofTs' | 'countSoFar' | 'p5' | 'p50' | 'p95' | 'bucketProbabilities' | 'marketPrices' | 'modelVersion'
>;

export interface PointRange {
  fromTs: number;
  /** Exclusive. */
  untilTs: number;
  limit: number;
  /** True to return only the last forecast of each hour. */
  isHourly: boolean;
}

export interface Settlement {
  eventId: number;
  accountId: AccountId;
  finalCount: number;
  winningLabel: string | null;
  /** 'oracle' once the oracle has caught up, 'market' if only the market's own resolution is known. */
  source: string;
  /** Starts at 1 and increases with every correction. */
  revision: number;
  settledTs: number;
}

export interface SettlementStore {
  /** Append-only; returns false if the latest revision already has the same count and winner. */
  record(settlement: Omit<Settlement, 'revision'>): Promise<boolean>;
  latest(eventIds: readonly number[]): Promise<Settlement[]>;
  /** All revisions, oldest first. */
  history(eventId: number): Promise<Settlement[]>;
  list(accountId: AccountId, settledAfterTs: number): Promise<Settlement[]>;
}

export interface Annotation {
  ts: number;
  label: string;
  commit: string;
}

export interface AnnotationStore {
  add(annotation: Annotation): Promise<void>;
  list(afterTs: number): Promise<Annotation[]>;
}

/** Saved position of a feed, so that a restart resumes where it stopped. */
export interface CursorStore {
  find(name: string): Promise<string | undefined>;
  put(name: string, value: string): Promise<void>;
}

/** Latest snapshot per account as JSON, for api replicas; 'crypto' is also a name. */
export interface SnapshotStore {
  put(name: string, version: number, body: string): Promise<void>;
  find(name: string): Promise<{ version: number; body: string } | undefined>;
  versions(): Promise<{ name: string; version: number }[]>;
  /**
   * Called when another process may have changed a snapshot. Polling versions() covers missed
   * notifications.
   */
  listen(onChange: (name: string, version: number) => void): Promise<() => Promise<void>>;
}

/** A shared allowance: replicas take requests in advance, so that together they respect the hourly limit. */
export interface AllowanceStore {
  /**
   * Takes up to `wanted` requests from the caller's `limit` per rolling windowMs, counted in slots of slotMs.
   * Returns how many were granted and when the next one will fit.
   */
  take(
    caller: string,
    wanted: number,
    limit: number,
    window: { windowMs: number; slotMs: number; nowTs: number },
  ): Promise<{ granted: number; used: number; nextFreeTs: number }>;
  /** Returns unused requests that were taken at takenTs. */
  giveBack(
    caller: string,
    unused: number,
    window: { windowMs: number; slotMs: number; takenTs: number },
  ): Promise<void>;
  prune(beforeTs: number): Promise<number>;
}

export type StoreOrigin = 'simulator' | 'live';

/** Where this store's data comes from. The first claim is permanent. */
export interface OriginStore {
  find(): Promise<StoreOrigin | undefined>;
  /** Returns the store's origin, which is the first one claimed. */
  claim(origin: StoreOrigin): Promise<StoreOrigin>;
}

/** Leadership: only one of several ingest processes writes observations. */
export interface Leadership {
  /** Increases with every new leader; the store refuses writes with an older epoch. */
  epoch: number;
  /** Aborts when leadership is lost. */
  lost: AbortSignal;
  release(): Promise<void>;
}

export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  readonly posts: PostStore;
  readonly counts: CountStore;
  readonly events: EventStore;
  readonly quotes: QuoteStore;
  readonly books: BookStore;
  readonly oraclePosts: OraclePostStore;
  readonly instanceKey: InstanceKeyStore;
  readonly forecasts: ForecastStore;
  readonly scores: ScoreStore;
  readonly signals: SignalStore;
  readonly settlements: SettlementStore;
  readonly annotations: AnnotationStore;
  readonly keys: KeyStore;
  readonly waitlist: WaitlistStore;
  readonly usage: UsageStore;
  readonly payments: PaymentStore;
  readonly cursors: CursorStore;
  readonly snapshots: SnapshotStore;
  readonly webhooks: WebhookStore;
  readonly rules: RuleStore;
  readonly alerts: AlertStore;
  readonly watch: WatchStore;
  readonly allowances: AllowanceStore;
  readonly origin: OriginStore;
  readonly seals: SealStore;
  /** Waits until this process is the ingest leader; resolves immediately if it is the only candidate. */
  lead(signal: AbortSignal): Promise<Leadership>;
  /** Epoch of the current leader; 0 before the first. */
  readEpoch(): Promise<number>;
  health(): Promise<{ isWritable: boolean; problem: string | null }>;
  close(): Promise<void>;
}
